// The database's clock; every stored decision uses this clock. [D20]
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'

/** The current time in whole milliseconds; in a transaction, not the time of its start. */
export async function readClock(database: QueryExecutorProvider): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select date_trunc('milliseconds', clock_timestamp()) as now`.execute(
    database,
  )
  return rows[0]!.now
}

/** The current time as milliseconds since 1970, with fractions. */
export async function readClockMs(database: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(database)
  return rows[0]!.nowMs
}

/**
 * Whether a pause or a lease is over. One that ends later than the longest possible one from now was set before the clock was set back, and
 * is over too: otherwise it would last as long as the step of the clock. [F32]
 */
export const isOver = (endsAt: RawBuilder<unknown>, longestSeconds: RawBuilder<unknown> | number) =>
  sql<boolean>`(${endsAt} <= clock_timestamp() or ${endsAt} > clock_timestamp() + make_interval(secs => ${longestSeconds}))`
