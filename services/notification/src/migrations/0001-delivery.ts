import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createBrandTable } from '@paraph/messaging/account-brand'
import { createSuspendedAccountTable } from '@paraph/messaging/account-suspension'
import { createInboxTables } from '@paraph/messaging/inbox'
import { createPositionTable } from '@paraph/database/position'
import { createOutboxTables } from '@paraph/messaging/outbox'
import { createNoticeTable } from './notice-table.js'
import { createWebhookTables } from './webhook-tables.js'

/**
 * Creates the tables of the notification service: deliveries, event numbers, the SMTP circuit breaker, outbox, inbox, suspensions. They
 * contain no address, name or text of a contract; mails to owners and of sandbox contracts are encrypted. [D24, D42, D49, D64]
 */
export const deliveryTables: Migration = {
  async up(database: Kysely<unknown>) {
    // `contract_id` and `party_index` are null for a mail to an owner, `account_id` also for a code, because a suspension stops no codes
    // [D37]. `send_number` grows when a person requests a new mail, never on a retry [D24]. `request_id`: id of the push that added the
    // row; makes the push idempotent [D42]. `priority`: lower is sent first. `outcome`: why the delivery ended or was rescheduled, without
    // personal data, such as `smtp 550`. `sealed`: a code, or a whole mail to an owner, under AES-256-GCM by CODE_KEYS; null after the end
    // [D42]. `is_published`: an event has published the end, or there is none to publish. `is_delayed`: an event has
    // published that the invitation waits [D52].
    await sql`
      create table delivery (
        id bigint generated always as identity primary key,
        contract_id text,
        account_id text,
        party_index smallint,
        kind text not null check
          (kind in ('invitation', 'reminder', 'code', 'completed', 'cancelled', 'expired', 'readdressed', 'owner_code', 'owner_mail')),
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
        sealed bytea,
        sealed_key_id text,
        traceparent text,
        created_at timestamptz not null default clock_timestamp(),
        finished_at timestamptz,
        is_published boolean not null default false,
        is_delayed boolean not null default false,
        constraint delivery_once unique (contract_id, party_index, kind, send_number),
        constraint delivery_to_owner check
          ((kind in ('owner_code', 'owner_mail')) = (contract_id is null) and (contract_id is null) = (party_index is null)),
        constraint delivery_of_account check (kind in ('code', 'owner_code', 'owner_mail') or account_id is not null),
        constraint delivery_sealed_while_due check
          ((kind in ('code', 'owner_code', 'owner_mail') and state = 'due') = (sealed is not null))
      )`.execute(database)
    await sql`create index delivery_due on delivery (priority, due_at) where state = 'due'`.execute(database)
    await sql`create index delivery_lapsing on delivery (lapses_at) where state = 'due'`.execute(database)
    await sql`create index delivery_age on delivery (finished_at) where finished_at is not null`.execute(database)
    await sql`create index delivery_held on delivery (account_id) where state = 'due'`.execute(database)
    // The owner is null until `contract.created` is consumed; a code may be pushed, and end, before that. `sequence` numbers the events
    // about a contract's mails [D48]. `ended`: the end of the contract, which may be consumed before its creation, as after a redrive [F10].
    // `reminders`: how many reminders were added for the parties. [D58]
    await sql`
      create table contract_mail (
        contract_id text primary key,
        account_id text,
        environment text check (environment in ('production', 'sandbox')),
        sequence bigint not null default 0,
        ended text check (ended in ('cancelled', 'expired')),
        expires_at timestamptz(3),
        reminders smallint not null default 0,
        constraint contract_mail_known check ((account_id is null) = (environment is null) and (account_id is null) = (expires_at is null))
      )`.execute(database)
    await sql`create index contract_mail_to_remind on contract_mail (expires_at)
      where reminders < 2 and ended is null and environment = 'production'`.execute(database)
    // When each lane may next probe an unavailable SMTP server, for all replicas. `failures`: how many in a row, 0 after a success. [F6]
    await sql`
      create table smtp_circuit (
        lane text primary key check (lane in ('codes', 'others')),
        failures integer not null default 0,
        probe_at timestamptz not null default clock_timestamp()
      )`.execute(database)
    await sql`insert into smtp_circuit (lane) values ('codes'), ('others')`.execute(database)
    // Mails about contracts to each mailbox, in the hour and in the day of the last one. `mailbox`: an HMAC by CODE_KEYS. [P25]
    await sql`
      create table mailbox_count (
        mailbox bytea primary key,
        hour timestamptz not null,
        in_hour integer not null,
        day timestamptz not null,
        in_day integer not null
      ) with (fillfactor = 70)`.execute(database)
    await sql`create index mailbox_count_age on mailbox_count (day)`.execute(database)
    // Mails of sandbox contracts, which the console shows for a day. `head_sealed`: address and subject, for the list; `sealed`: text, HTML
    // and raw mail, which may hold a PDF; both as `sealed` of `delivery`. `id`: that of the delivery, so that a retry keeps its mail once. [D64]
    await sql`
      create table test_mail (
        id bigint primary key,
        account_id text not null,
        contract_id text not null,
        kind text not null,
        head_sealed bytea not null,
        sealed bytea not null,
        sealed_key_id text not null,
        created_at timestamptz not null default clock_timestamp()
      )`.execute(database)
    await sql`create index test_mail_of_account on test_mail (account_id, id)`.execute(database)
    await sql`create index test_mail_age on test_mail (created_at)`.execute(database)
    await createNoticeTable(database)
    await createWebhookTables(database)
    await createOutboxTables(database)
    await createPositionTable(database)
    await createInboxTables(database)
    await createSuspendedAccountTable(database)
    await createBrandTable(database)
    await sql`revoke insert, delete on smtp_circuit from notification_runtime`.execute(database)
  },
}
