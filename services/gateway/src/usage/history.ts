// Usage by day and by month, for the console: the same rows as GET /usage, added up in other ways. [Usage, D3]
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/caller'
import type { GatewayDatabase } from './database.js'

export interface UsageDay {
  /** UTC day, `YYYY-MM-DD`. */
  day: string
  total: number
  billable: number
}

export interface UsageMonth {
  /** `YYYY-MM`. */
  month: string
  total: number
  billable: number
}

type Whose = { accountId: string; environment: Environment }

/** Every day of a month up to `last`, those without calls too. @param month `YYYY-MM` @param last UTC day, `YYYY-MM-DD` */
export async function readUsageDays(
  database: Kysely<GatewayDatabase>,
  { accountId, environment }: Whose,
  month: string,
  last: string,
): Promise<UsageDay[]> {
  // Dates and whole numbers: steps of an interval are instants, and lose a day where the server's clocks skip a midnight.
  const { rows } = await sql<UsageDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(total), 0)::int8 as total, coalesce(sum(billable), 0)::int8 as billable
      from (select ${`${month}-01`}::date + n as day from generate_series(0, ${last}::date - ${`${month}-01`}::date) as n) as d
           left join usage on account_id = ${accountId} and environment = ${environment} and usage.day = d.day
     group by d.day order by d.day`.execute(database)
  return rows
}

/** The twelve months that end with `month`, the newest first; those without calls too. @param month `YYYY-MM` */
export async function readUsageMonths(
  database: Kysely<GatewayDatabase>,
  { accountId, environment }: Whose,
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
