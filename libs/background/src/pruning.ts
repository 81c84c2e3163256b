// Deletes or clears rows past their retention in the background, for as long as the service runs.
// Owns: the schedule. Does not own: which rows (each service's retention.ts) and the statements (database/retention). Every replica may run it.
import { setTimeout as sleep } from 'node:timers/promises'
import { PRUNE_ROWS, pruneBatch, type RetentionPlan } from '@paraph/database/retention'
import type { Logger } from '@paraph/telemetry/logger'
import { withTimeout } from '@paraph/protocol/deadline'
import { createLoop } from './loop.js'

const PAUSE_MS = 60_000
/** A database that needs longer counts as unavailable, and a stop does not wait for it. A statement that still runs does no harm. */
const BATCH_MS_MAX = 5_000

export interface PruningDeps {
  plan: RetentionPlan
  database: Parameters<typeof pruneBatch>[0]
  logger: Logger
}

/**
 * A loop over every retention of the plan, one small statement a round. An outage loses nothing: due rows stay due.
 * A table that fails is skipped until the next pass. The log records when tables begin to fail and when pruning works again for all tables.
 */
export function createPruning({ plan, database, logger }: PruningDeps) {
  let at = 0
  let prunedRows = 0
  /** Tables that failed in this pass, and in the one before. */
  let failing = new Map<string, unknown>()
  let failedBefore = new Set<string>()

  async function next(): Promise<boolean> {
    const retention = plan.pruned[at]
    if (!retention) {
      logFailures()
      at = 0
      return false
    }
    // Advances before the statement, so that a failing table does not block the next one.
    at += 1
    const startedAtMs = performance.now()
    let rows = 0
    try {
      rows = await withTimeout(BATCH_MS_MAX, pruneBatch(database, retention))
    } catch (error) {
      failing.set(retention.table, error)
    }
    prunedRows += rows
    if (rows === PRUNE_ROWS) {
      at -= 1
      // Pauses for as long as the statement took, so a backlog uses one connection for at most half of the time.
      await sleep(performance.now() - startedAtMs)
    } else {
      const { table, clearColumn: column } = retention
      if (prunedRows > 0) logger.info({ table, column, rows: prunedRows }, 'retention job deleted rows')
      prunedRows = 0
    }
    return true
  }

  /** One line for all tables: an unavailable database fails for each of them. */
  function logFailures(): void {
    const tables = [...failing.keys()]
    if (tables.some((table) => !failedBefore.has(table)))
      logger.warn({ tables, err: [...failing.values()][0] }, 'retention job failed; retrying in 60 s')
    else if (tables.length === 0 && failedBefore.size > 0)
      logger.info({ tables: [...failedBefore] }, 'retention job recovered')
    failedBefore = new Set(tables)
    failing = new Map()
  }

  return createLoop({
    name: 'retention',
    work: next,
    pauseMs: PAUSE_MS,
    failureMessage: 'retention job failed; retrying with back-off',
    logger,
  })
}
