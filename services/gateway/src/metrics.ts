// What is told of the gateway's own parts: the record of calls, the waits, what is on its way to owners. [B.5, D22, D24, D40]
// Counters stand where they are counted (edge-metrics.ts, usage.ts, guarded-windows.ts).
import type { Readings } from '@paraph/service/row-gauges'
import { observe } from '@paraph/telemetry/metrics'
import { sql, type Kysely } from 'kysely'
import type { GatewayDatabase } from './database.js'
import type { UsageRecord } from './usage.js'
import type { Waits } from './waits.js'

/** @returns ends it */
export function observeGateway(usage: UsageRecord, waits: Waits): () => void {
  const ends = [
    observe('paraph.usage.uncommitted', usage.uncommitted),
    observe('paraph.usage.failing', () => Number(usage.isFailing())),
    observe('paraph.waits.open', waits.waitCount),
  ]
  return () => {
    for (const end of ends) end()
  }
}

export const lookAtOwnerMails = (database: Kysely<GatewayDatabase>) =>
  async function look(): Promise<Readings> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from owner_mail where settled_at is null`.execute(database)
    return { 'paraph.owner_mail.waiting': rows[0]!.waiting }
  }
