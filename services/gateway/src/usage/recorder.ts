// The usage record: calls are counted before the reply is sent, in batches, exactly once. [Usage, D3, D4, D40]
// One loop per process writes the gathered calls, one batch after the other. Each batch has a sequence number, so repeating one after a
// lost acknowledgement counts nothing.
// Does not own: the SQL that counts (migrations/usage-tables), what is billable (edge), the hard stop (quota), the time (store-clock).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { EndpointLabel, UsageView } from '@paraph/protocol/account-views'
import { failPoint } from '@paraph/testing/fail-point'
import { measure } from '@paraph/telemetry/metrics'
import type { Logger } from '@paraph/telemetry/logger'
import { billingPeriodOf, type UsageOwner } from './billing-period.js'
import type { GatewayDatabase } from '../database.js'
import { withTimeout } from '@paraph/protocol/deadline'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import type { Reservation } from './quota.js'

const BATCH_MAX = 2_000
/** How long a reply waits for the database; the recorder then retries the batch. */
export const WRITE_MS_MAX = 4_000
const READ_MS_MAX = 4_000
const RETRY_MS = 500
/** Tries after which a stopping service gives a batch up. */
const STOP_TRIES = 4

/** One call of an account. */
export interface CountedCall extends UsageOwner {
  endpoint: EndpointLabel
  /** Quota that the call costs: its weight if it was answered 2xx with something new, else 0. */
  billable: number
  /** Time of admission by the store's clock; determines the month. */
  admittedAt: Date
  /** The quota reserved for the call, which the count releases. */
  reservation: Reservation | undefined
  /** False if the client left before the answer: the call is not counted, and its reservation is released. */
  answered: boolean
}

/** The result of counting a call. */
export interface Counted {
  /** False after a failed first try; the recorder then retries. */
  isDurable: boolean
  /** Billed calls of the account in the month of the call, this one included; undefined if this try did not count it. */
  monthBillable?: number | undefined
}

/** Age limit of the calls of a batch. The mark that prevents counting an older batch twice may be deleted (retention.ts). */
const BATCH_DAYS_MAX = 6

interface Pending {
  call: CountedCall
  resolve: (counted: Counted) => void
}

interface UsageRecordDeps {
  database: Kysely<GatewayDatabase>
  /** Separate connections for writing, so that a batch does not queue behind other statements. */
  writer: Kysely<GatewayDatabase>
  logger: Logger
}

