// The inbox and the dead letters of a service that consumes events. [D49, I9, F9, F11]
// Owns: both tables and their statements. Does not own: when a message becomes a dead letter (handle-events.ts), retention (retention.ts).
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import type { ReceivedMessage } from './event-bus.js'

/** 1 January of the year 10,000. */
const FAR_FUTURE_MS = 253_402_300_800_000

/** The tables `inbox` and `dead_letter`, for one numbered migration of a service. Do not change this function. */
export async function createInboxTables(db: Kysely<unknown>): Promise<void> {
  await sql`create table inbox (
    consumer text not null,
    event_id text not null,
    received_at timestamptz not null default now(),
    primary key (consumer, event_id)
  )`.execute(db)
  await sql`create index inbox_age on inbox (received_at)`.execute(db)
  await sql`create table dead_letter (
    id bigint generated always as identity primary key,
    consumer text not null,
    topic text not null,
    partition integer not null,
    message_offset bigint not null,
    key text not null,
    headers jsonb not null,
    value text,
    reason text not null,
    attempts integer not null,
    published_at timestamptz not null,
    dead_at timestamptz not null default now(),
    redriven_at timestamptz,
    unique (consumer, topic, partition, message_offset, published_at)
  )`.execute(db)
  await sql`create index dead_letter_age on dead_letter (redriven_at) where redriven_at is not null`.execute(db)
}

/**
 * Records in the handler's transaction that these events are handled. Waits while another transaction handles one of them.
 * @returns the ids that this consumer has not handled before
 */
export async function enterInbox<Tables>(
  trx: Transaction<Tables>,
  consumer: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ event_id: string }>`insert into inbox (consumer, event_id)
    select ${consumer}, unnest(${eventIds}::text[]) on conflict do nothing returning event_id`.execute(trx)
  return new Set(rows.map((row) => row.event_id))
}

/**
 * Stores a message that could not be handled, once, however often it is delivered. `reason` must not contain personal data. Replaces a
 * value that its column does not accept by the nearest accepted value: a topic may contain anything, and a message that cannot be stored
 * would block its partition.
 */
export async function storeDeadLetter(
  database: QueryExecutorProvider,
  consumer: string,
  message: ReceivedMessage,
  reason: string,
  attempts: number,
): Promise<void> {
  const { topic, partition, offset, key, headers, value, publishedAt } = message
  const named = Object.entries(headers).map(([name, text]) => [visible(name), visible(text)])
  await sql`insert into dead_letter (consumer, topic, partition, message_offset, published_at, key, headers, value, reason, attempts)
    values (${consumer}, ${topic}, ${partition}, ${offset}::bigint, ${storable(publishedAt)}, ${visible(key)},
      ${JSON.stringify(Object.fromEntries(named))}::jsonb, ${value === null ? null : visible(value)}, ${visible(reason)}, ${attempts})
    on conflict (consumer, topic, partition, message_offset, published_at) do nothing`.execute(database)
}

/** Replaces NUL by its visible symbol, because neither text nor jsonb accepts NUL. */
const visible = (text: string): string => text.replaceAll('\0', '\u2400')

/** A producer may set any number as the time of a message. */
const storable = (at: Date): Date => (at.getTime() >= 0 && at.getTime() < FAR_FUTURE_MS ? at : new Date(0))

/** Marks a dead letter as redriven, within the caller's transaction. @returns undefined if there is none or it was redriven before */
export async function takeDeadLetter<Tables>(
  trx: Transaction<Tables>,
  consumer: string,
  id: number,
): Promise<ReceivedMessage | undefined> {
  const { rows } = await sql<ReceivedMessage>`
    update dead_letter set redriven_at = now() where id = ${id} and consumer = ${consumer} and redriven_at is null
    returning topic, partition, message_offset::text as offset, key, headers, value, published_at as "publishedAt"`.execute(
    trx,
  )
  return rows[0]
}
