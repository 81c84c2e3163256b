// The record of calls: counted before the reply is sent, in groups, exactly once. [Usage, D3, D4, D40]
// One flusher per process writes what has gathered and starts again when the database answers. Each batch has a number; a
// batch that is written again after a lost acknowledgement counts nothing.
// Does not own: what is billable (middleware), whether a call may be made at all (quota).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { EndpointLabel, UsageView } from '@paraph/protocol/account-views'
import type { Environment } from '@paraph/protocol/caller'
import type { Logger } from '@paraph/telemetry/logger'
import { billingPeriodOf } from './billing-period.js'
import type { GatewayDatabase } from './database.js'
import { within } from './deadline.js'
import type { Reservation } from './quota.js'

interface CountedCall {
  accountId: string
  environment: Environment
  endpoint: EndpointLabel
  /** Calls of quota that this one costs: its weight if it was answered 2xx or 304, else 0. */
  billable: number
  /** `performance.now()` when the window admitted it: its age tells the store on which day that was by the store's clock. */
  admittedAtMs: number
  /** What quota set aside for it; given back with the count. */
  reservation: Reservation | undefined
}

const BATCH_MAX = 2_000
/** A database that takes longer is away as far as the reply is concerned; the batch is tried again. */
const WRITE_MS_MAX = 2_000
const RETRY_MS = 500
/** A batch that has failed this often is given up when the service stops. */
const STOP_TRIES = 4

interface Waiting {
  call: CountedCall
  settle: (durable: boolean) => void
}

