import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createPositionTable } from '@paraph/database/position'
import { createOutboxTables } from '@paraph/messaging/outbox'

/** Seal tasks, sealed evidence, which is kept for ever, and PDFs, which an erasure deletes. [D30, D43] */
export const sealingTables: Migration = {
  async up(database: Kysely<unknown>) {
    const statements = [
      sql`create table seal_task (
        contract_id text primary key references evidence_chain (contract_id),
        attempts integer not null default 0,
        last_reason text,
        created_at timestamptz(3) not null default clock_timestamp(),
        run_after timestamptz(3) not null default clock_timestamp(),
        claimed_until timestamptz(3),
        done_at timestamptz(3),
        traceparent text
      )`,
      sql`create index seal_task_waiting on seal_task (run_after) where done_at is null`,
      sql`create index seal_task_age on seal_task (done_at) where done_at is not null`,
      sql`create table sealed_evidence (
        contract_id text primary key references evidence_chain (contract_id),
        key_id text not null,
        jws text not null,
        sealed_at timestamptz(3) not null default clock_timestamp()
      )`,
      sql`create table sealed_copy (
        contract_id text primary key references sealed_evidence (contract_id),
        pdf bytea not null,
        pdf_sha256 text not null
      )`,
      sql`create table erasure (
        contract_id text primary key,
        erased_at timestamptz(3) not null
      )`,
      // PDFs are already compressed.
      sql`alter table sealed_copy alter column pdf set storage external`,
      sql`revoke update, delete on sealed_evidence from signing_runtime`,
      sql`revoke update on sealed_copy from signing_runtime`,
      sql`create trigger sealed_evidence_kept before update or delete or truncate on sealed_evidence
        for each statement execute function refuse_evidence_change()`,
      sql`create trigger sealed_copy_kept before update on sealed_copy
        for each statement execute function refuse_evidence_change()`,
    ]
    for (const statement of statements) await statement.execute(database)
    await createOutboxTables(database)
    await createPositionTable(database)
  },
}
