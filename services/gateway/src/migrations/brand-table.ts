import { sql, type Kysely } from 'kysely'

/** What an owner asked for, and what the operator approved: at most one row each. [D59] */
export async function createBrandTable(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_brand (
      id bigint generated always as identity primary key,
      account_id text not null references account (id),
      state text not null check (state in ('asked', 'approved')),
      accent text,
      -- Type, hash and size of the picture in bytes.
      logo jsonb,
      bytes bytea,
      -- Why the operator refused what was asked.
      reason text,
      sent_at timestamptz(3) not null default clock_timestamp(),
      constraint account_brand_one unique (account_id, state),
      constraint account_brand_something check (accent is not null or logo is not null),
      constraint account_brand_picture check ((logo is null) = (bytes is null))
    )`.execute(database)
  await sql`create index account_brand_waiting on account_brand (sent_at) where state = 'asked' and reason is null`.execute(
    database,
  )
}