/** The record of one process; any number of processes may write to one database. */
export function createUsageRecord({ database, logger }: { database: Kysely<GatewayDatabase>; logger: Logger }) {
  const instance = randomUUID()
  const stopping = new AbortController()
  let sequence = 0
  let gathered: Waiting[] = []
  let failing = false
  let flushing: Promise<void> | undefined
  let triedAtMs = 0

  async function flush(): Promise<void> {
    while (gathered.length > 0) {
      const batch = gathered.slice(0, BATCH_MAX)
      gathered = gathered.slice(BATCH_MAX)
      if (!(await commit(batch))) break
    }
    // Here and not when the promise has settled: a call that came in between would wait for a flusher that has ended.
    flushing = undefined
  }

  /** Tries until the batch is durable. False when it was given up, which happens only while the service stops. */
  async function commit(batch: Waiting[]): Promise<boolean> {
    sequence += 1
    const calls = batch.map(({ call }) => call)
    for (let tries = 1; !(await written(calls)); tries += 1) {
      // Nobody's reply waits for a second try, theirs or that of the calls that gathered behind them.
      for (const { settle } of [...batch, ...gathered]) settle(false)
      if (stopping.signal.aborted && tries >= STOP_TRIES) {
        const uncounted = batch.length + gathered.length
        logger.error({ calls: uncounted }, 'calls stayed uncounted: the database did not come back in time')
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    for (const { settle } of batch) settle(true)
    return true
  }

  async function written(calls: CountedCall[]): Promise<boolean> {
    triedAtMs = performance.now()
    try {
      await within(WRITE_MS_MAX, write(database, instance, sequence, calls))
      if (failing) logger.info('usage is being counted again')
      failing = false
      return true
    } catch (error) {
      if (!failing) logger.error({ err: error }, 'usage cannot be counted at the moment; it is tried again')
      failing = true
      return false
    }
  }

  return {
    /** True while the last commit failed and none has succeeded since: nothing may be forwarded then. [D40] */
    isFailing: () => failing,

    /** How long the flusher has had work and tried nothing; a database that is away does not make it grow. 0 while nothing waits. [H11] */
    idleMs: () => (flushing ? performance.now() - triedAtMs : 0),

    /** Counts a call. Resolves with true once it is durable, with false when the first try failed; it is then tried again. */
    count(call: CountedCall): Promise<boolean> {
      return new Promise((settle) => {
        gathered.push({ call, settle })
        if (failing) settle(false)
        flushing ??= flush()
      })
    },

    /**
     * The billing period that a call admitted at `admittedAtMs` belongs to, as GET /usage shows it.
     * @param quotaLimit calls per billing period
     */
    async read(
      account: { accountId: string; environment: Environment },
      admittedAtMs: number,
      quotaLimit: number,
    ): Promise<UsageView> {
      const ageMs = performance.now() - admittedAtMs
      const { rows } = await sql<{ now: Date; endpoint: string | null; total: number; billable: number }>`
        with clock as (select now() - make_interval(secs => ${ageMs}::float8 / 1000) as at)
        select clock.at as now, usage.endpoint, sum(usage.total)::int8 as total, sum(usage.billable)::int8 as billable
        from clock left join usage
          on usage.account_id = ${account.accountId} and usage.environment = ${account.environment}
          and usage.day >= date_trunc('month', clock.at at time zone 'utc')
          and usage.day < date_trunc('month', clock.at at time zone 'utc') + interval '1 month'
        group by clock.at, usage.endpoint order by usage.endpoint`.execute(database)
      const { period, startAt, endAt } = billingPeriodOf(rows[0]?.now ?? new Date(0))
      const counted = rows.filter((row) => row.endpoint !== null)
      const billableCalls = counted.reduce((sum, row) => sum + row.billable, 0)
      return {
        period,
        totalCalls: counted.reduce((sum, row) => sum + row.total, 0),
        billableCalls,
        quotaLimit,
        remaining: Math.max(0, quotaLimit - billableCalls),
        overageCalls: Math.max(0, billableCalls - quotaLimit),
        endpointBreakdown: Object.fromEntries(counted.map((row) => [row.endpoint, row.total])),
        periodStart: startAt.toISOString(),
        periodEnd: endAt.toISOString(),
      }
    },

    /** Waits until everything gathered is durable, or gives up after some tries. Call when nothing is under way any more. */
    async stop(): Promise<void> {
      stopping.abort()
      await flushing
    },
  }
}

export type UsageRecord = ReturnType<typeof createUsageRecord>

/** One statement: the batch's mark, the day's counters, the month's counter without the reservations that are used up. */
async function write(
  database: Kysely<GatewayDatabase>,
  instance: string,
  sequence: number,
  calls: CountedCall[],
): Promise<void> {
  const nowMs = performance.now()
  // Rows are inserted in the order of their keys, so that two gateways never wait for each other in a circle.
  await sql`
    with mark as (
      insert into usage_commit as last (instance, sequence) values (${instance}, ${sequence})
      on conflict (instance) do update set sequence = excluded.sequence, committed_at = now()
      where last.sequence < excluded.sequence
      returning sequence
    ), call as (
      select account_id, environment, endpoint, billable, reservation,
        coalesce(day::date, ((now() - make_interval(secs => age_ms / 1000)) at time zone 'utc')::date) as day
      from unnest(
        ${calls.map((call) => call.accountId)}::text[],
        ${calls.map((call) => call.environment)}::text[],
        ${calls.map((call) => call.endpoint)}::text[],
        ${calls.map((call) => call.billable)}::int[],
        ${calls.map((call) => call.reservation?.id ?? null)}::text[],
        ${calls.map((call) => call.reservation?.day ?? null)}::text[],
        ${calls.map((call) => nowMs - call.admittedAtMs)}::float8[]
      ) as sent (account_id, environment, endpoint, billable, reservation, day, age_ms)
      where exists (select from mark)
    ), counted as (
      insert into usage (account_id, environment, day, endpoint, total, billable)
      select account_id, environment, day, endpoint, count(*), sum(billable) from call
      group by account_id, environment, day, endpoint order by account_id, environment, day, endpoint
      on conflict (account_id, environment, day, endpoint)
      do update set total = usage.total + excluded.total, billable = usage.billable + excluded.billable
    )
    insert into usage_month (account_id, environment, month, billable, reservations)
    select account_id, environment, date_trunc('month', day)::date as month, sum(billable),
      coalesce(jsonb_object_agg(reservation, 0) filter (where reservation is not null), '{}')
    from call group by account_id, environment, month
    having sum(billable) > 0 or count(reservation) > 0 order by account_id, environment, month
    on conflict (account_id, environment, month) do update set
      billable = usage_month.billable + excluded.billable,
      -- excluded.reservations names those to take away
      reservations = usage_month.reservations - array(select jsonb_object_keys(excluded.reservations))`.execute(
    database,
  )
}
