import { sql, type Kysely } from 'kysely'

/** The second factors of owners and operators. [D73] */
export async function createPasskeyTables(database: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create table passkey (
      credential_id text primary key check (length(credential_id) <= 1400),
      mailbox text not null,
      public_key bytea not null,
      -- The authenticator's count of signatures. One that does not grow is a copy; many authenticators always send 0.
      counter bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      last_used_at timestamptz(3)
    )`,
    sql`create index passkey_of_mailbox on passkey (mailbox)`,
    sql`create table recovery_code (
      mailbox text not null,
      code_hmac bytea not null,
      -- The id of its key: a code whose key has left CODE_PEPPERS works no longer.
      pepper_id text not null,
      used_at timestamptz(3),
      primary key (mailbox, code_hmac)
    )`,
    // The newest challenge of a session to its authenticator. One request for a page replaces it, and one answer uses it up.
    sql`alter table mailbox_session
      add column passkey_challenge text,
      add column passkey_challenge_until timestamptz(3)`,
  ]
  for (const statement of statements) await statement.execute(database)
}
