// Usage by day and by month for the console, from the same rows as GET /usage. [Usage, D3]
import { sql, type Kysely } from 'kysely'
import type { GatewayDatabase } from '../database.js'
import type { UsageOwner } from './billing-period.js'

export interface UsageDay {
  /** UTC day, `YYYY-MM-DD`. */
  day: string
  total: number
  billable: number
}

export interface UsageMonth extends Omit<UsageDay, 'day'> {
  /** `YYYY-MM`. */
  month: string
}

/** Every day of a month up to `last`, including days without calls. @param month `YYYY-MM` @param last UTC day, `YYYY-MM-DD` */
export async function readUsageDays(
  database: Kysely<GatewayDatabase>,
  { accountId, environment }: UsageOwner,
  month: string,
  last: string,
): Promise<UsageDay[]> {
  // Adds integers to a date. A series of intervals consists of instants, and loses a day where the server's time zone skips a midnight.
  const { rows } = await sql<UsageDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(total), 0)::int8 as total, coalesce(sum(billable), 0)::int8 as billable
      from (select ${`${month}-01`}::date + n as day from generate_series(0, ${last}::date - ${`${month}-01`}::date) as n) as d
           left join usage on account_id = ${accountId} and environment = ${environment} and usage.day = d.day
     group by d.day order by d.day`.execute(database)
  return rows
}

/** The twelve months up to `month`, newest first, including months without calls. @param month `YYYY-MM` */
export async function readUsageMonths(
  database: Kysely<GatewayDatabase>,
  { accountId, environment }: UsageOwner,
  month: string,
): Promise<UsageMonth[]> {
  const first = `${month}-01`
  const { rows } = await sql<UsageMonth>`
    select to_char(m.first, 'YYYY-MM') as month, coalesce(sum(total), 0)::int8 as total, coalesce(sum(billable), 0)::int8 as billable
      from generate_series(${first}::date - interval '11 months', ${first}::date, interval '1 month') as m(first)
           left join usage on account_id = ${accountId} and environment = ${environment}
                          and usage.day >= m.first::date and usage.day < (m.first + interval '1 month')::date
     group by m.first order by m.first desc`.execute(database)
  return rows
}
