// Removes rows of shared windows that have been idle for minutes: an account that has left leaves nothing behind. [D27]
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from './database.js'

const PAUSE_MS = 5 * 60_000
const ROWS_MAX = 1_000

/** A loop to start and stop; any number of gateways may run it. */
export function createWindowPruning({ database, logger }: { database: Kysely<GatewayDatabase>; logger: Logger }) {
  return createLoop({
    work: async () => (await pruneWindows(database)) === ROWS_MAX,
    pauseMs: PAUSE_MS,
    trouble: 'idle windows cannot be removed',
    logger,
  })
}

/** Removes at most 1,000 idle rows. @returns how many */
export async function pruneWindows(database: Kysely<GatewayDatabase>): Promise<number> {
  // A row that is locked is in use: waiting for it would break the order in which rows are locked. `base_at` is at most 33 s
  // older than the newest admission; no index finds it, for an index on it would cost every admission.
  const { numAffectedRows } = await sql`
    delete from account_window where name in (
      select name from account_window where base_at < clock_timestamp() - interval '5 minutes'
      limit ${ROWS_MAX} for update skip locked
    )`.execute(database)
  return Number(numAffectedRows ?? 0)
}
