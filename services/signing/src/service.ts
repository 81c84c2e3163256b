// Wires the signing service; the only file here that knows all the others.
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import { lookAtCodes } from '@paraph/codes/code-metrics'
import { createCodeSending } from '@paraph/codes/code-sending'
import { answersBesidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { createConsumer, isStalled } from '@paraph/messaging/consumer'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { lookAtConsumer, lookAtOutbox, observeConsumer } from '@paraph/messaging/messaging-metrics'
import { createRelay } from '@paraph/messaging/relay'
import { noteAccountHold } from '@paraph/messaging/account-hold'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { EDGES } from '@paraph/protocol/caller'
import { VERSION } from '@paraph/protocol/version'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'
import { observeProcess } from '@paraph/service/process-gauges'
import { createPruning } from '@paraph/service/pruning'
import { createRowGauges } from '@paraph/service/row-gauges'
import { mountRpc } from '@paraph/service/rpc-mount'
import type { Service } from '@paraph/service/run'
import { createStoreClock } from '@paraph/service/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { Transaction } from 'kysely'
import { createCeremonyCookies } from '@paraph/web/cookies'
import { createFormTokens } from '@paraph/web/form-token'
import { isSameOriginPost } from '@paraph/web/same-origin'
import { loadStyleSheet } from '@paraph/web/style-sheet'
import type { Ceremony } from './ceremony.js'
import type { SigningConfig } from './config.js'
import type { SigningDatabase } from './database.js'
import { noteTask } from './evidence-task-queue.js'
import type { OpenedKeys } from './evidence-keys.js'
import { createEvidenceTasks } from './evidence-tasks.js'
import { createKeptNames } from './kept-name.js'
import { createMailHealth } from './mail-health.js'
import { createOperatorRouter } from './operator-router.js'
import { createReports } from './report.js'
import { createRpcRouter } from './rpc-router.js'
import { createSealing } from './sealing.js'
import { createWorkshop } from './sealed-pdf/pdf-workshop.js'
import { RETENTION } from './retention.js'
import { createShareLink } from './share-link.js'
import { createSigning } from './sign.js'
import { createSignSweep } from './sign-sweep.js'
import { lookAtSigning } from './signing-metrics.js'
import { createVerificationCodes, pushingOf } from './verification-code.js'

/** A loop that has not gone round for this long is stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000
/** A person waits for most of these calls. */
const CALL_MS_MAX = 5_000

/** What an event leaves here: rows only. [D49] */
async function noteEvent(trx: Transaction<SigningDatabase>, event: ReceivedEvent): Promise<void> {
  switch (event.type) {
    case 'account.suspended':
    case 'account.resumed':
      return noteAccountHold(trx, event)
    case 'email.accepted':
    case 'email.failed':
    case 'signing.evidence_sealed':
    case 'application.submitted':
    case 'application.approved':
    case 'application.refused':
    case 'key.created':
    case 'key.revoked':
    case 'subscription.changed':
      // No contract's, or of topics that are not listened to: what became of a mail is no evidence, and what was sealed is known here. [D30]
      return
    default:
      return noteTask(trx, event)
  }
}

/** The signing service, to be run by `runService`. */
export function createSigningService(config: SigningConfig, { keys, published }: OpenedKeys, logger: Logger): Service {
  const origin = new URL(config.SHARE_BASE_URL)
  const https = origin.protocol === 'https:'
  const pool = openPool(config.DATABASE_URL, logger)
  const database = createDatabase<SigningDatabase>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('signing', config, logger)

  const signer = createTokenSigner('signing', config.CALLER_PRIVATE_KEY, clock.now)
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

  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/signing', bus, logger })
  const workshop = createWorkshop()
  const sealing = createSealing({ database, contract, keys, workshop, version: VERSION, wakeRelay: relay.wake, logger })
  const tasks = createEvidenceTasks({ database, contract, wakeSealing: sealing.wake, logger })
  const notification = notificationLink.rpc
  const sending = createCodeSending<SigningDatabase>({
    ...{ database, codeKeys, logger },
    ...pushingOf(notification),
    afterTaken: tasks.wake,
  })
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
      now: clock.now,
      https,
      statusUrl: config.STATUS_URL,
      operatorAddress: config.OPERATOR_ADDRESS,
      mailsCopies: config.COMPLETION_EMAIL === 'on',
    },
    formTokens: createFormTokens(config.PAGE_SECRET),
    cookies: createCeremonyCookies({ https }),
    keptNames: createKeptNames({ secrets: config.PAGE_SECRET, https }),
    host: origin.host,
    isOwnForm: (ctx) => isSameOriginPost(ctx.req.headers, origin.origin),
  }
  const style = loadStyleSheet([new URL('./pages/ceremony.css', import.meta.url)])
  const verify = createTokenVerifier('signing', config.CALLER_PUBLIC_KEYS, clock.now)
  const consumer = createConsumer<SigningDatabase>({
    name: 'signing',
    topics: ['contract.events.v1', 'account.events.v1'],
    ...{ bus, database, logger },
    handle: noteEvent,
    afterCommit: tasks.wake,
  })
  const messaging = createMessagingRouter({ database, relay, consumers: [consumer] })
  const rpc = createRpcRouter({ database, contract, reports })
  const operator = createOperatorRouter({ database, reports, messaging })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const namedLoops = { sending, mail, tasks, sealing, signSweep, relay, pruning }
  const loops = Object.values(namedLoops)
  const gauges = createRowGauges({
    looks: [
      ...[lookAtOutbox(database), lookAtCodes(database), lookAtSigning(database, unsettledAfterSeconds)],
      lookAtConsumer(database, consumer),
    ],
    answersAllTheSame: answersBesidePool(config.DATABASE_URL),
    logger,
  })
  let ends: (() => void)[] = []

  return {
    publicMiddleware: [
      mountRpc({ router: rpc, verify, callers: EDGES.signing }),
      ...createShareLink({ ceremony, style, published, verify, logger }),
    ],
    internalMiddleware: [mountRpc({ router: operator, verify, callers: ['operator'] })],
    isLive: () =>
      loops.every((loop) => loop.tickAgeMs() < STUCK_AFTER_MS) && !isStalled(consumer.progress(), STUCK_AFTER_MS),
    start: () => {
      clock.start()
      for (const loop of loops) loop.start()
      consumer.start()
      gauges.start()
      ends = [observeProcess(namedLoops, { main: pool }), observeConsumer(consumer)]
    },
    stop: async () => {
      await Promise.all([gauges, consumer, ...loops, clock].map((part) => part.stop()))
      for (const end of ends) end()
      await workshop.stop()
      await bus.close()
      await Promise.all([contractLink.close(), notificationLink.close()])
      await database.destroy()
    },
  }
}
