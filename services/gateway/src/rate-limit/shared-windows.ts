// Opens the windows that all gateways share, with this gateway's own as the fallback.
import { createDatabase, openPool } from '@paraph/database/pool'
import { observe } from '@paraph/telemetry/metrics'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { createGuardedWindows } from './fallback-store.js'
import type { MemoryWindows } from './memory-store.js'
import { createPostgresWindows } from './postgres-store.js'

/** One statement at a time on a permanent connection: a call that had to connect first would exceed `answerMsMax`. */
const WINDOW_POOL = { max: 1, statementTimeoutMs: 1_000, idleTimeoutMs: 0 }

interface SharedWindowsDeps {
  url: string
  own: MemoryWindows
  answerMsMax: number
  logger: Logger
}

export function openSharedWindows({ url, own, answerMsMax, logger }: SharedWindowsDeps) {
  const pool = openPool(url, logger, WINDOW_POOL)
  const database = createDatabase<GatewayDatabase>(pool)
  const shared = createPostgresWindows({ database })
  const windows = createGuardedWindows({ shared, own, answerMsMax, logger })
  pool.on('error', windows.distrust)
  return {
    windows,
    pool,
    observe: () => observe('paraph.ratelimit.store.up', () => Number(windows.isSharedInUse())),
    connect: shared.connect,
    close: () => database.destroy(),
  }
}
