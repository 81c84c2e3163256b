// Erases final contracts after the retention time that the operator sets; without a retention time, erases nothing. [D43]
import { sql, type Kysely } from 'kysely'
import { settleAll } from '@paraph/background/settle-all'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractStore } from './contract-store.js'
import type { ContractDatabase } from '../database.js'

const PAUSE_MS = 3_600_000
const BATCH = 50

interface RetentionSweepDeps {
  database: Kysely<ContractDatabase>
  store: Pick<ContractStore, 'execute'>
  /** Days from the end of a contract to its erasure; undefined: never. */
  days: number | undefined
  logger: Logger
}

/** Any number of replicas may run this sweep, because a repeated erasure changes nothing. */
export function createRetentionSweep({ database, store, days, logger }: RetentionSweepDeps) {
  /** @returns true if more contracts may be due */
  async function eraseDue(): Promise<boolean> {
    if (days === undefined) return false
    const { rows } = await sql<{ id: string }>`
      select id from contract
       where erased_at is null and held_at is null and status in ('signed', 'expired', 'cancelled')
         and changed_at < now() - make_interval(days => ${days})
       order by changed_at limit ${BATCH}`.execute(database)
    let failed = 0
    await settleAll(
      rows,
      async ({ id }) => void (await store.execute(id, { type: 'erase' })),
      (error, { id }) => {
        failed += 1
        logger.warn(
          { err: error, contractId: id },
          'could not erase a contract past its retention; retrying in an hour',
        )
      },
    )
    if (rows.length > failed)
      logger.info({ count: rows.length - failed, days }, 'erased contracts past their retention')
    // The next batch contains the failed contracts again, so after a failure the loop pauses first.
    return rows.length === BATCH && failed === 0
  }

  const failureMessage = 'could not erase contracts past their retention; retrying'
  return {
    ...createLoop({ name: 'contract retention', work: eraseDue, pauseMs: PAUSE_MS, failureMessage, logger }),
    eraseDue,
  }
}
