// How a batch of calls becomes durable: one statement, which counts nothing when it is repeated. [D3, D4, D40]
// Owns: the SQL of the usage tables' writing and the marks that batches leave. Does not own when it is written (usage).
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

/** One statement: the batch's mark, the day's counters, the month's counter without the reservations that are used up. */
export async function commitBatch(
  database: Kysely<GatewayDatabase>,
  { instance, sequence, calls }: { instance: string; sequence: number; calls: readonly CountedCall[] },
): Promise<void> {
  const oldestMs = Math.min(...calls.map((call) => call.admittedAt.getTime()))
  // Rows are inserted in the order of their keys, so that two gateways never wait for each other in a circle.
  await sql`
    with mark as (
      insert into usage_commit as last (instance, sequence, committed_at)
      select ${instance}::uuid, ${sequence}::bigint, now()
      where ${new Date(oldestMs).toISOString()}::timestamptz > now() - make_interval(days => ${BATCH_DAYS_MAX})
      on conflict (instance) do update set sequence = excluded.sequence, committed_at = excluded.committed_at
      where last.sequence < excluded.sequence
      returning sequence
    ), call as (
      select account_id, environment, endpoint, billable, reservation, answered,
        (admitted_at at time zone 'utc')::date as day,
        date_trunc('month', admitted_at at time zone 'utc')::date as month
      from unnest(
        ${calls.map((call) => call.accountId)}::text[],
        ${calls.map((call) => call.environment)}::text[],
        ${calls.map((call) => call.endpoint)}::text[],
        ${calls.map((call) => call.billable)}::int[],
        ${calls.map((call) => call.reservation?.id ?? null)}::text[],
        ${calls.map((call) => call.answered)}::boolean[],
        ${calls.map((call) => call.admittedAt.toISOString())}::timestamptz[]
      ) as sent (account_id, environment, endpoint, billable, reservation, answered, admitted_at)
      where exists (select from mark)
    ), counted as (
      insert into usage (account_id, environment, day, endpoint, total, billable)
      select account_id, environment, day, endpoint, count(*), sum(billable) from call where answered
      group by account_id, environment, day, endpoint order by account_id, environment, day, endpoint
      on conflict (account_id, environment, day, endpoint)
      do update set total = usage.total + excluded.total, billable = usage.billable + excluded.billable
    ), settled as (
      select account_id, environment, month, sum(billable) as billable,
        coalesce(jsonb_object_agg(reservation, calls) filter (where reservation is not null), '{}') as reservations
      from (
        select account_id, environment, month, reservation, sum(billable) as billable, count(*) as calls from call
        group by account_id, environment, month, reservation
      ) as each group by account_id, environment, month
    )
    insert into usage_month (account_id, environment, month, billable, reservations)
    select * from settled where billable > 0 or reservations <> '{}' order by account_id, environment, month
    on conflict (account_id, environment, month) do update set
      billable = usage_month.billable + excluded.billable,
      -- excluded.reservations says how many calls of which to take away
      reservations = usage_reservations_less(usage_month.reservations, excluded.reservations)`.execute(database)
}

/** Removes the marks of processes that are long gone. @returns how many; 1,000 at most */
export async function pruneMarks(database: Kysely<GatewayDatabase>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from usage_commit where instance in (
      select instance from usage_commit where committed_at < now() - make_interval(days => ${MARK_DAYS}) limit 1000
    ) and committed_at < now() - make_interval(days => ${MARK_DAYS})`.execute(database)
  return Number(numAffectedRows ?? 0)
}
