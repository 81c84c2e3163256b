// Wires the notification service; the only file here that knows all the others.
import { EDGES } from '@paraph/protocol/caller'
import type { RpcRouter as ContractRpcRouter } from '@paraph/contract/rpc-router'
import { createDatabase, openPool } from '@paraph/database/pool'
import { isStalled } from '@paraph/messaging/consumer'
import { createPostgresEventBus } from '@paraph/messaging/postgres-event-bus'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'
import { mountRpc } from '@paraph/service/rpc-mount'
import type { Service } from '@paraph/service/run'
import type { Logger } from '@paraph/telemetry/logger'
import type { NotificationConfig } from './config.js'
import { createEventsConsumer } from './consumers.js'
import type { NotificationDatabase } from './database.js'
import { createDeliveries } from './deliveries.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createMailer } from './mailer.js'
import { createRpcRouter } from './rpc-router.js'

/** A loop that has not gone round, or a partition that has not moved, for this long is stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000

/** The notification service, to be run by `runService`. */
export function createNotificationService(config: NotificationConfig, logger: Logger): Service {
  const database = createDatabase<NotificationDatabase>(openPool(config.DATABASE_URL, logger))
  const bus = createPostgresEventBus({ url: config.BUS_DATABASE_URL, logger })
  const signer = createTokenSigner('notification', config.CALLER_PRIVATE_KEY)
  const contract = createRpcClient<ContractRpcRouter>({
    url: config.CONTRACT_URL,
    token: () => signer.signAnonymous('contract'),
    timeoutMs: 5_000,
  })
  const connections = config.SMTP_CONNECTIONS
  const mailer = createMailer({
    smtp: config.SMTP_URL,
    fromAddress: config.MAIL_FROM_ADDRESS,
    domain: config.MAIL_DOMAIN,
    // One more for the place that is kept for codes.
    connections: connections + 1,
  })
  const deliveries = createDeliveries({ database, codeKeys: config.CODE_KEYS })
  const worker = createDeliveryWorker({
    deliveries,
    mailer,
    readFacts: (contractId, partyIndex) => contract.rpc.mail.invitation.query({ contractId, partyIndex }),
    codeKeys: config.CODE_KEYS,
    mailDomain: config.MAIL_DOMAIN,
    shareBaseUrl: config.SHARE_BASE_URL,
    connections,
    logger,
  })
  const consumer = createEventsConsumer({
    bus,
    database,
    wakeWorker: worker.wake,
    outcomeMails: config.OUTCOME_EMAIL === 'on',
    logger,
  })

  return {
    publicMiddleware: [
      mountRpc({
        router: createRpcRouter({ deliveries, wakeWorker: worker.wake, isRelayAway: worker.isRelayAway }),
        verify: createTokenVerifier('notification', config.CALLER_PUBLIC_KEYS),
        callers: EDGES.notification,
      }),
    ],
    internalMiddleware: [],
    isLive: () => worker.tickAgeMs() < STUCK_AFTER_MS && !isStalled(consumer.progress(), STUCK_AFTER_MS),
    start: () => {
      worker.start()
      consumer.start()
    },
    stop: async () => {
      await consumer.stop()
      await worker.stop()
      mailer.close()
      await contract.close()
      await bus.close()
      await database.destroy()
    },
  }
}
