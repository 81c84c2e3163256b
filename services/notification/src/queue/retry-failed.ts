// Sends failed mails again, on behalf of an operator, once the cause is repaired. [F34, P23; paraph mail retry]
// Does not own: mails that one worker saw refused in a row, which need no operator (refusal-run.ts).
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { TRY_HOURS } from '../database.js'
import { NOT_SUSPENDED } from './claim-delivery.js'
import { NOT_IN_TIME, type FailureReason } from './finish-delivery.js'

const BATCH = 500

export interface RetriedMails {
  failedSince: Date
  /** Null on the first call; later the `failedUntil` of its answer, so that a mail that fails again meanwhile is not sent for ever. */
  failedUntil: Date | null
  reason: Exclude<FailureReason, 'lapsed'> | null
}

export interface RetryFailedDeps {
  database: Kysely<unknown>
  triggerWorker: () => void
  logger: Logger
}

export function createRetryFailed({ database, triggerWorker, logger }: RetryFailedDeps) {
  /**
   * Makes one batch of failed mails due again, each for 48 hours, with the Message-ID that it had. A row that is due is found no more, so
   * that a repeated call sends nothing twice. Leaves out codes and mails to owners, whose text is wiped at their end; invitations to a
   * contract whose end this service knows; and what a newer mail replaced. The sending skips other mails that are no longer needed.
   */
  return async function retryFailed({ failedSince, failedUntil, reason }: RetriedMails) {
    const { rows } = await sql<{ failedUntil: Date; queued: number }>`with period as (
        select coalesce(${failedUntil?.toISOString() ?? null}::timestamptz, clock_timestamp()) as failed_until
      ), retried as (
        update delivery set state = 'due', finished_at = null, is_published = false, is_delayed = false,
          lapses_at = clock_timestamp() + make_interval(hours => ${TRY_HOURS}),
          due_at = case when ${NOT_SUSPENDED} then clock_timestamp() else 'infinity' end
        where id in (
          select id from delivery failed
          where state = 'failed' and kind in ('invitation', 'completed', 'cancelled', 'expired')
            and finished_at >= ${failedSince.toISOString()}::timestamptz and finished_at <= (select failed_until from period)
            and coalesce(${reason}::text, 'any') in ('any', case when outcome like ${`${NOT_IN_TIME}%`} then 'gave_up' else 'refused' end)
            and not exists (select 1 from delivery newer where newer.contract_id = failed.contract_id
              and newer.party_index = failed.party_index and newer.kind = failed.kind and newer.send_number > failed.send_number)
            and (kind <> 'invitation' or not exists (
              select 1 from contract_mail m where m.contract_id = failed.contract_id and m.ended is not null
              union all select 1 from delivery copy where copy.contract_id = failed.contract_id and copy.kind = 'completed'))
          limit ${BATCH} for update skip locked
        ) returning id
      ) select failed_until as "failedUntil", (select count(*)::int from retried) as queued from period`.execute(
      database,
    )
    const [batch = { failedUntil: failedSince, queued: 0 }] = rows
    if (batch.queued > 0) {
      logger.warn({ mails: batch.queued, reason }, 'an operator sends failed mails again')
      triggerWorker()
    }
    return { ...batch, mayHaveMore: batch.queued === BATCH }
  }
}

export type RetryFailed = ReturnType<typeof createRetryFailed>
