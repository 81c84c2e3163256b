// What is told of mails: how long they wait, and whether the relay takes any. What became of each is counted in delivery-worker.ts. [B.5, F6]
import type { Readings } from '@paraph/service/row-gauges'
import { observe } from '@paraph/telemetry/metrics'
import { sql, type Kysely } from 'kysely'
import type { NotificationDatabase } from './database.js'
import { isHeldSql, readHeld } from './held-mails.js'
import type { RelayCircuit } from './relay-circuit.js'

const MAILS_COUNTED = 100_000

/** @returns ends it */
export const observeRelay = ({ isOpen }: RelayCircuit): (() => void) =>
  observe('paraph.email.relay.up', () => Number(!isOpen()))

/**
 * What is due and not sent, by lane. The mails of an account on hold are due at no time; those that are held after a restore are counted apart. [D37]
 * @param heldBefore the setting that holds them (held-mails.ts)
 */
export const lookAtMails = (database: Kysely<NotificationDatabase>, heldBefore: Date | undefined) =>
  async function look(): Promise<Readings> {
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
    const of = (pick: (row: (typeof rows)[number]) => number) =>
      rows.map((row) => ({ value: pick(row), attributes: { 'paraph.lane': row.lane } }))
    return {
      'paraph.email.waiting': of(({ waiting }) => waiting),
      'paraph.email.waiting.age': of(({ ageSeconds }) => ageSeconds),
      'paraph.email.held': await readHeld(database, heldBefore),
    }
  }
