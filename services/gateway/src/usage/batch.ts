// Commits a batch of calls in one idempotent statement. [D3, D4, D40]
// Owns: what is written of a call. Does not own: the SQL that counts (migrations/usage-tables), when it runs (recorder).
import { sql, type Kysely } from 'kysely'
import type { EndpointLabel } from '@paraph/protocol/account-views'
import type { GatewayDatabase } from '../database.js'
import type { UsageOwner } from './billing-period.js'
import type { Reservation } from './quota.js'

/** One call of an account. */
export interface CountedCall extends UsageOwner {
  endpoint: EndpointLabel
  /** Quota that the call costs: its weight if it was answered 2xx or 304, else 0. */
  billable: number
  /** By the store's clock: the call belongs to this month. */
  admittedAt: Date
  /** The quota reserved for it, which the count releases. */
  reservation: Reservation | undefined
  /** False if the client left before the answer: the call is not counted, and its reservation is released. */
  answered: boolean
}

/** Age limit of the calls of a batch: the mark that makes repeating an older batch harmless may be deleted (retention.ts). */
const BATCH_DAYS_MAX = 6

/**
 * Writes the batch's mark, the counters of days, and the counters of months without the reservations that the calls used up. Repeating
 * the `sequence` of an `instance` counts nothing.
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
