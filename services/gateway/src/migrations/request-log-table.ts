import { sql, type Kysely } from 'kysely'

/** The request log. The id grows with `at`, and orders the pages of the console. [D62] */
export async function createRequestLogTable(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table request_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      account_id text not null,
      environment text not null check (environment in ('production', 'sandbox')),
      key_id text not null,
      method text not null,
      -- The template, never the path of a call.
      route text not null,
      status smallint not null,
      -- Null for a call that was answered without an error.
      code text,
      duration_ms integer not null,
      -- Unique, so that a batch with an unknown outcome may be written again.
      request_id uuid not null constraint request_log_request_unique unique
    )`.execute(database)
  await sql`create index request_log_of_account on request_log (account_id, environment, id)`.execute(database)
}
