// The one clock of decisions that last: the database's. [D20]
import { sql, type QueryExecutorProvider } from 'kysely'

/** Now, in whole milliseconds. In a transaction this is the moment of asking, not of its beginning. */
export async function readClock(database: QueryExecutorProvider): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select date_trunc('milliseconds', clock_timestamp()) as now`.execute(
    database,
  )
  return rows[0]!.now
}

/** The same in milliseconds since 1970, with their fractions. */
export async function readClockMs(database: QueryExecutorProvider): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(database)
  return rows[0]!.nowMs
}
