// Gauges of waiting mails. send-delivery.ts counts the attempts. [F6]
import type { Readings } from '@paraph/background/row-gauges'
import { sql, type Kysely } from 'kysely'
import { isHeldSql, readHeld } from './queue/held-mails.js'

const MAILS_COUNTED = 100_000

/**
 * Counts due mails by lane (codes, others), except mails of suspended accounts. Mails held after a restore have a gauge of their own. [D37]
 * @param heldBefore the setting HOLD_MAILS_BEFORE (held-mails.ts)
 */
export const collectMailGauges = (database: Kysely<unknown>, heldBefore: Date | undefined) =>
  async function collect(): Promise<Readings> {
    const notHeld = heldBefore ? sql`and not ${isHeldSql(heldBefore)}` : sql``
    const { rows } = await sql<{ lane: string; waiting: number; ageSeconds: number }>`
      select lanes.lane, count(counted.due_at)::int as waiting,
             greatest(0, coalesce(extract(epoch from clock_timestamp() - min(counted.due_at)), 0))::float8 as "ageSeconds"
        from (values ('codes'), ('others')) lanes(lane)
        left join lateral (select due_at from delivery
                            where state = 'due' and due_at <= clock_timestamp() ${notHeld}
                              and (kind in ('code', 'owner_code')) = (lanes.lane = 'codes')
                            limit ${MAILS_COUNTED}) counted on true
       group by lanes.lane`.execute(database)
    const byLane = (pick: (row: (typeof rows)[number]) => number) =>
      rows.map((row) => ({ value: pick(row), attributes: { 'paraph.lane': row.lane } }))
    return {
      'paraph.email.waiting': byLane(({ waiting }) => waiting),
      'paraph.email.waiting.age': byLane(({ ageSeconds }) => ageSeconds),
      'paraph.email.held': await readHeld(database, heldBefore),
    }
  }
