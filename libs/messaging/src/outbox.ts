// The outbox: an event is committed with the change that it reports, or not at all. [I7, D48, D51]
// Owns: the table and inserting rows. Does not own: publishing them (relay.ts).
import { randomUUID } from 'node:crypto'
import { EVENT_DATA, type EventData, type EventType, type Topic } from '@paraph/protocol/events'
import { recordCreation } from '@paraph/telemetry/trace-context'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'

/** Number of slots by which relays share the keys. Fixed: the table's generated column depends on it. */
export const OUTBOX_SLOTS = 16

/**
 * The table `outbox`, for one numbered migration of a service. Never changed: a change is a new function and a new migration.
 * A key's slot is fixed by md5, which no release of Postgres changes.
 */
export async function createOutboxTables(db: Kysely<unknown>): Promise<void> {
  await sql`create table outbox (
    id bigint generated always as identity primary key,
    slot smallint not null generated always as (get_byte(decode(md5(key), 'hex'), 0) % 16) stored,
    event_id uuid not null,
    topic text not null,
    type text not null,
    key text not null,
    sequence bigint not null,
    occurred_at timestamptz not null default clock_timestamp(),
    traceparent text,
    data jsonb not null,
    published_at timestamptz
  )`.execute(db)
  await sql`create index outbox_unpublished on outbox (slot, id) where published_at is null`.execute(db)
  // Every row is inserted, updated once and deleted once: without frequent vacuum the low end of the index fills with dead entries.
  await sql`alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`.execute(
    db,
  )
}

interface EventOf<T extends EventType> {
  topic: Topic
  type: T
  /** The aggregate's id; also the message key. The caller locks its row, so that the order of ids is the order of commits. */
  subject: string
  /** The aggregate's version after this event. */
  sequence: number
  /** The time of the event, if it is not now (an expiry is recorded late). Default: the database's clock. */
  time?: Date
  data: EventData<T>
}

/** One event for the outbox. Its data are checked against the schema of its type. */
export type OutboxEvent = { [T in EventType]: EventOf<T> }[EventType]

/**
 * Inserts events, in their order, in the caller's transaction. Call the relay's `wake()` after the commit; otherwise the relays find the
 * rows within five seconds. Never NOTIFY in this transaction: channel-listener.ts says why.
 * @throws ZodError when the data of any event do not fit the schema of its type, or have a field that the schema does not name
 */
export async function appendToOutbox<Tables>(trx: Transaction<Tables>, ...events: OutboxEvent[]): Promise<void> {
  if (events.length > 0) await outboxInsert(events).execute(trx)
}

/**
 * The insert of `appendToOutbox`, to be part of the statement that makes the change: one statement is a transaction too.
 * @throws ZodError like `appendToOutbox`
 */
export function outboxInsert(events: readonly OutboxEvent[]): RawBuilder<unknown> {
  const data = events.map((event) => JSON.stringify(EVENT_DATA[event.type].parse(event.data)))
  return sql`
    insert into outbox (event_id, topic, type, key, sequence, occurred_at, traceparent, data)
    select event_id, topic, type, key, sequence, coalesce(occurred_at, clock_timestamp()), traceparent, data::jsonb
      from unnest(${events.map(() => randomUUID())}::uuid[], ${events.map(({ topic }) => topic)}::text[],
                  ${events.map(({ type }) => type)}::text[], ${events.map(({ subject }) => subject)}::text[],
                  ${events.map(({ sequence }) => sequence)}::bigint[],
                  ${events.map(({ time }) => time?.toISOString() ?? null)}::timestamptz[], ${events.map(traceparentOf)}::text[], ${data}::text[])
           with ordinality as e(event_id, topic, type, key, sequence, occurred_at, traceparent, data, n)
     order by n`
}

/**
 * The insert of one event of which only the statement itself knows `sequence`, `at` (the time) and `data`: they are columns of `source`, a
 * common table expression with at most one row. No schema checks the data, so a test must.
 */
export const outboxInsertFrom = (event: Pick<OutboxEvent, 'topic' | 'type' | 'subject'>, source: RawBuilder<unknown>) =>
  sql`insert into outbox (event_id, topic, type, key, sequence, occurred_at, traceparent, data)
    select gen_random_uuid(), ${event.topic}, ${event.type}, ${event.subject}, sequence, at, ${traceparentOf(event)}, data
      from ${source}`

/** The traceparent of a creation span; the consumer of the event continues its trace. [D51] */
const traceparentOf = ({ topic, type, subject }: Pick<OutboxEvent, 'topic' | 'type' | 'subject'>): string | null =>
  recordCreation(`create ${type}`, {
    'messaging.operation.name': 'create',
    'messaging.destination.name': topic,
    'paraph.subject': subject,
  }) ?? null
