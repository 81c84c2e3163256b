// What is told of contracts: changes of state as they are committed, and those whose end is overdue. [B.5, I10]
import type { Readings } from '@paraph/service/row-gauges'
import { count } from '@paraph/telemetry/metrics'
import type { Environment } from '@paraph/protocol/caller'
import { sql, type Kysely } from 'kysely'
import type { ContractDatabase } from './database.js'

const OVERDUE_COUNTED = 10_000

/** After the commit. @param from `none` for a contract that was made; where nothing changed nothing is told */
export function tellTransition(environment: Environment, from: string, to: string): void {
  if (from !== to)
    count('paraph.contract.transitions', { 'paraph.environment': environment, 'paraph.from': from, 'paraph.to': to })
}

/** Open contracts whose time is over and that the sweep has not met yet. */
export const lookAtOverdue = (database: Kysely<ContractDatabase>) =>
  async function look(): Promise<Readings> {
    const { rows } = await sql<{ overdue: number; ageSeconds: number }>`
      select count(*)::int as overdue,
             coalesce(extract(epoch from clock_timestamp() - min(expires_at)), 0)::float8 as "ageSeconds"
        from (select expires_at from contract
               where status in ('pending_signature', 'partially_signed') and expires_at <= clock_timestamp()
               order by expires_at limit ${OVERDUE_COUNTED}) counted`.execute(database)
    const { overdue, ageSeconds } = rows[0]!
    return { 'paraph.expiry.overdue': overdue, 'paraph.expiry.overdue.age': Math.max(0, ageSeconds) }
  }
