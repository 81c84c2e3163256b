// The inbox and the dead letters of a service that consumes. [D49, I9, F9, F11]
// Owns: both tables and the statements on them. Does not own: when a message is dead (consumer.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ReceivedMessage } from './event-bus.js'

const PRUNE_ROWS = 1_000

/** The tables `inbox` and `dead_letter`, for one numbered migration of a service. Never changed. */
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
    dead_at timestamptz not null default now(),
    redriven_at timestamptz,
    unique (consumer, topic, partition, message_offset)
  )`.execute(db)
}

/**
 * Notes in the handler's own transaction that the event was handled.
 * @returns false for an event that this consumer has handled before. Waits while another transaction handles it right now.
 */
export async function enterInbox<Tables>(
  trx: Transaction<Tables>,
  consumer: string,
  eventId: string,
): Promise<boolean> {
  const { rows } = await sql`insert into inbox (consumer, event_id) values (${consumer}, ${eventId})
    on conflict do nothing returning 1`.execute(trx)
  return rows.length === 1
}

/** Keeps a message that could not be handled, once, however often it comes again. `reason` holds no personal data. */
export async function keepDeadLetter<Tables>(
  database: Kysely<Tables>,
  consumer: string,
  message: ReceivedMessage,
  reason: string,
  attempts: number,
): Promise<void> {
  await sql`insert into dead_letter (consumer, topic, partition, message_offset, key, headers, value, reason, attempts)
    values (${consumer}, ${message.topic}, ${message.partition}, ${message.offset}::bigint, ${message.key},
      ${JSON.stringify(message.headers)}::jsonb, ${message.value}, ${reason}, ${attempts})
    on conflict (consumer, topic, partition, message_offset) do nothing`.execute(database)
}

/** A dead letter that was not redriven yet, locked for the caller's transaction; undefined when there is none of that id. */
export async function takeDeadLetter<Tables>(
  trx: Transaction<Tables>,
  consumer: string,
  id: number,
): Promise<ReceivedMessage | undefined> {
  const { rows } = await sql<{
    topic: string
    partition: number
    message_offset: string | number
    key: string
    headers: Record<string, string>
    value: string | null
    dead_at: Date
  }>`update dead_letter set redriven_at = now() where id = ${id} and consumer = ${consumer} and redriven_at is null
    returning topic, partition, message_offset, key, headers, value, dead_at`.execute(trx)
  const row = rows[0]
  if (!row) return undefined
  const { topic, partition, key, headers, value } = row
  return { topic, partition, offset: String(row.message_offset), key, headers, value, publishedAt: row.dead_at }
}

/**
 * Deletes inbox rows older than `retentionDays` in small batches, until none is left or `signal` aborts. The retention must exceed
 * the bus's own: an event that can still be replayed must still be known.
 */
export async function pruneInbox<Tables>(
  database: Kysely<Tables>,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  let pruned: bigint | undefined
  do {
    const { numAffectedRows } = await sql`delete from inbox where (consumer, event_id) in (
      select consumer, event_id from inbox where received_at < now() - make_interval(days => ${retentionDays})
      order by received_at limit ${PRUNE_ROWS}
    )`.execute(database)
    pruned = numAffectedRows
  } while (pruned === BigInt(PRUNE_ROWS) && !signal.aborted)
}
