// Wires the contract service: the only file that imports all its parts.
import { EDGES } from '@paraph/protocol/services'
import { answersOutsidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { isStalled } from '@paraph/messaging/consumer'
import { collectConsumerGauges, collectOutboxGauges, observeConsumer } from '@paraph/messaging/messaging-metrics'
import { createRelay } from '@paraph/messaging/relay'
import { createTokenVerifier } from '@paraph/rpc/service-token'
import { describeRest } from '@paraph/rpc/openapi-document'
import { observeProcess } from '@paraph/telemetry/process-gauges'
import { createRestoreGuard } from '@paraph/background/restore-guard'
import { createSchemaCheck } from '@paraph/background/schema-check'
import { createPruning } from '@paraph/background/pruning'
import { createRowGauges } from '@paraph/background/row-gauges'
import { mountRest } from '@paraph/rpc/rest'
import { mountRpc } from '@paraph/rpc/mount'
import { withPosition } from '@paraph/rpc/position'
import type { Service } from '@paraph/http/run'
import { createStoreClock } from '@paraph/background/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractConfig } from './config.js'
import { migrations } from './migrations.js'
import { createConsoleRouter } from './api/console-router.js'
import { createContractCreation } from './store/create-contract.js'
import { collectOverdueGauge } from './metrics.js'
import { createContractList } from './store/list.js'
import { createContractStore } from './store/contract-store.js'
import { createContractReader, createContractSubscriptions } from './api/subscriptions.js'
import type { ContractDatabase } from './database.js'
import { createErasureRouter } from './api/erasure-router.js'
import { createDeliveriesConsumer } from './store/deliveries.js'
import { createErasures } from './store/erasure.js'
import { createExpirySweep } from './store/expiry.js'
import { createOperatorRouter } from './api/operator-router.js'
import { createRestRouter } from './api/rest-router.js'
import { RETENTION } from './retention.js'
import { createRetentionSweep } from './store/retention-sweep.js'
import { createShareUrls } from './api/representation.js'
import { createRpcRouter } from './api/rpc-router.js'

/** A loop that has completed no round for this long counts as stuck. [H11] */
const STUCK_AFTER_MS = 180_000

/** Connections that are open before the first call. */
const WARM_CONNECTIONS = 3

/** The contract service for `runService`. */
export function createContractService(config: ContractConfig, logger: Logger): Service {
  const pool = openPool(config.DATABASE_URL, logger, { max: config.DATABASE_POOL_MAX })
  const database = createDatabase<ContractDatabase>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('contract', config, logger)
  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/contract', bus, logger })
  const { SHARE_TOKEN_KEYS: shareTokenKeys, SHARE_BASE_URL: shareBaseUrl, DATABASE_DIRECT_URL: directUrl } = config

  const onChanged = (ids: readonly string[]): void => {
    relay.wake()
    subscriptions.announce(ids)
  }
  const store = createContractStore({ database, onChanged })
  const creation = createContractCreation({ database, shareTokenKeys, shareBaseUrl, notifyRelay: relay.wake })
  const sweep = createExpirySweep({ database, onChanged, logger })
  const retention = createRetentionSweep({ database, store, days: config.KEEP_CONTRACTS_DAYS, logger })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const read = createContractReader(store)
  const subscriptions = createContractSubscriptions({ read, database, directUrl, logger })
  const consumer = createDeliveriesConsumer({ bus, database, onChanged: subscriptions.announce, logger })
  const gauges = createRowGauges({
    readers: [collectOutboxGauges(database), collectOverdueGauge(database), collectConsumerGauges(database, consumer)],
    isDatabaseReachable: answersOutsidePool(config.DATABASE_URL),
    logger,
  })

  const verify = createTokenVerifier('contract', config.CALLER_PUBLIC_KEYS, clock.now)
  const restRouter = createRestRouter({ creation, read, subscriptions })
  const list = createContractList(database)
  const messaging = createMessagingRouter({ database, relay, consumers: [consumer] })
  const operator = createOperatorRouter({ store, list, messaging })
  const shareUrlOf = createShareUrls(shareTokenKeys, shareBaseUrl)
  const erasures = createErasures(database)
  const rpcRouter = createRpcRouter({
    store,
    shareUrlOf,
    console: createConsoleRouter({ store, erasures, list, shareUrlOf }),
    erasure: createErasureRouter({ store, erasures }),
  })

  // This service calls no other: the others compare, and it only counts. [D44]
  const accept = config.ACCEPT_MIXED_RESTORE === 'yes'
  const restoreGuard = createRestoreGuard({ database, service: 'contract', others: {}, accept, logger })
  const schema = createSchemaCheck({
    database,
    migrations,
    warmUp: () => Promise.all(Array.from({ length: WARM_CONNECTIONS }, () => store.findById(''))),
    logger,
  })
  const loops = { relay, sweep, keeping: retention, pruning, waits: subscriptions }
  const parts = [clock, ...Object.values(loops), consumer, gauges]
  let stopObserving: (() => void)[] = []

  return {
    schema: Object.keys(migrations).at(-1),
    publicMiddleware: [
      mountRest({ router: restRouter, verify, callers: ['gateway'] }),
      mountRpc({ router: withPosition(rpcRouter, database, 'contract'), verify, callers: EDGES.contract }),
    ],
    internalMiddleware: [
      mountRpc({ router: operator, verify, callers: ['operator'] }),
      async (ctx, next) => {
        if (ctx.path !== '/openapi.json') return next()
        ctx.body = describeRest(restRouter)
      },
    ],
    isLive: () =>
      !schema.hasBegun() ||
      ([relay, sweep, subscriptions].every(({ tickAgeMs }) => tickAgeMs() < STUCK_AFTER_MS) &&
        !isStalled(consumer.progress(), STUCK_AFTER_MS)),
    isReady: schema.isCurrent,
    beginStop: subscriptions.endAll,
    start: async () => {
      await restoreGuard.start()
      await schema.start(() => {
        for (const part of parts) part.start()
        stopObserving = [observeProcess(loops, { main: pool }), observeConsumer(consumer)]
      })
    },
    stop: async () => {
      await schema.stop()
      await Promise.all([restoreGuard, ...parts].map((part) => part.stop()))
      for (const stop of stopObserving) stop()
      await bus.close()
      await database.destroy()
    },
  }
}
