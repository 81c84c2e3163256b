// The tables of challenges, one-time codes and sessions, in the database of each service that uses them. [D16, D33, D42]
// Owns their DDL and their types. `scope`: a contract, or a mailbox at the console; a code proves a mailbox within one scope.
import { sql, type Generated, type Kysely } from 'kysely'

interface RowOfScope {
  id: string
  scope: string
  mailbox: string
  created_at: Generated<Date>
}

export interface MailboxSessionTable extends RowOfScope {
  token_sha256: Buffer
  expires_at: Date
  ended_at: Date | null
}

/** The columns that other packages query with these types; the queries of this library are SQL. */
export interface CodeTables {
  challenge: RowOfScope
  one_time_code: RowOfScope
  code_send: RowOfScope & {
    recipient: string | null
    code_sealed: Buffer | null
    code_key_id: string
    finished_at: Date | null
    outcome: 'pushed' | 'lapsed' | 'stranger' | null
  }
  mailbox_guard: Omit<RowOfScope, 'id'> & { wrong_in_row: number; code_digits: number }
  mailbox_session: MailboxSessionTable
}

/** Tables whose rows belong to a scope; erasing the scope deletes all of them. */
export const TABLES_OF_SCOPE = ['challenge', 'one_time_code', 'code_send', 'mailbox_guard', 'mailbox_session'] as const

/** Creates all the tables, for one numbered migration of a service. Never changed after a release. */
export async function createCodeTables(database: Kysely<unknown>): Promise<void> {
  const statements = [
    // Each typed address creates a challenge, also for a stranger. [D16] `typed`: the address as typed, to be shown again. `client_hmac`,
    // `client_hmac_56`, `client_hmac_48`: HMACs of the blocks of the client's address, for the counts per hour; the wider two of IPv6 alone. `send_refusal`: why no code was sent; null if a code was sent. `is_resend`:
    // created by "Send a new code". `passed_at`, `passed_code_id`, `session_id`: time and id of the correct code, and its session.
    // `browser_sha256`: of the cookie of the browser that requested the code; null without a cookie. [P30]
    sql`create table challenge (
      id text primary key,
      scope text not null,
      mailbox text not null,
      typed text not null,
      client_hmac bytea not null,
      client_hmac_56 bytea,
      client_hmac_48 bytea,
      tries_left smallint not null default 5 check (tries_left between 0 and 5),
      send_refusal text check (send_refusal in ('too_soon', 'used_up')),
      try_again_at timestamptz(3),
      is_resend boolean not null,
      passed_at timestamptz(3),
      passed_code_id uuid,
      session_id uuid,
      browser_sha256 bytea,
      created_at timestamptz(3) not null default clock_timestamp()
    )`,
    sql`create index challenge_client on challenge (client_hmac, created_at)`,
    sql`create index challenge_client_56 on challenge (client_hmac_56, created_at) where client_hmac_56 is not null`,
    sql`create index challenge_client_48 on challenge (client_hmac_48, created_at) where client_hmac_48 is not null`,
    sql`create index challenge_age on challenge (created_at)`,
    // A code belongs to scope + mailbox. A contract's works for any live challenge of that mailbox, the console's for `challenge_id`
    // alone. [D16, P30]
    sql`create table one_time_code (
      id uuid primary key,
      scope text not null,
      mailbox text not null,
      code_hmac bytea not null,
      pepper_id text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      expires_at timestamptz(3) not null,
      ended_at timestamptz(3),
      ended_by text,
      challenge_id text
    )`,
    sql`create index one_time_code_age on one_time_code (expires_at)`,
    sql`create index one_time_code_mailbox on one_time_code (scope, mailbox, expires_at)`,
    // The push queue to the notification service. The code is wiped when it is accepted or expired. [D42] `id`: of the code. `recipient`:
    // null for a stranger, whose row only makes the costs equal. `traceparent`: of the request that created the code. [D51]
    // `is_known_browser`: requested from a browser in which the mailbox was proven before; such requests are counted apart. [P30]
    sql`create table code_send (
      id uuid primary key,
      scope text not null,
      mailbox text not null,
      recipient text,
      code_sealed bytea,
      code_key_id text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      expires_at timestamptz(3) not null,
      leased_until timestamptz(3),
      finished_at timestamptz(3),
      outcome text,
      traceparent text,
      is_known_browser boolean not null default false,
      check (finished_at is null or code_sealed is null)
    )`,
    sql`create index code_send_waiting on code_send (created_at) where finished_at is null`,
    sql`create index code_send_age on code_send (created_at) where finished_at is not null`,
    sql`create index code_send_to_address on code_send (scope, mailbox, created_at)`,
    // Wrong codes for scope + typed address, also the address of a stranger: in a row, or on the UTC day `counted_on`. `code_digits`: 12
    // after too many, until a right code or the end of that day. [D16, P30]
    sql`create table mailbox_guard (
      scope text not null,
      mailbox text not null,
      wrong_in_row integer not null default 0,
      code_digits smallint not null default 6 check (code_digits in (6, 12)),
      counted_on date,
      created_at timestamptz(3) not null default clock_timestamp(),
      primary key (scope, mailbox)
    )`,
    sql`create index mailbox_guard_age on mailbox_guard (created_at)`,
    // The session that a correct code opens.
    sql`create table mailbox_session (
      id uuid primary key,
      token_sha256 bytea not null unique,
      scope text not null,
      mailbox text not null,
      created_at timestamptz(3) not null default clock_timestamp(),
      expires_at timestamptz(3) not null,
      ended_at timestamptz(3)
    )`,
    sql`create index mailbox_session_age on mailbox_session (expires_at)`,
  ]
  for (const statement of statements) await statement.execute(database)
}
