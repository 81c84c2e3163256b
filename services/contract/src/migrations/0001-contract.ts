import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createPositionTable } from '@paraph/database/position'
import { createInboxTables } from '@paraph/messaging/inbox'
import { createOutboxTables } from '@paraph/messaging/outbox'

/** Creates all tables of the contract service. Each contract and each Idempotency-Key belongs to one `environment`. [D10] */
export const contractTables: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`
      create table contract (
        id text primary key,
        account_id text not null,
        environment text not null check (environment in ('production', 'sandbox')),
        contract_number text not null constraint contract_number_unique unique,
        contract_type text not null,
        status text not null check (status in ('pending_signature', 'partially_signed', 'signed', 'expired', 'cancelled')),
        sender_name text not null,
        account_name text not null,
        mail_language text not null,
        time_zone text not null,
        reply_address text,
        cancels_on_decline boolean not null default false,
        reminds_parties boolean not null default true,
        content text not null check (octet_length(content) <= 51200),
        content_sha256 bytea not null,
        metadata json not null,
        share_token_sha256 bytea not null constraint contract_share_token_unique unique,
        share_token_sealed bytea,
        share_token_key_id text not null,
        request_id text not null,
        version integer not null,
        created_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        changed_at timestamptz(3) not null,
        completed_at timestamptz(3),
        cancelled_at timestamptz(3),
        cancelled_by text check (cancelled_by in ('owner', 'operator', 'party')),
        cancel_reason text,
        erased_at timestamptz(3),
        erase_due_at timestamptz(3),
        erase_requested_by text,
        held_at timestamptz(3),
        hold_reason text,
        deliveries jsonb not null default '{}',
        delivery_changes integer not null default 0,
        delivery_at timestamptz(3),
        has_delivery_problem boolean not null default false,
        has_decline boolean not null default false,
        constraint contract_request_unique unique (account_id, environment, request_id),
        check (erased_at is null or (status in ('signed', 'expired', 'cancelled') and content = '')),
        constraint contract_held_with_reason check ((held_at is null) = (hold_reason is null)),
        constraint contract_held_not_erased check (held_at is null or erased_at is null),
        check ((status = 'signed') = (completed_at is not null)),
        check ((status = 'cancelled') = (cancelled_at is not null))
      )`.execute(database)
    // For the expiry sweep: only open contracts, soonest first, so that a sweep reads only due rows.
    await sql`create index contract_due on contract (expires_at) where status in ('pending_signature', 'partially_signed')`.execute(
      database,
    )
    await sql`create index contract_token_left on contract (created_at) where share_token_sealed is not null`.execute(
      database,
    )
    // For an owner's list, newest first, in general and by status and type (store/list-sources.ts). Each POST adds one entry to each index.
    await sql`create index contract_newest on contract (account_id, environment, expires_at, id)`.execute(database)
    await sql`create index contract_by_kind on contract (account_id, environment, status, contract_type, expires_at, id)`.execute(
      database,
    )
    // For the filters of the list that match few contracts. No POST adds an entry.
    await sql`
      create index contract_delivery_problem on contract (account_id, environment, expires_at, id)
       where has_delivery_problem and status in ('pending_signature', 'partially_signed')`.execute(database)
    await sql`create index contract_declined on contract (account_id, environment, expires_at, id) where has_decline`.execute(
      database,
    )
    // For the contracts completed of late, and the time from creation to completion.
    await sql`
      create index contract_completed on contract (account_id, environment, completed_at, created_at) where completed_at is not null`.execute(
      database,
    )
    // The words by which an owner finds a contract (domain/search-words.ts). The primary key reads the contracts of a word, newest first, in
    // the order of the list. No foreign key, because it would look up the new contract once a word; contracts are never deleted. [D71]
    await sql`
      create table contract_word (
        account_id text not null,
        environment text not null,
        word text collate "C" not null,
        expires_at timestamptz(3) not null,
        contract_id text not null,
        primary key (account_id, environment, word, expires_at, contract_id)
      )`.execute(database)
    // For the erasure, and for a look whether a contract has a word.
    await sql`create index contract_word_of_contract on contract_word (contract_id)`.execute(database)
    // Every POST adds words: a vacuum after each fiftieth of the table, so that a search reads the index and not the table.
    await sql`alter table contract_word set (autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(database)
    await sql`
      create table party (
        contract_id text not null references contract (id),
        party_index integer not null check (party_index between 0 and 49),
        role text not null,
        legal_name text not null,
        email text not null,
        primary key (contract_id, party_index)
      )`.execute(database)
    await sql`
      create table signature (
        contract_id text not null,
        party_index integer not null,
        attempt_id text not null constraint signature_attempt_unique unique,
        signed_at timestamptz(3) not null,
        primary key (contract_id, party_index),
        foreign key (contract_id, party_index) references party (contract_id, party_index)
      )`.execute(database)
    // At most one decline for each party and address. A signature afterwards counts instead. [D57, D61]
    await sql`
      create table decline (
        contract_id text not null,
        party_index integer not null,
        address_number integer not null default 0,
        decline_id uuid not null,
        declined_at timestamptz(3) not null,
        primary key (contract_id, party_index, address_number),
        foreign key (contract_id, party_index) references party (contract_id, party_index)
      )`.execute(database)
    // The addresses before each correction, oldest first. `version`: that of the contract afterwards. [D61]
    await sql`
      create table readdress (
        contract_id text not null,
        party_index integer not null,
        number integer not null check (number between 1 and 3),
        old_email text not null,
        readdressed_at timestamptz(3) not null,
        version integer not null,
        primary key (contract_id, party_index, number),
        foreign key (contract_id, party_index) references party (contract_id, party_index)
      )`.execute(database)
    await sql`
      create table sign_tombstone (
        attempt_id text primary key,
        contract_id text not null references contract (id),
        made_at timestamptz(3) not null default clock_timestamp()
      )`.execute(database)
    await sql`
      create table idempotency (
        account_id text not null,
        environment text not null,
        key_sha256 bytea not null,
        body_sha256 bytea not null,
        contract_id text not null references contract (id),
        created_at timestamptz(3) not null,
        primary key (account_id, environment, key_sha256)
      )`.execute(database)
    await sql`create index idempotency_age on idempotency (created_at)`.execute(database)
    await createOutboxTables(database)
    await createPositionTable(database)
    await createInboxTables(database)
    // Two functions update parties, with the rights of the owner role: this one never changes the address of a party that has signed. [D61]
    await sql`
      create function readdress_party(changed_id text, changed_party integer, correction integer, new_email text, corrected_at timestamptz,
                                      changed_version integer)
      returns void language sql security definer set search_path = public as $$
        insert into readdress (contract_id, party_index, number, old_email, readdressed_at, version)
          select contract_id, party_index, correction, email, corrected_at, changed_version from party
           where contract_id = changed_id and party_index = changed_party
             and not exists (select from signature where contract_id = changed_id and party_index = changed_party);
        update party set email = new_email where contract_id = changed_id and party_index = changed_party
           and not exists (select from signature where contract_id = changed_id and party_index = changed_party)
      $$`.execute(database)
    // The function erases names and addresses, with the rights of the owner role. [D43]
    await sql`
      create function erase_parties(erased_id text) returns void language sql security definer set search_path = public as $$
        update party set role = 'erased', legal_name = 'erased', email = 'erased'
         where contract_id = erased_id and exists (select from contract where id = erased_id and erased_at is not null);
        update readdress set old_email = 'erased'
         where contract_id = erased_id and exists (select from contract where id = erased_id and erased_at is not null)
      $$`.execute(database)
    // For the retention sweep: final contracts that are not erased, oldest change first.
    await sql`create index contract_kept on contract (changed_at) where erased_at is null and status in ('signed', 'expired', 'cancelled')`.execute(
      database,
    )
    // For the erasures that owners requested: few, in the order of their batches.
    await sql`create index contract_erasure_requested on contract (id) where erase_due_at is not null`.execute(database)
    // The service itself can neither change nor delete a signature, a party or a tombstone.
    await sql`revoke insert on readdress from contract_runtime`.execute(database)
    await sql`revoke update, delete on signature, decline, readdress, party, sign_tombstone from contract_runtime`.execute(
      database,
    )
  },
}
