import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createAccountHoldTable } from '@paraph/messaging/account-hold'
import { createInboxTables } from '@paraph/messaging/inbox'

/** Deliveries, which are queue and record in one, and the inbox. No address, name or text is kept here. [D24, D42, D49] */
export const deliveryTables: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`
      create table delivery (
        id bigint generated always as identity primary key,
        contract_id text not null,
        account_id text,
        party_index smallint not null,
        kind text not null check (kind in ('invitation', 'code', 'cancelled', 'expired')),
        send_number integer not null,
        request_id text constraint delivery_request_unique unique,
        state text not null default 'due' check (state in ('due', 'accepted', 'failed', 'skipped', 'lapsed')),
        priority smallint not null,
        due_at timestamptz not null default clock_timestamp(),
        lapses_at timestamptz not null,
        claim uuid,
        claimed_until timestamptz,
        attempts integer not null default 0,
        outcome text,
        code_sealed bytea,
        code_key_id text,
        traceparent text,
        created_at timestamptz not null default clock_timestamp(),
        settled_at timestamptz,
        constraint delivery_once unique (contract_id, party_index, kind, send_number),
        constraint delivery_of_account check (kind = 'code' or account_id is not null),
        constraint delivery_code_while_due check ((kind = 'code' and state = 'due') = (code_sealed is not null))
      )`.execute(database)
    await sql`create index delivery_due on delivery (priority, due_at) where state = 'due'`.execute(database)
    await sql`create index delivery_lapsing on delivery (lapses_at) where state = 'due'`.execute(database)
    await sql`create index delivery_held on delivery (account_id) where state = 'due'`.execute(database)
    await createInboxTables(database)
    await createAccountHoldTable(database)
    await sql`revoke delete on delivery from notification_runtime`.execute(database)
  },
}
