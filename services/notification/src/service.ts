// Wires the notification service: the composition root, which alone imports all other modules.
import { EDGES } from '@paraph/protocol/services'
import type { RpcRouter as ContractRpcRouter } from '@paraph/contract/api/rpc-router'
import type { RpcRouter as SigningRpcRouter } from '@paraph/signing/rpc-router'
import { answersOutsidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { readBrand } from '@paraph/messaging/account-brand'
import { isStalled } from '@paraph/messaging/consumer'
import { collectConsumerGauges, collectOutboxGauges, observeConsumer } from '@paraph/messaging/messaging-metrics'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createRelay } from '@paraph/messaging/relay'
import { createTokenSigner, createTokenVerifier } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'
import { observe } from '@paraph/telemetry/metrics'
import { observeProcess } from '@paraph/telemetry/process-gauges'
import { createRestoreGuard } from '@paraph/background/restore-guard'
import { createSchemaCheck } from '@paraph/background/schema-check'
import { createPruning } from '@paraph/background/pruning'
import { createRowGauges } from '@paraph/background/row-gauges'
import { mountRpc } from '@paraph/rpc/mount'
import { exchangeWith, withPosition } from '@paraph/rpc/position'
import type { Service } from '@paraph/http/run'
import { createStoreClock } from '@paraph/background/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { NotificationConfig } from './config.js'
import { migrations } from './migrations.js'
import { createComposer } from './compose/compose-delivery.js'
import { createContractMails } from './mail-history.js'
import { createEventsConsumer } from './events.js'
import { createDeliveryIntake, openSealed } from './queue/add-delivery.js'
import { createDeliveryClaims } from './queue/claim-delivery.js'
import { createDelayedInvitations } from './queue/delayed-invitations.js'
import { createDeliveryWorker } from './queue/delivery-worker.js'
import { createMailboxLimit } from './queue/mailbox-limit.js'
import { createReminders } from './queue/reminders.js'
import { createHeldMails } from './queue/held-mails.js'
import { createRetryFailed } from './queue/retry-failed.js'
import { collectMailGauges } from './metrics.js'
import { createMailer, tracedMailer } from './smtp/mailer.js'
import { createOperatorRouter } from './operator-router.js'
import { createSmtpCircuit } from './smtp/circuit.js'
import { RETENTION } from './retention.js'
import { createTestMailbox } from './test-mailbox.js'
import { createWebhookEndpoints } from './webhooks/endpoints.js'
import { createPost } from './webhooks/post.js'
import { createNotices } from './notices/notices.js'
import { createNoticeRouter } from './notices/router.js'
import { createWebhookRouter } from './webhooks/router.js'
import { createWebhookWorker } from './webhooks/worker.js'
import { createRpcRouter } from './rpc-router.js'
import { createSendRate } from './queue/token-bucket.js'
import { createFinishDelivery } from './queue/finish-delivery.js'

