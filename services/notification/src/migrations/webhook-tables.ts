import { sql, type Kysely } from 'kysely'

/** The endpoints of accounts and the messages to them. No personal data of parties: a message has ids, a status and counts. [D65] */
export async function createWebhookTables(database: Kysely<unknown>): Promise<void> {
  // `sealed`: the signing keys, under AES-256-GCM by CODE_KEYS. After a rotation the keys before it sign too, until `previous_until`.
  // `failing_since`: the first failure after the last success. `is_reported`: the owners got a mail that the endpoint is disabled.
  await sql`
    create table webhook_endpoint (
      id text primary key,
      account_id text not null,
      environment text not null check (environment in ('production', 'sandbox')),
      url text not null,
      public_key text not null,
      sealed bytea not null,
      sealed_key_id text not null,
      previous_sealed bytea,
      previous_sealed_key_id text,
      previous_until timestamptz,
      failing_since timestamptz,
      disabled_at timestamptz,
      is_reported boolean not null default false,
      created_at timestamptz not null default clock_timestamp()
    )`.execute(database)
  await sql`create index webhook_endpoint_of_account on webhook_endpoint (account_id, environment)`.execute(database)
  // `id`: the header webhook-id. `body`: written at the first attempt, and the same on every later one. `event_id`: its cause; null for a test.
  await sql`
    create table webhook_message (
      id text primary key,
      endpoint_id text not null references webhook_endpoint on delete cascade,
      sequence bigint generated always as identity,
      contract_id text,
      event_id text,
      type text not null,
      happened_at timestamptz not null,
      body text,
      state text not null default 'due' check (state in ('due', 'delivered', 'given_up')),
      due_at timestamptz not null default clock_timestamp(),
      claimed_until timestamptz,
      attempts integer not null default 0,
      status integer,
      failure text,
      answer text,
      created_at timestamptz not null default clock_timestamp(),
      finished_at timestamptz,
      constraint webhook_message_once unique (endpoint_id, event_id)
    )`.execute(database)
  await sql`create index webhook_message_due on webhook_message (endpoint_id, due_at) where state = 'due'`.execute(
    database,
  )
  await sql`create index webhook_message_of_endpoint on webhook_message (endpoint_id, sequence)`.execute(database)
  await sql`create index webhook_message_age on webhook_message (finished_at) where finished_at is not null`.execute(
    database,
  )
}
