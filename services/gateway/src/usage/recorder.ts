// The record of calls: counted before the reply is sent, in groups, exactly once. [Usage, D3, D4, D40]
// One flusher per process writes what has gathered and starts again when the database answers. Each batch has a number; a
// batch that is written again after a lost acknowledgement counts nothing (usage-commit).
// Does not own: what is billable (middleware), whether a call may be made at all (quota), in which month it falls (store-clock).
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { UsageView } from '@paraph/protocol/account-views'
import type { Environment } from '@paraph/protocol/caller'
import { failPoint } from '@paraph/service/fail-point'
import { measure } from '@paraph/telemetry/metrics'
import type { Logger } from '@paraph/telemetry/logger'
import { billingPeriodOf } from './billing-period.js'
import type { GatewayDatabase } from './database.js'
import { within } from '@paraph/service/deadline'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { commitBatch, type CountedCall } from './usage-commit.js'

const BATCH_MAX = 2_000
/** A database that takes longer is away as far as the reply is concerned; the batch is tried again. */
export const WRITE_MS_MAX = 2_000
const READ_MS_MAX = 2_000
const RETRY_MS = 500
/** A batch that has failed this often is given up when the service stops. */
const STOP_TRIES = 4

interface Waiting {
  call: CountedCall
  settle: (durable: boolean) => void
}

/**
 * The record of one process; any number of processes may write to one database.
 * @param writer the flusher's own connections, so that it queues behind nobody
 */
export function createUsageRecord({
  database,
  writer,
  logger,
}: {
  database: Kysely<GatewayDatabase>
  writer: Kysely<GatewayDatabase>
  logger: Logger
}) {
  const instance = randomUUID()
  const stopping = new AbortController()
  let sequence = 0
  let gathered: Waiting[] = []
  let failing = false
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
      failPoint('usage.writing')
      const committing = inOwnTrace({ name: 'count calls' }, () => commitBatch(writer, { instance, sequence, calls }))
      await within(WRITE_MS_MAX, committing)
      failPoint('usage.written')
      if (failing) logger.info('usage is being counted again')
      failing = false
      return true
    } catch (error) {
      if (!failing) logger.error({ err: error }, 'usage cannot be counted at the moment; it is tried again')
      failing = true
      return false
    } finally {
      measure('paraph.usage.commit.duration', (performance.now() - triedAtMs) / 1_000, {})
    }
  }

  return {
    /** True while the last commit failed and none has succeeded since: nothing may be forwarded then. [D40] */
    isFailing: () => failing,

    /** Calls that are not in the record yet, for metrics. */
    uncommitted: () => uncommitted,

    /** How long the flusher has had work and tried nothing; a database that is away does not make it grow. 0 while nothing waits. [H11] */
    idleMs: () => (flushing ? performance.now() - triedAtMs : 0),

    /** Counts a call. Resolves with true once it is durable, with false when the first try failed; it is then tried again. */
    count(call: CountedCall): Promise<boolean> {
      return new Promise((settle) => {
        gathered.push({ call, settle })
        uncommitted += 1
        if (failing) settle(false)
        flushing ??= flush()
      })
    },

    /**
     * The billing period that a call admitted at `admittedAt` belongs to, as GET /usage shows it: with everything that any
     * replica has answered by now.
     * @param quotaLimit calls per billing period
     * @throws DomainError `unavailable` when the database does not answer
     */
    async read(
      account: { accountId: string; environment: Environment },
      admittedAt: Date,
      quotaLimit: number,
    ): Promise<UsageView> {
      const { period, startAt, endAt } = billingPeriodOf(admittedAt)
      const reading = sql<{ endpoint: string; total: number; billable: number }>`
        select endpoint, sum(total)::int8 as total, sum(billable)::int8 as billable
        from usage
        where account_id = ${account.accountId} and environment = ${account.environment}
          and day between ${dayOf(startAt)}::date and ${dayOf(endAt)}::date
        group by endpoint order by endpoint`.execute(database)
      const { rows } = await within(READ_MS_MAX, reading)
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

    /** Waits until everything gathered is durable, or gives up after some tries. Call when nothing is under way any more. */
    async stop(): Promise<void> {
      stopping.abort()
      await flushing
    },
  }
}

export type UsageRecord = ReturnType<typeof createUsageRecord>

/** The UTC day of an instant, `YYYY-MM-DD`. */
const dayOf = (instant: Date): string => instant.toISOString().slice(0, 10)
