import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createPositionTable } from '@paraph/database/position'
import { createOutboxTables } from '@paraph/messaging/outbox'

/**
 * Seal tasks; sealed evidence, which is kept for ever, and PDFs, which an erasure deletes; objects of the object store to delete.
 * [D30, D43, P43]
 */
export const sealingTables: Migration = {
  async up(database: Kysely<unknown>) {
    const statements = [
      sql`create table seal_task (
        contract_id text primary key references evidence_chain (contract_id),
        attempts integer not null default 0,
        last_reason text,
        created_at timestamptz(3) not null default clock_timestamp(),
        run_after timestamptz not null default clock_timestamp(),
        claimed_until timestamptz(3),
        done_at timestamptz(3),
        traceparent text
      )`,
      sql`create index seal_task_waiting on seal_task (run_after) where done_at is null`,
      sql`create index seal_task_age on seal_task (done_at) where done_at is not null`,
      sql`create table sealed_evidence (
        contract_id text primary key references evidence_chain (contract_id),
        key_id text not null,
        jws text,
        sealed_at timestamptz(3) not null default clock_timestamp(),
        jws_sha256 text not null,
        jws_bytes integer not null,
        object_key text,
        constraint stored_once check ((jws is null) <> (object_key is null)),
        constraint evidence_unchanged check (
          jws is null or (jws_bytes, jws_sha256) = (octet_length(convert_to(jws, 'UTF8')), encode(sha256(convert_to(jws, 'UTF8')), 'hex')))
      )`,
      sql`create table sealed_copy (
        contract_id text primary key references sealed_evidence (contract_id),
        pdf bytea,
        pdf_sha256 text not null,
        pdf_bytes integer not null,
        object_key text,
        constraint stored_once check ((pdf is null) <> (object_key is null)),
        constraint evidence_unchanged check (
          pdf is null or (pdf_bytes, pdf_sha256) = (octet_length(pdf), encode(sha256(pdf), 'hex')))
      )`,
      // The bytes may move to the object store and back, and nothing else may change: a row keeps their hash and size for ever.
      sql`create function measure_document() returns trigger language plpgsql as $$
        begin
          if tg_table_name = 'sealed_copy' then
            new.pdf_bytes := coalesce(new.pdf_bytes, octet_length(new.pdf));
          else
            new.jws_sha256 := coalesce(new.jws_sha256, encode(sha256(convert_to(new.jws, 'UTF8')), 'hex'));
            new.jws_bytes := coalesce(new.jws_bytes, octet_length(convert_to(new.jws, 'UTF8')));
          end if;
          return new;
        end $$`,
      // For a service from before these columns. [H16]
      sql`create trigger sealed_evidence_measured before insert on sealed_evidence
        for each row execute function measure_document()`,
      sql`create trigger sealed_copy_measured before insert on sealed_copy
        for each row execute function measure_document()`,
      // "C": an erasure reads the range of keys of one contract.
      sql`create table object_deletion (
        object_key text collate "C" primary key,
        reserved_until timestamptz(3),
        attempts integer not null default 0,
        created_at timestamptz(3) not null default clock_timestamp(),
        run_after timestamptz not null default clock_timestamp(),
        claimed_until timestamptz(3),
        done_at timestamptz(3),
        traceparent text
      )`,
      sql`create index object_deletion_waiting on object_deletion (run_after) where done_at is null`,
      sql`create index object_deletion_age on object_deletion (done_at) where done_at is not null`,
      sql`create table erasure (
        contract_id text primary key,
        erased_at timestamptz(3) not null
      )`,
      // One round trip: each statement of a volatile function sees what committed before it, so the look follows the lock. [D43]
      sql`create function delay_erasure(erasable_id text) returns boolean language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(hashtextextended('erasure ' || erasable_id, 0));
          return exists (select from erasure where contract_id = erasable_id);
        end $$`,
      // PDFs are already compressed.
      sql`alter table sealed_copy alter column pdf set storage external`,
      sql`revoke update, delete on sealed_evidence from signing_runtime`,
      sql`revoke update on sealed_copy from signing_runtime`,
      sql`grant update (jws, object_key) on sealed_evidence to signing_runtime`,
      sql`grant update (pdf, object_key) on sealed_copy to signing_runtime`,
      sql`create trigger sealed_evidence_kept before delete or truncate on sealed_evidence
        for each statement execute function refuse_evidence_change()`,
      sql`create trigger sealed_evidence_moves before update on sealed_evidence for each row
        when ((new.contract_id, new.key_id, new.sealed_at, new.jws_sha256, new.jws_bytes)
          is distinct from (old.contract_id, old.key_id, old.sealed_at, old.jws_sha256, old.jws_bytes))
        execute function refuse_evidence_change()`,
      sql`create trigger sealed_copy_moves before update on sealed_copy for each row
        when ((new.contract_id, new.pdf_sha256, new.pdf_bytes) is distinct from (old.contract_id, old.pdf_sha256, old.pdf_bytes))
        execute function refuse_evidence_change()`,
    ]
    for (const statement of statements) await statement.execute(database)
    await createOutboxTables(database)
    await createPositionTable(database)
  },
}
