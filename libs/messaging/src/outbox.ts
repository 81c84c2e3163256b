// The outbox: an event commits with the change it reports, or not at all. [I7, D48, D51]
// Owns: the table and how a row gets in. Does not own: how rows leave (relay.ts).
import { randomUUID } from 'node:crypto'
import { EVENT_DATA, type EventData, type EventType, type Topic } from '@paraph/protocol/events'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import { sql, type Kysely, type Transaction } from 'kysely'

/** How many parts the relays share the keys by. Part of the table for ever. */
export const OUTBOX_SLOTS = 16

/** The payload of a NOTIFY on this channel is the subject of an event that has just committed. */
export const CHANGES_CHANNEL = 'paraph_changes'

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

interface OutboxEvent<T extends EventType> {
  topic: Topic
  type: T
  /** The aggregate's id; also the message key. Its row is locked by the caller, so that id order is commit order. */
  subject: string
  /** The aggregate's version after this event. */
  sequence: number
  /** When it happened, where that is not now (an expiry is told late). Default: the database's clock. */
  time?: Date
  data: EventData<T>
  /** True: at commit a NOTIFY of `CHANGES_CHANNEL` with the subject, for replicas that wait. State changes only, never on a POST. [D48] */
  notify?: boolean
}

/**
 * Adds one event to the caller's transaction. Call the relay's `wake()` after the commit, or it finds the row within 200 ms.
 * @throws ZodError when `data` does not fit the type's schema: nothing unreadable, and no field the schema does not name, is told
 */
export async function appendToOutbox<T extends EventType, Tables>(
  trx: Transaction<Tables>,
  { topic, type, subject, sequence, time, data, notify }: OutboxEvent<T>,
): Promise<void> {
  const checked = JSON.stringify(EVENT_DATA[type].parse(data))
  const insert = sql`insert into outbox (event_id, topic, type, key, sequence, occurred_at, traceparent, data)
    values (${randomUUID()}, ${topic}, ${type}, ${subject}, ${sequence}, coalesce(${time ?? null}::timestamptz, clock_timestamp()),
      ${currentTraceparent() ?? null}, ${checked}::jsonb)`
  if (notify) await sql`with appended as (${insert}) select pg_notify(${CHANGES_CHANNEL}, ${subject})`.execute(trx)
  else await insert.execute(trx)
}
