// Metrics of outbox, consumers and dead letters. [H9, H11]
// Owns: the readers for row-gauges.ts and the gauge of a consumer. Does not own: the counters (relay.ts, event-outcomes.ts).
import { elementAt } from '@paraph/protocol/element-at'
import { observe } from '@paraph/telemetry/metrics'
import type { Readings } from '@paraph/background/row-gauges'
import { sql, type QueryExecutorProvider } from 'kysely'
import type { Consumer } from './consumer.js'
import { OUTBOX_SLOTS } from './outbox.js'

/** Counting stops here: an exact count of a large backlog would add to the load that it reports. */
const EVENTS_COUNTED = 100_000
const DEAD_LETTERS_COUNTED = 1_000

/** Reads the unpublished events of an outbox: their number, and the age of the oldest from one index lookup per slot. */
export const collectOutboxGauges = (database: QueryExecutorProvider) =>
  async function read(): Promise<Readings> {
    const { rows } = await sql<{ unpublished: number; ageSeconds: number }>`
      select (select count(*)::int from (select 1 from outbox where published_at is null limit ${EVENTS_COUNTED}) counted) as unpublished,
             coalesce(extract(epoch from clock_timestamp() - min(oldest.occurred_at)), 0)::float8 as "ageSeconds"
        from generate_series(0, ${OUTBOX_SLOTS}::int - 1) as slots(slot)
       cross join lateral (select occurred_at from outbox
                            where slot = slots.slot and published_at is null order by id limit 1) oldest`.execute(
      database,
    )
    const { unpublished, ageSeconds } = elementAt(rows, 0)
    return { 'paraph.outbox.unpublished': unpublished, 'paraph.outbox.unpublished.age': Math.max(0, ageSeconds) }
  }

/** Reads the dead letters of a service with one consumer, and the backlog of its whole group if the bus answers. */
export const collectConsumerGauges = (database: QueryExecutorProvider, { name, backlog }: Consumer) =>
  async function read(): Promise<Readings> {
    const group = { 'messaging.consumer.group.name': name }
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from (select 1 from dead_letter
        where redriven_at is null limit ${DEAD_LETTERS_COUNTED}) counted`.execute(database)
    const lag = new Map<string, number>()
    const partitions = await backlog()
    for (const { topic, waiting } of partitions ?? []) lag.set(topic, (lag.get(topic) ?? 0) + waiting)
    return {
      'paraph.dead_letters': [{ value: elementAt(rows, 0).count, attributes: group }],
      ...(partitions && {
        'paraph.consumer.lag': [...lag].map(([topic, value]) => ({
          value,
          attributes: { ...group, 'messaging.destination.name': topic },
        })),
      }),
    }
  }

/** Observes how long the worst partition of this process has had work without progress. @returns a function that ends the observation */
export const observeConsumer = ({ name, progress }: Consumer): (() => void) =>
  observe('paraph.consumer.stalled', () => {
    const behind = progress().filter((partition) => partition.behind)
    const worstMs = Math.max(0, ...behind.map(({ unmovedMs }) => unmovedMs))
    return [{ value: worstMs / 1_000, attributes: { 'messaging.consumer.group.name': name } }]
  })
