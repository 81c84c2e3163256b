// Erases final contracts that were kept as long as the operator wants to keep them. Off unless a time is set. [D43]
// Any number of replicas may run it: an erasure that is done does nothing again.
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { allAtOnce } from '@paraph/service/at-once'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractStore } from './contract-store.js'
import type { ContractDatabase } from './database.js'

const PAUSE_MS = 3_600_000
const BATCH = 50

/** @param days after the end of a contract; undefined keeps for ever */
export function createKeeping({
  database,
  store,
  days,
  logger,
}: {
  database: Kysely<ContractDatabase>
  store: Pick<ContractStore, 'execute'>
  days: number | undefined
  logger: Logger
}) {
  /** @returns true when more may be due */
  async function eraseDue(): Promise<boolean> {
    if (days === undefined) return false
    const { rows } = await sql<{ id: string }>`
      select id from contract
       where erased_at is null and status in ('signed', 'expired', 'cancelled')
         and changed_at < now() - make_interval(days => ${days})
       order by changed_at limit ${BATCH}`.execute(database)
    let failed = 0
    await allAtOnce(
      rows,
      async ({ id }) => void (await store.execute(id, { type: 'erase' })),
      (error, { id }) => {
        failed += 1
        logger.warn({ err: error, contractId: id }, 'a contract that was kept long enough was not erased yet')
      },
    )
    if (rows.length > failed) logger.info({ count: rows.length - failed, days }, 'contracts were erased')
    // Those that failed come up again; they must not keep the loop spinning.
    return rows.length === BATCH && failed === 0
  }

  const trouble = 'contracts that were kept long enough cannot be erased at the moment'
  return { ...createLoop({ work: eraseDue, pauseMs: PAUSE_MS, trouble, logger }), eraseDue }
}
