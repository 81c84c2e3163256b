import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createPositionTable } from '@paraph/database/position'
import { createOutboxTables } from '@paraph/messaging/outbox'
import { createAccountWindow } from './account-window.js'
import { createBillingTables } from './billing-tables.js'
import { createRequestLogTable } from './request-log-table.js'
import { createUsageTables } from './usage-tables.js'

/** Tiers, accounts, keys, usage record, shared window, request log, billing, outbox. [Subscription tiers, D3, D4, D8, D10, D27, D28, D62, D74] */
export const accountTables: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`
      create table tier (
        name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
        requests_per_minute integer not null check (requests_per_minute between 1 and 1000000),
        monthly_quota integer not null check (monthly_quota > 0),
        sandbox_requests_per_minute integer not null check (sandbox_requests_per_minute between 1 and 1000000),
        sandbox_monthly_quota integer not null check (sandbox_monthly_quota > 0),
        -- Null for a tier that operators can grant, but owners cannot choose.
        monthly_price_cad integer check (monthly_price_cad > 0)
      )`.execute(database)
    await sql`
      insert into tier
        (name, requests_per_minute, monthly_quota, sandbox_requests_per_minute, sandbox_monthly_quota, monthly_price_cad) values
        ('startup', 60, 5000, 60, 1000, 29),
        ('growth', 300, 25000, 60, 1000, 99),
        ('enterprise', 1000, 250000, 60, 1000, 499),
        ('load', 1000000, 100000000, 60, 1000, null)`.execute(database)
    await sql`
      create table account (
        id text primary key,
        name text not null,
        -- Sender name of contracts that do not state one; null: the account's name.
        sender_name text,
        status text not null default 'active' check (status in ('active', 'suspended')),
        approved_at timestamptz(3),
        -- The current tier; null until a tier is granted, paid or on trial. Past due follows from period_end and the clock.
        tier text references tier (name),
        subscription_status text not null default 'none' check (subscription_status in ('none', 'active', 'trial', 'ended')),
        period_end timestamptz(3),
        -- The tier that the owner chose and that is not granted yet.
        wanted_tier text references tier (name),
        language text not null default 'en+fr' check (language in ('en', 'fr', 'en+fr')),
        time_zone text not null default 'UTC',
        reply_address text,
        cancels_on_decline boolean not null default false,
        reminds_parties boolean not null default true,
        -- What owners hear of its contracts, and when they are next told what happened since. [D70]
        mails_refused boolean not null default true,
        mails_declined boolean not null default true,
        mails_completed text not null default 'daily' check (mails_completed in ('daily', 'each', 'off')),
        mails_expired boolean not null default true,
        summary_at timestamptz,
        stop_at_quota boolean not null default false,
        version integer not null default 1,
        created_at timestamptz(3) not null default now(),
        constraint account_tier check ((subscription_status = 'none') = (tier is null))
      )`.execute(database)
    await sql`
      create table api_key (
        id text primary key,
        account_id text not null references account (id),
        environment text not null check (environment in ('production', 'sandbox')),
        name text not null,
        sha256 bytea not null constraint api_key_sha256_unique unique check (octet_length(sha256) = 32),
        display_start text not null,
        last_four text not null,
        scopes text[] not null check (scopes <@ array['contracts:read', 'contracts:write']),
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        -- The form that created the key, so that a second click creates no second key.
        form_id text constraint api_key_form_unique unique
      )`.execute(database)
    await sql`create index api_key_of_account on api_key (account_id, environment)`.execute(database)
    await createUsageTables(database)
    await createAccountWindow(database)
    await createRequestLogTable(database)
    await createBillingTables(database)
    await createOutboxTables(database)
    await createPositionTable(database)
  },
}