/** The usage record of one process; any number of processes may write to one database. */
export function createUsageRecord({ database, writer, logger }: UsageRecordDeps) {
  const instance = randomUUID()
  const stopping = new AbortController()
  let sequence = 0
  let gathered: Pending[] = []
  let isFailing = false
  let flushing: Promise<void> | undefined
  let triedAtMs = 0
  let uncommitted = 0

  async function flush(): Promise<void> {
    while (gathered.length > 0) {
      const batch = gathered.slice(0, BATCH_MAX)
      gathered = gathered.slice(BATCH_MAX)
      if (!(await commit(batch))) break
      uncommitted -= batch.length
    }
    // Reset here, not after the promise has settled: a call in between would wait for a loop that has ended.
    flushing = undefined
  }

  /** Retries until the batch is durable. Resolves with false if it was given up, which happens only while the service stops. */
  async function commit(batch: Pending[]): Promise<boolean> {
    sequence += 1
    const calls = batch.map(({ call }) => call)
    let billed: Awaited<ReturnType<typeof tryWrite>>
    for (let tries = 1; !(billed = await tryWrite(calls)); tries += 1) {
      // Replies do not wait for a second try, neither the replies of this batch nor those of calls gathered since.
      for (const { resolve } of [...batch, ...gathered]) resolve({ isDurable: false })
      if (stopping.signal.aborted && tries >= STOP_TRIES) {
        const lost = batch.length + gathered.length
        logger.error({ calls: lost }, 'calls not counted before the stop; they are missing from the usage record')
        return false
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    for (const { call, resolve } of batch) resolve({ isDurable: true, monthBillable: billed.get(monthNameOf(call)) })
    return true
  }

  /** @returns the billed calls by month; undefined after a failure */
  async function tryWrite(calls: CountedCall[]): Promise<ReadonlyMap<string, number> | undefined> {
    triedAtMs = performance.now()
    try {
      failPoint('usage.writing')
      const committing = inOwnTrace({ name: 'count calls' }, () => commitBatch(writer, { instance, sequence, calls }))
      const billed = await withTimeout(WRITE_MS_MAX, committing)
      failPoint('usage.written')
      if (isFailing) logger.info('usage commit recovered')
      isFailing = false
      return billed
    } catch (error) {
      if (!isFailing) logger.error({ err: error }, 'usage commit failed; answering 503 until it succeeds')
      isFailing = true
      return undefined
    } finally {
      measure('paraph.usage.commit.duration', (performance.now() - triedAtMs) / 1_000, {})
    }
  }

  return {
    /** True after a failed commit until the next success: no call is forwarded then. [D40] */
    isFailing: () => isFailing,

    /** Calls that are not committed yet, for metrics. */
    uncommitted: () => uncommitted,

    /** Milliseconds since the last try while calls wait, else 0. The recorder keeps trying while the database is unavailable. [H11] */
    idleMs: () => (flushing ? performance.now() - triedAtMs : 0),

    /** Opens `connections` of the writer and lets Postgres plan the write of a batch and the read, without counting anything. */
    async warmUp(connections: number): Promise<void> {
      const nobody = { accountId: '', environment: 'sandbox' } as const
      const empty = () => commitBatch(writer, { instance: randomUUID(), sequence: 0, calls: [] })
      await Promise.all([...Array.from({ length: connections }, empty), this.read(nobody, new Date(), 0)])
    },

    /** Counts a call. Resolves once it is durable, or after a failed first try. */
    count(call: CountedCall): Promise<Counted> {
      return new Promise((resolve) => {
        gathered.push({ call, resolve })
        uncommitted += 1
        if (isFailing) resolve({ isDurable: false })
        flushing ??= flush()
      })
    },

    /**
     * The billing period of a call admitted at `admittedAt`, as GET /usage shows it, including every call that any replica has
     * answered so far.
     * @param quotaLimit calls per billing period
     * @throws DomainError `unavailable` when the database does not answer
     */
    async read({ accountId, environment }: UsageOwner, admittedAt: Date, quotaLimit: number): Promise<UsageView> {
      const { period, startAt, endAt } = billingPeriodOf(admittedAt)
      const reading = sql<{ endpoint: string; total: number; billable: number }>`
        select endpoint, sum(total)::int8 as total, sum(billable)::int8 as billable
        from usage
        where account_id = ${accountId} and environment = ${environment}
          and day between ${dayOf(startAt)}::date and ${dayOf(endAt)}::date
        group by endpoint order by endpoint`.execute(database)
      const { rows } = await withTimeout(READ_MS_MAX, reading)
      const billableCalls = rows.reduce((sum, row) => sum + row.billable, 0)
      return {
        period,
        totalCalls: rows.reduce((sum, row) => sum + row.total, 0),
        billableCalls,
        quotaLimit,
        remaining: Math.max(0, quotaLimit - billableCalls),
        overageCalls: Math.max(0, billableCalls - quotaLimit),
        endpointBreakdown: Object.fromEntries(rows.map((row) => [row.endpoint, row.total])),
        periodStart: startAt.toISOString(),
        periodEnd: endAt.toISOString(),
      }
    },

    /** Waits until all gathered calls are durable or given up after `STOP_TRIES`. Call it after the last `count`. */
    async stop(): Promise<void> {
      stopping.abort()
      await flushing
    },
  }
}

export type UsageRecord = ReturnType<typeof createUsageRecord>

/** The UTC day of an instant, `YYYY-MM-DD`. */
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)

const monthNameOf = ({ accountId, environment, admittedAt }: CountedCall): string =>
  `${accountId} ${environment} ${billingPeriodOf(admittedAt).period}`

/**
 * Writes the mark of the batch and the counters of days and months, and removes the reservations of the calls. Repeating the `sequence`
 * of an `instance` counts nothing.
 * @returns the billed calls of each month of the batch, by `monthNameOf`; empty for a repeated batch
 */
export async function commitBatch(
  database: Kysely<GatewayDatabase>,
  { instance, sequence, calls }: { instance: string; sequence: number; calls: readonly CountedCall[] },
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; billed: number }>`
    select of_account || ' ' || of_environment || ' ' || to_char(of_month, 'YYYY-MM') as name, billed::int8 from usage_commit_batch(
      ${instance}, ${sequence}, ${BATCH_DAYS_MAX},
      ${calls.map((call) => call.accountId)},
      ${calls.map((call) => call.environment)},
      ${calls.map((call) => call.endpoint)},
      ${calls.map((call) => call.billable)},
      ${calls.map((call) => call.reservation?.id ?? null)},
      ${calls.map((call) => call.answered)},
      ${calls.map((call) => call.admittedAt.toISOString())}
    )`.execute(database)
  return new Map(rows.map(({ name, billed }) => [name, billed]))
}