/** A loop that has completed no round, or a partition without progress, for this long counts as stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000

/** The notification service, for `runService`. */
export function createNotificationService(config: NotificationConfig, logger: Logger): Service {
  const { SMTP_CONNECTIONS: connections, CODE_KEYS: codeKeys, HOLD_MAILS_BEFORE: holdBefore } = config
  const pool = openPool(config.DATABASE_URL, logger, { max: config.DATABASE_POOL_MAX })
  const database = createDatabase<unknown>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('notification', config, logger)
  const signer = createTokenSigner('notification', config.CALLER_PRIVATE_KEY, clock.now)
  const toContract = { url: config.CONTRACT_URL, token: () => signer.signCached('contract'), timeoutMs: 5_000 }
  const toSigning = { url: config.SIGNING_URL, token: () => signer.signCached('signing'), timeoutMs: 10_000 }
  const contract = createRpcClient<ContractRpcRouter>(toContract)
  const signing = createRpcClient<SigningRpcRouter>(toSigning)
  const mailer = createMailer({
    smtp: config.SMTP_URL,
    fromAddress: config.MAIL_FROM_ADDRESS,
    domain: config.MAIL_DOMAIN,
    // One more connection is reserved for codes.
    connections: connections + 1,
  })
  const relay = createRelay({
    directUrl: config.DATABASE_DIRECT_URL,
    source: '/notification',
    bus,
    logger,
    isPatient: true,
  })
  const intake = createDeliveryIntake({ database, codeKeys })
  const claims = createDeliveryClaims({ database, holdBefore })
  const finishDelivery = createFinishDelivery({ database, notifyRelay: relay.wake })
  const delayed = createDelayedInvitations({ database, notifyRelay: relay.wake, logger })
  const heldMails = createHeldMails({ database, claims, finishDelivery, before: holdBefore, logger })
  const circuit = createSmtpCircuit({ database })
  const readMailData = (contractId: string, partyIndex: number, formerAddress?: number) =>
    contract.rpc.mail.data.query({ contractId, partyIndex, formerAddress })
  const testMailbox = createTestMailbox({
    database,
    keys: codeKeys,
    rawOf: mailer.rawOf,
    sends: config.SANDBOX_MAIL === 'send',
  })
  const worker = createDeliveryWorker({
    testMailbox,
    claims,
    finishDelivery,
    circuit,
    rate: createSendRate(config.SMTP_RATE_PER_SECOND, performance.now()),
    mailboxLimit: createMailboxLimit({ database, keys: codeKeys }),
    mailer: tracedMailer(mailer, config.SMTP_URL),
    compose: createComposer({
      readMailData,
      readBrand: (accountId) => readBrand(database, accountId),
      readCopy: async (contractId) => {
        const { pdf } = await signing.rpc.evidence.copy.query({ contractId })
        return pdf === null ? null : Buffer.from(pdf, 'base64')
      },
      openSealed: (delivery) => openSealed(codeKeys, delivery),
      mailDomain: config.MAIL_DOMAIN,
      shareBaseUrl: config.SHARE_BASE_URL,
      footName: config.FOOT_NAME,
    }),
    connections,
    logger,
  })
  const allowsLoopback = config.WEBHOOKS_TO_LOOPBACK === 'on'
  const poster = createPost({ allowsLoopback })
  const endpoints = createWebhookEndpoints({
    database,
    keys: codeKeys,
    allowsLoopback,
    triggerWorker: () => webhooks.trigger(),
  })
  const webhooks = createWebhookWorker({
    database,
    openKeys: endpoints.openKeys,
    post: poster.post,
    readContract: (contractId) => readMailData(contractId, 0),
    logger,
  })
  const reminders = createReminders({ database, triggerWorker: worker.trigger, logger })
  const consumer = createEventsConsumer({
    bus,
    database,
    triggerWorker: worker.trigger,
    triggerWebhooks: webhooks.trigger,
    outcomeMails: config.OUTCOME_EMAIL === 'on',
    completionMails: config.COMPLETION_EMAIL === 'on',
    logger,
  })

  const restoreGuard = createRestoreGuard({
    database,
    service: 'notification',
    others: { contract: exchangeWith(contract), signing: exchangeWith(signing) },
    accept: config.ACCEPT_MIXED_RESTORE === 'yes',
    logger,
  })
  const schema = createSchemaCheck({ database, migrations, logger })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const verify = createTokenVerifier('notification', config.CALLER_PUBLIC_KEYS, clock.now)
  const contractMails = createContractMails({ database, readMailData, triggerWorker: worker.trigger })
  const rpcRouter = createRpcRouter({
    intake,
    contractMails,
    webhooks: createWebhookRouter(endpoints, database),
    notices: createNoticeRouter(createNotices(database)),
    testMailbox,
    triggerWorker: worker.trigger,
    isSmtpUnavailable: circuit.isUnavailable,
  })
  const operatorRouter = createOperatorRouter({
    claims,
    heldMails,
    retryFailed: createRetryFailed({ database, triggerWorker: worker.trigger, logger }),
    circuit,
    mailer,
    smtp: config.SMTP_URL,
    domain: config.MAIL_DOMAIN,
    messaging: createMessagingRouter({ database, relay, consumers: [consumer] }),
  })

  const gauges = createRowGauges({
    readers: [
      collectOutboxGauges(database),
      collectMailGauges(database, holdBefore),
      collectConsumerGauges(database, consumer),
    ],
    isDatabaseReachable: answersOutsidePool(config.DATABASE_URL),
    logger,
  })
  let stopObserving: (() => void)[] = []

  return {
    schema: Object.keys(migrations).at(-1),
    publicMiddleware: [
      mountRpc({ router: withPosition(rpcRouter, database, 'notification'), verify, callers: EDGES.notification }),
    ],
    internalMiddleware: [mountRpc({ router: operatorRouter, verify, callers: ['operator'] })],
    isLive: () =>
      !schema.hasBegun() ||
      ([relay, worker, webhooks].every(({ tickAgeMs }) => tickAgeMs() < STUCK_AFTER_MS) &&
        !isStalled(consumer.progress(), STUCK_AFTER_MS)),
    isReady: schema.isCurrent,
    start: async () => {
      heldMails.logSetting()
      await restoreGuard.start()
      await schema.start(() => {
        clock.start()
        relay.start()
        worker.start()
        webhooks.start()
        delayed.start()
        reminders.start()
        pruning.start()
        consumer.start()
        gauges.start()
        stopObserving = [
          observeProcess({ relay, worker, webhooks, delayed, reminders, pruning }, { main: pool }),
          observeConsumer(consumer),
          observe('paraph.email.relay.up', () => Number(!circuit.isOpen())),
        ]
      })
    },
    stop: async () => {
      await schema.stop()
      // In parallel, because a mail under way and an unreachable broker must not wait for each other.
      await Promise.all(
        [restoreGuard, gauges, consumer, worker, webhooks, delayed, reminders, relay, pruning, clock].map((part) =>
          part.stop(),
        ),
      )
      for (const stop of stopObserving) stop()
      mailer.close()
      await poster.close()
      await Promise.all([contract.close(), signing.close()])
      await bus.close()
      await database.destroy()
    },
  }
}
