// Wires the contract service; the only file here that knows all the others.
import { EDGES } from '@paraph/protocol/caller'
import { answersBesidePool } from '@paraph/database/answers-beside-pool'
import { readClockMs } from '@paraph/database/clock'
import { createDatabase, openPool } from '@paraph/database/pool'
import { openEventBus } from '@paraph/messaging/open-event-bus'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { lookAtOutbox } from '@paraph/messaging/messaging-metrics'
import { createRelay } from '@paraph/messaging/relay'
import { createTokenVerifier } from '@paraph/service/caller-token'
import { describeRest } from '@paraph/service/openapi-document'
import { observeProcess } from '@paraph/service/process-gauges'
import { createPruning } from '@paraph/service/pruning'
import { createRowGauges } from '@paraph/service/row-gauges'
import { mountRest } from '@paraph/service/rest'
import { mountRpc } from '@paraph/service/rpc-mount'
import type { Service } from '@paraph/service/run'
import { createStoreClock } from '@paraph/service/store-clock'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractConfig } from './config.js'
import { createConsoleRouter } from './console-router.js'
import { createContractCreation } from './contract-creation.js'
import { lookAtOverdue } from './contract-metrics.js'
import { createContractList } from './contract-list.js'
import { createContractStore } from './contract-store.js'
import { createContractReader, createContractWaits } from './contract-waits.js'
import type { ContractDatabase } from './database.js'
import { createExpirySweep } from './expiry-sweep.js'
import { createOperatorRouter } from './operator-router.js'
import { createRestRouter } from './rest-router.js'
import { RETENTION } from './retention.js'
import { createKeeping } from './keeping.js'
import { createRpcRouter } from './rpc-router.js'

/** A loop that has not gone round for this long is stuck. [H11] */
const STUCK_AFTER_MS = 180_000

/** The contract service, to be run by `runService`. */
export function createContractService(config: ContractConfig, logger: Logger): Service {
  const pool = openPool(config.DATABASE_URL, logger)
  const database = createDatabase<ContractDatabase>(pool)
  const clock = createStoreClock({ readMs: () => readClockMs(database), logger })
  const bus = openEventBus('contract', config, logger)
  const relay = createRelay({ directUrl: config.DATABASE_DIRECT_URL, source: '/contract', bus, logger })
  const wakeRelay = relay.wake
  const shareTokenKeys = config.SHARE_TOKEN_KEYS
  const shareBaseUrl = config.SHARE_BASE_URL

  const store = createContractStore({ database, wakeRelay })
  const creation = createContractCreation({ database, shareTokenKeys, shareBaseUrl, wakeRelay })
  const sweep = createExpirySweep({ database, wakeRelay, logger })
  const keeping = createKeeping({ database, store, days: config.KEEP_CONTRACTS_DAYS, logger })
  const pruning = createPruning({ plan: RETENTION, database, logger })
  const read = createContractReader(store)
  const waits = createContractWaits({ read, database, directUrl: config.DATABASE_DIRECT_URL, logger })
  const gauges = createRowGauges({
    looks: [lookAtOutbox(database), lookAtOverdue(database)],
    answersAllTheSame: answersBesidePool(config.DATABASE_URL),
    logger,
  })

  const verify = createTokenVerifier('contract', config.CALLER_PUBLIC_KEYS, clock.now)
  const restRouter = createRestRouter({ creation, read, waits })
  const operator = createOperatorRouter({ store, messaging: createMessagingRouter({ database, relay }) })
  const list = createContractList(database)
  const rpcRouter = createRpcRouter({
    ...{ store, shareTokenKeys, shareBaseUrl },
    console: createConsoleRouter({ store, list, shareTokenKeys, shareBaseUrl }),
  })

  let endObserving = (): void => undefined

  return {
    publicMiddleware: [
      mountRest({ router: restRouter, verify, callers: ['gateway'] }),
      mountRpc({ router: rpcRouter, verify, callers: EDGES.contract }),
    ],
    internalMiddleware: [
      mountRpc({ router: operator, verify, callers: ['operator'] }),
      async (ctx, next) => {
        if (ctx.path !== '/openapi.json') return next()
        ctx.body = describeRest(restRouter)
      },
    ],
    isLive: () => [relay, sweep, waits].every(({ tickAgeMs }) => tickAgeMs() < STUCK_AFTER_MS),
    beginStop: waits.endAll,
    start: () => {
      clock.start()
      relay.start()
      sweep.start()
      keeping.start()
      pruning.start()
      waits.start()
      gauges.start()
      endObserving = observeProcess({ relay, sweep, keeping, pruning, waits }, { main: pool })
    },
    stop: async () => {
      await Promise.all([gauges, sweep, keeping, pruning, waits, relay, clock].map((part) => part.stop()))
      endObserving()
      await bus.close()
      await database.destroy()
    },
  }
}
