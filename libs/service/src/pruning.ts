// Ends rows past their retention, off every request's path, for as long as the service runs. [Pruning]
// Owns: when. Does not own: which rows (each service's retention.ts), how (database/retention). Every replica may run it.
import { setTimeout as sleep } from 'node:timers/promises'
import { PRUNE_ROWS, pruneBatch, type RetentionPlan } from '@paraph/database/retention'
import type { Logger } from '@paraph/telemetry/logger'
import { within } from './deadline.js'
import { createLoop } from './loop.js'

const PAUSE_MS = 60_000
/** A database that takes longer is away; a stop does not wait for it. What is still under way there harms nobody. */
const BATCH_MS_MAX = 5_000

/**
 * A loop over all that goes, one small statement a round. An outage costs nothing: what is due stays due.
 * A table that fails is passed over until the next pass, and told when it begins to fail and when none does any more.
 */
export function createPruning({
  plan: { goes },
  database,
  logger,
}: {
  plan: RetentionPlan
  database: Parameters<typeof pruneBatch>[0]
  logger: Logger
}) {
  let at = 0
  let ended = 0
  /** Tables that failed, of this pass and of the one before. */
  let failing = new Map<string, unknown>()
  let failedBefore = new Set<string>()

  async function next(): Promise<boolean> {
    const retention = goes[at]
    if (!retention) {
      tellFailures()
      at = 0
      return false
    }
    // Before the statement, so that whatever becomes of it the next table has its turn.
    at += 1
    const startedAtMs = performance.now()
    let rows = 0
    try {
      rows = await within(BATCH_MS_MAX, pruneBatch(database, retention))
    } catch (error) {
      failing.set(retention.table, error)
    }
    ended += rows
    if (rows === PRUNE_ROWS) {
      at -= 1
      // It rests as long as it worked: a backlog takes half of a connection, and never all.
      await sleep(performance.now() - startedAtMs)
    } else {
      const { table, wipe: column } = retention
      if (ended > 0) logger.info({ table, column, rows: ended }, 'rows past their retention were ended')
      ended = 0
    }
    return true
  }

  /** One line for all tables: a database that is away fails with each of them. */
  function tellFailures(): void {
    const tables = [...failing.keys()]
    if (tables.some((table) => !failedBefore.has(table)))
      logger.warn({ tables, err: [...failing.values()][0] }, 'rows past their retention cannot be ended')
    else if (tables.length === 0 && failedBefore.size > 0)
      logger.info({ tables: [...failedBefore] }, 'rows past their retention can be ended again')
    failedBefore = new Set(tables)
    failing = new Map()
  }

  return createLoop({ work: next, pauseMs: PAUSE_MS, trouble: 'rows past their retention cannot be ended', logger })
}
