import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createCodeTables } from '@paraph/codes/code-tables'
import { createBrandTable } from '@paraph/messaging/account-brand'
import { createSuspendedAccountTable } from '@paraph/messaging/account-suspension'
import { createInboxTables } from '@paraph/messaging/inbox'

/** Challenges, codes, sessions, attempts, the evidence chain, inbox. [D16, D30, D33, D41, D42] */
export const ceremonyTables: Migration = {
  async up(database: Kysely<unknown>) {
    const statements = [
      sql`create table text_shown (
        session_id uuid not null references mailbox_session (id) on delete cascade,
        party_index integer not null,
        primary key (session_id, party_index)
      )`,
      // No foreign key to the session: an expired session is deleted, and its attempts stay.
      sql`create table sign_attempt (
        id uuid primary key,
        contract_id text not null,
        party_index integer not null,
        session_id uuid not null,
        state text not null check (state in ('submitted', 'accepted', 'refused')),
        typed_name text not null,
        submitted_at timestamptz(3) not null,
        asked_at timestamptz(3),
        finished_at timestamptz(3),
        signed_at timestamptz(3),
        check ((state = 'accepted') = (signed_at is not null))
      )`,
      // One live attempt per session and party: Back, reload, two tabs and a double click use the same one. [D41]
      sql`create unique index sign_attempt_live on sign_attempt (session_id, party_index) where state <> 'refused'`,
      sql`create index sign_attempt_session on sign_attempt (session_id, party_index)`,
      sql`create index sign_attempt_unfinished on sign_attempt (asked_at nulls first) where state = 'submitted'`,
      sql`create index sign_attempt_age on sign_attempt (finished_at) where finished_at is not null`,
      sql`create index sign_attempt_party on sign_attempt (contract_id, party_index)`,
      sql`create table evidence_chain (
        contract_id text primary key,
        seq integer not null,
        hash text not null,
        newest_at timestamptz(3),
        closed_at timestamptz(3)
      )`,
      sql`create table evidence_entry (
        contract_id text not null references evidence_chain (contract_id),
        seq integer not null,
        type text not null,
        line text not null,
        primary key (contract_id, seq)
      )`,
      sql`create table evidence_opening (
        contract_id text not null,
        seq integer not null,
        path text not null,
        salt text not null,
        value text not null,
        primary key (contract_id, seq, path),
        foreign key (contract_id, seq) references evidence_entry (contract_id, seq)
      )`,
      sql`create table evidence_task (
        id bigint generated always as identity primary key,
        contract_id text not null,
        type text not null,
        data jsonb not null,
        attempts integer not null default 0,
        created_at timestamptz(3) not null default clock_timestamp(),
        run_after timestamptz not null default clock_timestamp(),
        done_at timestamptz(3),
        traceparent text,
        failures integer not null default 0,
        parked_at timestamptz(3)
      )`,
      sql`create index evidence_task_waiting on evidence_task ((type = 'contract.created'), id) where done_at is null and parked_at is null`,
      sql`create index evidence_task_age on evidence_task (done_at) where done_at is not null`,
      sql`create index evidence_task_of_contract on evidence_task (contract_id, id) where done_at is null`,
      // Declines that are not in the chain yet; the entry takes over the personal values. [D57]
      sql`create table decline (
        id uuid primary key,
        contract_id text not null,
        party_index smallint not null,
        session_id uuid not null,
        reason text not null check (reason in ('disagree', 'wrong_person', 'other')),
        note text not null,
        client_address text not null,
        user_agent text not null,
        created_at timestamptz(3) not null default clock_timestamp()
      )`,
      sql`create index decline_age on decline (created_at)`,
      sql`create index decline_contract on decline (contract_id)`,
      // Parties of sandbox contracts that sign by themselves. [D63]
      sql`create table simulated_party (
        id bigint generated always as identity primary key,
        contract_id text not null,
        party_index smallint not null,
        act text not null default 'sign' check (act in ('sign', 'decline')),
        due_at timestamptz not null,
        leased_until timestamptz(3),
        finished_at timestamptz(3),
        traceparent text,
        created_at timestamptz(3) not null default clock_timestamp(),
        constraint simulated_party_once unique (contract_id, party_index)
      )`,
      sql`create index simulated_party_due on simulated_party (due_at) where finished_at is null`,
      sql`create index simulated_party_age on simulated_party (created_at)`,
      sql`create table report (
        id uuid primary key,
        contract_id text not null,
        reason text not null,
        message text not null,
        client_hmac bytea,
        created_at timestamptz(3) not null default clock_timestamp(),
        -- Of the contract, so that an operator sees the reports about one account.
        account_id text not null,
        handled_at timestamptz(3),
        handled_by text,
        note text,
        constraint report_handled check ((handled_at is null) = (handled_by is null) and (handled_at is null) = (note is null))
      )`,
      sql`create index report_open on report (created_at) where handled_at is null`,
      sql`create index report_account on report (account_id, created_at)`,
      sql`create index report_client_left on report (created_at) where client_hmac is not null`,
      sql`create index report_client on report (client_hmac, created_at)`,
      sql`create index report_contract on report (contract_id, created_at)`,
      sql`create index report_newest on report (created_at)`,
      // The pictures to which account_brand refers. They are compressed already. [D59]
      sql`create table brand_logo (
        sha256 text primary key,
        type text not null,
        bytes bytea not null
      )`,
      sql`alter table brand_logo alter column bytes set storage external`,
      // Appends under the chain's lock, so that no round trip extends the time of the lock. Returns the last `seq`; null, with nothing
      // appended, when the chain is closed or was never opened. `data`: the canonical JSON of each entry. The keys are in the order of
      // RFC 8785. `places`: the entry, from 1, to which each disclosure belongs. Times never decrease, even when the clock is set back.
      sql`create function append_to_chain(of_contract text, types text[], data text[], closes boolean,
                                          places integer[], paths text[], salts text[], opened text[])
        returns integer language plpgsql as $$
        declare
          chain evidence_chain;
          line text;
          first_seq integer;
        begin
          select * into chain from evidence_chain where contract_id = of_contract for update;
          if not found or chain.closed_at is not null then
            return null;
          end if;
          chain.newest_at := greatest(chain.newest_at, date_trunc('milliseconds', clock_timestamp()));
          first_seq := chain.seq;
          for place in 1 .. cardinality(types) loop
            chain.seq := first_seq + place;
            line := format('{"at":"%s","data":%s,"prev":"%s","seq":%s,"type":"%s"}',
              to_char(chain.newest_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              data[place], chain.hash, chain.seq, types[place]);
            chain.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
            insert into evidence_entry (contract_id, seq, type, line) values (of_contract, chain.seq, types[place], line);
          end loop;
          insert into evidence_opening (contract_id, seq, path, salt, value)
            select of_contract, first_seq + place, path, salt, value
              from unnest(places, paths, salts, opened) as opening (place, path, salt, value);
          update evidence_chain set seq = chain.seq, hash = chain.hash, newest_at = chain.newest_at,
                                    closed_at = case when closes then chain.newest_at end
           where contract_id = of_contract;
          return chain.seq;
        end $$`,
      sql`revoke update, delete on evidence_entry from signing_runtime`,
      sql`revoke update on evidence_opening from signing_runtime`,
      sql`revoke delete on evidence_chain from signing_runtime`,
      // The triggers apply to the owner role too: an entry is immutable, and a chain only grows until it is closed.
      sql`create function refuse_evidence_change() returns trigger language plpgsql as $$
        begin
          raise exception 'evidence is append-only: % on % is refused', tg_op, tg_table_name;
        end $$`,
      sql`create trigger evidence_entry_kept before update or delete or truncate on evidence_entry
        for each statement execute function refuse_evidence_change()`,
      sql`create trigger evidence_chain_kept before delete or truncate on evidence_chain
        for each statement execute function refuse_evidence_change()`,
      sql`create trigger evidence_chain_grows before update on evidence_chain for each row
        when (old.closed_at is not null or new.contract_id <> old.contract_id or new.seq <= old.seq)
        execute function refuse_evidence_change()`,
    ]
    await createCodeTables(database)
    for (const statement of statements) await statement.execute(database)
    await createInboxTables(database)
    await createSuspendedAccountTable(database)
    await createBrandTable(database)
  },
}
