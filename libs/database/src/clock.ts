// The database's clock; every stored decision uses this clock. [D20]
import { sql, type QueryExecutorProvider } from 'kysely'

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
