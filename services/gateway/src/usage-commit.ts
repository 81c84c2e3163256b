// How a batch of calls becomes durable: one statement, which counts nothing when it is repeated. [D3, D4, D40]
// Owns: what of a call is written, and for how long marks count. Does not own: the SQL that counts (migrations/usage-tables), when it
// is written (usage).
import { sql, type Kysely } from 'kysely'
import type { EndpointLabel } from '@paraph/protocol/account-views'
import type { Environment } from '@paraph/protocol/caller'
import type { GatewayDatabase } from './database.js'
import type { Reservation } from './quota.js'

/** One call of an account, as the record takes it. */
export interface CountedCall {
  accountId: string
  environment: Environment
  endpoint: EndpointLabel
  /** Calls of quota that this one costs: its weight if it was answered 2xx or 304, else 0. */
  billable: number
  /** By the store's clock: the call belongs to this month. */
  admittedAt: Date
  /** What quota set aside for it; given back with the count. */
  reservation: Reservation | undefined
  /** False for a client that left before there was an answer: nothing is counted, what was reserved goes back. */
  answered: boolean
}

/** A process that is alive and has written nothing for so long may lose its mark: it has no batch of an unknown fate. */
const MARK_DAYS = 7
/** A batch with older calls is not written any more: the mark that told it from its repetition may be gone. */
const BATCH_DAYS_MAX = 6

/**
 * One statement (migrations/usage-tables): the batch's mark, the day's counters, the month's counter without the reservations that
 * are used up.
 */
export async function commitBatch(
  database: Kysely<GatewayDatabase>,
  { instance, sequence, calls }: { instance: string; sequence: number; calls: readonly CountedCall[] },
): Promise<void> {
  await sql`
    select usage_commit_batch(
      ${instance}, ${sequence}, ${BATCH_DAYS_MAX},
      ${calls.map((call) => call.accountId)},
      ${calls.map((call) => call.environment)},
      ${calls.map((call) => call.endpoint)},
      ${calls.map((call) => call.billable)},
      ${calls.map((call) => call.reservation?.id ?? null)},
      ${calls.map((call) => call.answered)},
      ${calls.map((call) => call.admittedAt.toISOString())}
    )`.execute(database)
}

/** Removes the marks of processes that are long gone. @returns how many; 1,000 at most */
export async function pruneMarks(database: Kysely<GatewayDatabase>): Promise<number> {
  // Asked twice: a mark that its process wrote anew while this waited for the row is checked by the outer condition again.
  const { numAffectedRows } = await sql`
    delete from usage_commit where instance in (
      select instance from usage_commit where committed_at < now() - make_interval(days => ${MARK_DAYS}) limit 1000
    ) and committed_at < now() - make_interval(days => ${MARK_DAYS})`.execute(database)
  return Number(numAffectedRows ?? 0)
}
