// Wires the notification service; the only file here that knows all the others.
import { EDGES } from '@paraph/protocol/caller'
import type { RpcRouter as ContractRpcRouter } from '@paraph/contract/rpc-router'
import type { RpcRouter as SigningRpcRouter } from '@paraph/signing/rpc-router'
import { answersBesidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { isStalled } from '@paraph/messaging/consumer'
import { lookAtConsumer, lookAtOutbox, observeConsumer } from '@paraph/messaging/messaging-metrics'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createRelay } from '@paraph/messaging/relay'
import { createTokenSigner, createTokenVerifier } from '@paraph/service/caller-token'
import { createRpcClient } from '@paraph/service/rpc-link'
import { observeProcess } from '@paraph/service/process-gauges'
import { createPruning } from '@paraph/service/pruning'
import { createRowGauges } from '@paraph/service/row-gauges'
import { mountRpc } from '@paraph/service/rpc-mount'
import type { Service } from '@paraph/service/run'
import { createStoreClock } from '@paraph/service/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { NotificationConfig } from './config.js'
import { createComposer } from './composer.js'
import { createContractMails } from './contract-mails.js'
import { createEventsConsumer } from './consumers.js'
import type { NotificationDatabase } from './database.js'
import { createDeliveries } from './deliveries.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createHeldMails } from './held-mails.js'
import { lookAtMails, observeRelay } from './mail-metrics.js'
import { createMailer } from './mailer.js'
import { createOperatorRouter } from './operator-router.js'
import { createRelayCircuit } from './relay-circuit.js'
import { RETENTION } from './retention.js'
import { createRpcRouter } from './rpc-router.js'
import { createSendRate } from './send-rate.js'
import { createSettlement } from './settlement.js'
import { tracedMailer } from './traced-mailer.js'

/** A loop that has not gone round, or a partition that has not moved, for this long is stuck. [H9, H11] */
const STUCK_AFTER_MS = 180_000

/** The notification service, to be run by `runService`. */
export function createNotificationService(config: NotificationConfig, logger: Logger): Service {
  const pool = openPool(config.DATABASE_URL, logger)
  const database = createDatabase<NotificationDatabase>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('notification', config, logger)
  const signer = createTokenSigner('notification', config.CALLER_PRIVATE_KEY, clock.now)
  const contract = createRpcClient<ContractRpcRouter>({
    url: config.CONTRACT_URL,
    token: () => signer.signAnonymous('contract'),
    timeoutMs: 5_000,
  })
  const signing = createRpcClient<SigningRpcRouter>({
    url: config.SIGNING_URL,
    token: () => signer.signAnonymous('signing'),
    timeoutMs: 10_000,
  })
  const connections = config.SMTP_CONNECTIONS
  const mailer = createMailer({
    smtp: config.SMTP_URL,
    fromAddress: config.MAIL_FROM_ADDRESS,
    domain: config.MAIL_DOMAIN,
    // One more for the place that is kept for codes.
    connections: connections + 1,
  })
  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/notification', bus, logger })
  const deliveries = createDeliveries({
    ...{ database, codeKeys: config.CODE_KEYS, holdBefore: config.HOLD_MAILS_BEFORE },
  })
  const settlement = createSettlement({ database, wakeRelay: relay.wake })
  const heldMails = createHeldMails({ database, deliveries, settlement, before: config.HOLD_MAILS_BEFORE, logger })
  const circuit = createRelayCircuit({ database })
  const readFacts = (contractId: string, partyIndex: number) =>
    contract.rpc.mail.facts.query({ contractId, partyIndex })
  const worker = createDeliveryWorker({
    deliveries,
    settlement,
    circuit,
    rate: createSendRate(config.SMTP_RATE_PER_SECOND, performance.now()),
    mailer: tracedMailer(mailer, config.SMTP_URL),
    compose: createComposer({
      readFacts,
      readCopy: async (contractId) => {
        const { pdf } = await signing.rpc.evidence.copy.query({ contractId })
        return pdf === null ? null : Buffer.from(pdf, 'base64')
      },
      ...{ codeKeys: config.CODE_KEYS, mailDomain: config.MAIL_DOMAIN, shareBaseUrl: config.SHARE_BASE_URL },
    }),
    connections,
    logger,
  })
  const consumer = createEventsConsumer({
    bus,
    database,
    wakeWorker: worker.wake,
    outcomeMails: config.OUTCOME_EMAIL === 'on',
    completionMails: config.COMPLETION_EMAIL === 'on',
    logger,
  })

  const pruning = createPruning({ plan: RETENTION, database, logger })
  const verify = createTokenVerifier('notification', config.CALLER_PUBLIC_KEYS, clock.now)
  const contractMails = createContractMails({ database, readFacts, wakeWorker: worker.wake })
  const rpcRouter = createRpcRouter({
    ...{ deliveries, contractMails, wakeWorker: worker.wake, isRelayAway: circuit.isAway },
  })
  const operatorRouter = createOperatorRouter({
    ...{ deliveries, heldMails, circuit, mailer, smtp: config.SMTP_URL, domain: config.MAIL_DOMAIN },
    messaging: createMessagingRouter({ database, relay, consumers: [consumer] }),
  })

  const gauges = createRowGauges({
    looks: [
      lookAtOutbox(database),
      lookAtMails(database, config.HOLD_MAILS_BEFORE),
      lookAtConsumer(database, consumer),
    ],
    answersAllTheSame: answersBesidePool(config.DATABASE_URL),
    logger,
  })
  let ends: (() => void)[] = []

  return {
    publicMiddleware: [mountRpc({ router: rpcRouter, verify, callers: EDGES.notification })],
    internalMiddleware: [mountRpc({ router: operatorRouter, verify, callers: ['operator'] })],
    isLive: () =>
      [relay, worker].every(({ tickAgeMs }) => tickAgeMs() < STUCK_AFTER_MS) &&
      !isStalled(consumer.progress(), STUCK_AFTER_MS),
    start: () => {
      heldMails.announce()
      clock.start()
      relay.start()
      worker.start()
      pruning.start()
      consumer.start()
      gauges.start()
      ends = [
        observeProcess({ relay, worker, pruning }, { main: pool }),
        observeConsumer(consumer),
        observeRelay(circuit),
      ]
    },
    stop: async () => {
      // All at once: a mail in hand and a broker that does not answer must not wait for each other.
      await Promise.all([gauges, consumer, worker, relay, pruning, clock].map((part) => part.stop()))
      for (const end of ends) end()
      mailer.close()
      await Promise.all([contract.close(), signing.close()])
      await bus.close()
      await database.destroy()
    },
  }
}
