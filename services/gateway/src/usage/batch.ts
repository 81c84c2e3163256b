// How a batch of calls becomes durable: one statement, which counts nothing when it is repeated. [D3, D4, D40]
// Owns: what of a call is written, and for how long. Does not own: the SQL that counts (migrations/usage-tables), when it
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

/** A batch with older calls is not written any more: the mark that told it from its repetition may be gone (retention.ts). */
export const BATCH_DAYS_MAX = 6

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
