import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createCodeTables } from '@paraph/codes/code-tables'
import { createBrandTable } from './brand-table.js'
import { createPasskeyTables } from './passkey-tables.js'

/** Owners and their sessions, applications, the audit log, mails to owners. [D16, D24, D38] */
export const consoleTables: Migration = {
  async up(database: Kysely<unknown>) {
    await createCodeTables(database)
    const statements = [
      sql`alter table mailbox_session
        add column user_agent text,
        add column last_seen_at timestamptz(3),
        -- The client's address, cut to /24 or /48.
        add column network text,
        add column account_id text references account (id),
        -- The newest proof of the person in this session: the sign-in, or a later one before a grave act. [D73]
        add column proven_at timestamptz(3) not null default clock_timestamp(),
        -- The proof of a second factor in this session; an issuer's sign-in counts as one. [D73]
        add column second_factor_at timestamptz(3),
        -- The issuer that opened the session; null: a code did. [D73]
        add column issuer text check (issuer in ('owners', 'operators'))`,
      sql`create index mailbox_session_mailbox on mailbox_session (mailbox) where ended_at is null`,
      // What an OpenID Connect provider gave for a session, sealed, and when it last allowed the session. `leased_until`: one request asks
      // the provider meanwhile. `failed_at`: it was unavailable. [D73]
      sql`create table issuer_session (
        session_id uuid primary key references mailbox_session (id) on delete cascade,
        key_id text not null,
        tokens bytea not null,
        checked_at timestamptz(3) not null default clock_timestamp(),
        leased_until timestamptz(3),
        failed_at timestamptz(3)
      )`,
      // Codes to mailboxes that never proved themselves here, for their budget. [P29]
      sql`create index code_send_newcomers on code_send (created_at) where recipient = 'newcomer'`,
      // The browsers in which a mailbox has signed in. The hash covers the mailbox too, so that rows do not show a shared browser. [P31]
      sql`create table known_browser (
        mailbox text not null,
        browser_sha256 bytea not null,
        last_used_at timestamptz(3) not null default clock_timestamp(),
        primary key (mailbox, browser_sha256)
      )`,
      sql`create index known_browser_age on known_browser (last_used_at)`,
      sql`create table account_owner (
        account_id text not null references account (id),
        mailbox text not null,
        address text not null,
        role text not null default 'owner' check (role in ('owner', 'developer', 'viewer')),
        invited_by text,
        invited_at timestamptz(3) not null default clock_timestamp(),
        confirmed_at timestamptz(3),
        primary key (account_id, mailbox)
      )`,
      sql`create index account_owner_mailbox on account_owner (mailbox)`,
      sql`create table application (
        id text primary key,
        account_id text not null references account (id),
        mailbox text not null,
        company text not null,
        website text not null,
        purpose text not null,
        contract_types text[] not null,
        other_parties text not null,
        volume text not null,
        state text not null default 'pending' check (state in ('pending', 'approved', 'refused', 'withdrawn')),
        -- Grows with each change by the applicant, so that an operator decides only on the text that was read.
        revision integer not null default 1,
        reason text,
        sent_at timestamptz(3) not null default clock_timestamp(),
        decided_at timestamptz(3),
        decided_by text,
        constraint application_decided check ((state in ('approved', 'refused')) = (decided_at is not null)),
        constraint application_refused_with_reason check (state <> 'refused' or reason is not null)
      )`,
      sql`create unique index application_one_pending on application (account_id) where state = 'pending'`,
      sql`create index application_of_account on application (account_id, sent_at)`,
      sql`create index application_queue on application (sent_at) where state = 'pending'`,
      sql`create index application_of_mailbox on application (mailbox) where state = 'refused'`,
      sql`create table audit_entry (
        id bigint generated always as identity primary key,
        at timestamptz(3) not null default clock_timestamp(),
        actor text not null check (actor in ('owner', 'developer', 'viewer', 'operator', 'command_line', 'service')),
        mailbox text,
        account_id text,
        act text not null,
        subject text,
        facts jsonb not null default '{}',
        -- The name that a person on the command line states.
        actor_name text,
        constraint audit_entry_name check (actor_name is null or actor = 'command_line'),
        constraint audit_entry_who check ((actor in ('command_line', 'service')) = (mailbox is null))
      )`,
      sql`create index audit_entry_of_account on audit_entry (account_id, id)`,
      // For the filters of operators.
      sql`create index audit_entry_of_act on audit_entry (act, id)`,
      sql`create index audit_entry_of_mailbox on audit_entry (mailbox, id) where mailbox is not null`,
      sql`create index audit_entry_age on audit_entry (at)`,
      sql`create index audit_entry_invitation on audit_entry (account_id, at) where act = 'owner.invited'`,
      sql`create unique index audit_entry_read_once on audit_entry
        (coalesce(mailbox, ''), coalesce(actor_name, ''), subject, date_trunc('hour', at at time zone 'UTC')) where act = 'operator.read'`,
      // For the acts that a GET or a repeated round must not record again.
      sql`create index audit_entry_once on audit_entry (account_id, act, subject, at)
        where act in ('account.exported', 'contracts.exported', 'evidence.downloaded', 'contract.erased')`,
      sql`revoke update, delete on audit_entry from gateway_runtime`,
      // Also applies to the owner of the table.
      sql`create function refuse_audit_change() returns trigger language plpgsql as $$
        begin
          raise exception 'the audit log is append-only: % is refused', tg_op;
        end $$`,
      sql`create trigger audit_entry_kept before update or delete or truncate on audit_entry
        for each statement execute function refuse_audit_change()`,
      // Covers what the line of the chain does not hold in clear, so that the verifier's role need not read personal data.
      sql`create function audit_digest(entry audit_entry) returns text language sql stable as $$
        select encode(sha256(convert_to(jsonb_build_object(
          'mailbox', entry.mailbox, 'name', entry.actor_name, 'facts', entry.facts)::text, 'UTF8')), 'hex')
        $$`,
      sql`create table audit_chain (
        sequence bigint primary key check (sequence > 0),
        entry_id bigint not null constraint audit_chain_entry_unique unique references audit_entry (id),
        previous text not null check (previous ~ '^[0-9a-f]{64}$'),
        hash text not null check (hash ~ '^[0-9a-f]{64}$')
      )`,
      sql`revoke update, delete on audit_chain from gateway_runtime`,
      sql`create trigger audit_chain_kept before update or delete or truncate on audit_chain
        for each statement execute function refuse_audit_change()`,
      sql`create table owner_mail (
        id uuid primary key,
        account_id text references account (id),
        kind text not null,
        address text,
        data jsonb,
        created_at timestamptz(3) not null default clock_timestamp(),
        leased_until timestamptz(3),
        finished_at timestamptz(3),
        traceparent text,
        cause text,
        constraint owner_mail_wiped check
          ((finished_at is null) = (address is not null) and (address is null) = (data is null))
      )`,
      sql`create index owner_mail_waiting on owner_mail (created_at) where finished_at is null`,
      sql`create index owner_mail_of_cause on owner_mail (account_id, cause) where cause is not null`,
      sql`create index owner_mail_age on owner_mail (finished_at) where finished_at is not null`,
    ]
    for (const statement of statements) await statement.execute(database)
    await createBrandTable(database)
    await createPasskeyTables(database)
  },
}
