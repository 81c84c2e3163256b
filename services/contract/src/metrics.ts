// Metrics of the contract service: committed status changes, and overdue expiries. [I10]
import { elementAt } from '@paraph/protocol/element-at'
import type { Readings } from '@paraph/background/row-gauges'
import { count } from '@paraph/telemetry/metrics'
import type { Environment } from '@paraph/protocol/environment'
import { sql, type Kysely } from 'kysely'
import type { ContractDatabase } from './database.js'

const OVERDUE_COUNT_MAX = 10_000

/** Counts a status change; call it after the commit. An unchanged status counts nothing. @param from `none` for a new contract */
export function recordTransition(environment: Environment, from: string, to: string): void {
  if (from !== to)
    count('paraph.contract.transitions', { 'paraph.environment': environment, 'paraph.from': from, 'paraph.to': to })
}

/** Counts the open contracts past their expiry that the sweep has not expired yet, and reads how long the oldest is overdue. */
export const collectOverdueGauge = (database: Kysely<ContractDatabase>) =>
  async function read(): Promise<Readings> {
    const { rows } = await sql<{ overdue: number; ageSeconds: number }>`
      select count(*)::int as overdue,
             coalesce(extract(epoch from clock_timestamp() - min(expires_at)), 0)::float8 as "ageSeconds"
        from (select expires_at from contract
               where status in ('pending_signature', 'partially_signed') and expires_at <= clock_timestamp()
               order by expires_at limit ${OVERDUE_COUNT_MAX}) counted`.execute(database)
    const { overdue, ageSeconds } = elementAt(rows, 0)
    return { 'paraph.expiry.overdue': overdue, 'paraph.expiry.overdue.age': Math.max(0, ageSeconds) }
  }
