// Wires the signing service; the only file here that knows all the others.
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import { createDatabase, openPool } from '@paraph/database/pool'
import { createConsumer, isStalled } from '@paraph/messaging/consumer'
import { createPostgresEventBus } from '@paraph/messaging/postgres-event-bus'
import { noteAccountHold } from '@paraph/messaging/account-hold'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'
import { mountRpc } from '@paraph/service/rpc-mount'
import type { Service } from '@paraph/service/run'
import type { Logger } from '@paraph/telemetry/logger'
import type { Transaction } from 'kysely'
import { createCeremonyCookies } from '@paraph/web/cookies'
import { createFormTokens } from '@paraph/web/form-token'
import { isSameOriginPost } from '@paraph/web/same-origin'
import { loadStyleSheet } from '@paraph/web/style-sheet'
import type { Ceremony } from './ceremony.js'
import { createCodeSending } from './code-sending.js'
import type { SigningConfig } from './config.js'
import type { SigningDatabase } from './database.js'
import { noteTask } from './evidence-task-queue.js'
import { createEvidenceTasks } from './evidence-tasks.js'
import { createKeptNames } from './kept-name.js'
import { createMailHealth } from './mail-health.js'
import { createOperatorRouter } from './operator-router.js'
import { createReports } from './report.js'
import { createShareLink } from './share-link.js'
import { createSigning } from './sign.js'
import { createSignSweep } from './sign-sweep.js'
import { createVerificationCodes } from './verification-code.js'

/** A loop that has not gone round for this long is stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000
/** A person waits for most of these calls. */
const CALL_MS_MAX = 5_000

/** What an event leaves here: rows only. [D49] */
const noteEvent = (trx: Transaction<SigningDatabase>, event: ReceivedEvent): Promise<void> =>
  event.type === 'account.suspended' || event.type === 'account.resumed'
    ? noteAccountHold(trx, event)
    : noteTask(trx, event)

/** The signing service, to be run by `runService`. */
export function createSigningService(config: SigningConfig, logger: Logger): Service {
  const origin = new URL(config.SHARE_BASE_URL)
  const https = origin.protocol === 'https:'
  const pool = openPool(config.DATABASE_URL, logger)
  const database = createDatabase<SigningDatabase>(pool)
  const bus = createPostgresEventBus({ url: config.BUS_DATABASE_URL, logger })

  const signer = createTokenSigner('signing', config.CALLER_PRIVATE_KEY)
  const contractLink = createRpcClient<ContractRouter>({
    url: config.CONTRACT_URL,
    token: () => signer.signAnonymous('contract'),
    timeoutMs: CALL_MS_MAX,
  })
  const notificationLink = createRpcClient<NotificationRouter>({
    url: config.NOTIFICATION_URL,
    token: () => signer.signAnonymous('notification'),
    timeoutMs: CALL_MS_MAX,
  })
  const contract = contractLink.rpc
  const codeKeys = config.CODE_KEYS

  const tasks = createEvidenceTasks({ database, contract, logger })
  const notification = notificationLink.rpc
  const sending = createCodeSending({ database, codeKeys, notification, wakeEvidence: tasks.wake, logger })
  const mail = createMailHealth({ notification, logger })
  const codes = createVerificationCodes({ database, peppers: config.CODE_PEPPERS, codeKeys, wakeSending: sending.wake })
  const unsettledAfterSeconds = config.SIGN_UNSETTLED_SECONDS
  const signing = createSigning({ database, contract, logger })
  const signSweep = createSignSweep({ database, contract, unsettledAfterSeconds, logger })

  const reports = createReports({ database, peppers: config.CODE_PEPPERS })

  const ceremony: Ceremony = {
    ...{
      database,
      contract,
      codes,
      mail,
      signing,
      reports,
      https,
      statusUrl: config.STATUS_URL,
      operatorAddress: config.OPERATOR_ADDRESS,
    },
    formTokens: createFormTokens([{ id: 'p1', secret: config.PAGE_SECRET }]),
    cookies: createCeremonyCookies({ https }),
    keptNames: createKeptNames({ secret: config.PAGE_SECRET, https }),
    host: origin.host,
    isOwnForm: (ctx) => isSameOriginPost(ctx.req.headers, origin.origin),
  }
  const style = loadStyleSheet([new URL('./pages/ceremony.css', import.meta.url)])
  const verify = createTokenVerifier('signing', config.CALLER_PUBLIC_KEYS)
  const consumer = createConsumer<SigningDatabase>({
    name: 'signing',
    topics: ['contract.events.v1', 'account.events.v1'],
    ...{ bus, database, logger },
    handle: noteEvent,
    afterCommit: tasks.wake,
  })
  const loops = [sending, mail, tasks, signSweep]

  return {
    publicMiddleware: createShareLink({ ceremony, style, verify, logger }),
    internalMiddleware: [mountRpc({ router: createOperatorRouter({ reports }), verify, callers: ['operator'] })],
    isLive: () =>
      loops.every((loop) => loop.tickAgeMs() < STUCK_AFTER_MS) && !isStalled(consumer.progress(), STUCK_AFTER_MS),
    start: () => {
      for (const loop of loops) loop.start()
      consumer.start()
    },
    stop: async () => {
      await consumer.stop()
      await Promise.all(loops.map((loop) => loop.stop()))
      await bus.close()
      await Promise.all([contractLink.close(), notificationLink.close()])
      await database.destroy()
    },
  }
}
