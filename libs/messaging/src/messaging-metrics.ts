// What is told of outbox, consumers and dead letters. [B.5, H9, H11]
// Owns: the looks at rows (row-gauges.ts) and the gauges of a consumer. Counters stand where they are counted (relay.ts, consumer.ts).
import { observe } from '@paraph/telemetry/metrics'
import type { Readings } from '@paraph/service/row-gauges'
import { sql, type Kysely } from 'kysely'
import type { Consumer } from './consumer.js'
import { OUTBOX_SLOTS } from './outbox.js'

/** Enough to know that it is many; a count of more would cost what it is to warn of. */
const EVENTS_COUNTED = 100_000
const LETTERS_COUNTED = 1_000

/** Of a service's outbox. The oldest is of its slot the first: sixteen short looks into the index, however many wait. */
export const lookAtOutbox = <Tables>(database: Kysely<Tables>) =>
  async function look(): Promise<Readings> {
    const { rows } = await sql<{ unpublished: number; ageSeconds: number }>`
      select (select count(*)::int from (select 1 from outbox where published_at is null limit ${EVENTS_COUNTED}) counted) as unpublished,
             coalesce(extract(epoch from clock_timestamp() - min(oldest.occurred_at)), 0)::float8 as "ageSeconds"
        from generate_series(0, ${OUTBOX_SLOTS}::int - 1) as slots(slot)
       cross join lateral (select occurred_at from outbox
                            where slot = slots.slot and published_at is null order by id limit 1) oldest`.execute(
      database,
    )
    const { unpublished, ageSeconds } = rows[0]!
    return { 'paraph.outbox.unpublished': unpublished, 'paraph.outbox.unpublished.age': Math.max(0, ageSeconds) }
  }

/** Of one consumer: what became dead letters, and what the bus says waits for the whole group. */
export const lookAtConsumer = <Tables>(database: Kysely<Tables>, { name, backlog }: Consumer) =>
  async function look(): Promise<Readings> {
    const group = { 'messaging.consumer.group.name': name }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (select 1 from dead_letter
        where consumer = ${name} and redriven_at is null limit ${LETTERS_COUNTED}) counted`.execute(database)
    const waiting = new Map<string, number>()
    const partitions = await backlog()
    for (const { topic, waiting: more } of partitions ?? []) waiting.set(topic, (waiting.get(topic) ?? 0) + more)
    return {
      'paraph.dead_letters': [{ value: rows[0]!.count, attributes: group }],
      ...(partitions && {
        'paraph.consumer.lag': [...waiting].map(([topic, value]) => ({
          value,
          attributes: { ...group, 'messaging.destination.name': topic },
        })),
      }),
    }
  }

/** How long the worst partition of this process has stood still with something to do. @returns ends it */
export const observeConsumer = ({ name, progress }: Consumer): (() => void) =>
  observe('paraph.consumer.stalled', () => {
    const behind = progress().filter((partition) => partition.behind)
    const worstMs = Math.max(0, ...behind.map(({ unmovedMs }) => unmovedMs))
    return [{ value: worstMs / 1_000, attributes: { 'messaging.consumer.group.name': name } }]
  })
