// Gauges of the gateway: the usage record, long polls, mails to owners. [D22, D24, D40]
// Does not own: the counters (edge-metrics.ts, recorder.ts, fallback-store.ts).
import { elementAt } from '@paraph/protocol/element-at'
import type { Readings } from '@paraph/background/row-gauges'
import { observe } from '@paraph/telemetry/metrics'
import { sql, type Kysely } from 'kysely'
import type { GatewayDatabase } from './database.js'
import type { UsageRecord } from './usage/recorder.js'
import type { LongPolls } from './edge/long-poll.js'

/** Registers the gauges that are read from memory. @returns functions that remove them */
export const observeGateway = (usage: UsageRecord, longPolls: LongPolls): (() => void)[] => [
  observe('paraph.usage.uncommitted', usage.uncommitted),
  observe('paraph.usage.failing', () => Number(usage.isFailing())),
  observe('paraph.waits.open', longPolls.openCount),
]

/** Reads how many mails to owners are queued. */
export const collectOwnerMailGauges = (database: Kysely<GatewayDatabase>) =>
  async function collect(): Promise<Readings> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from owner_mail where finished_at is null`.execute(database)
    return { 'paraph.owner_mail.waiting': elementAt(rows, 0).waiting }
  }
