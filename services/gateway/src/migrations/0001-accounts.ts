import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createOutboxTables } from '@paraph/messaging/outbox'
import { createAccountWindow } from './account-window.js'

/** Tiers, accounts, keys, the usage record, the shared window, outbox. [Subscription tiers, D3, D4, D8, D10, D27, D28] */
export const accountTables: Migration = {
  async up(database: Kysely<unknown>) {
    await sql`
      create table tier (
        name text primary key check (name ~ '^[a-z][a-z0-9_-]{0,39}$'),
        requests_per_minute integer not null check (requests_per_minute between 1 and 1000000),
        monthly_quota integer not null check (monthly_quota > 0),
        sandbox_requests_per_minute integer not null check (sandbox_requests_per_minute between 1 and 1000000),
        sandbox_monthly_quota integer not null check (sandbox_monthly_quota > 0)
      )`.execute(database)
    await sql`
      insert into tier (name, requests_per_minute, monthly_quota, sandbox_requests_per_minute, sandbox_monthly_quota) values
        ('startup', 60, 5000, 60, 1000),
        ('growth', 300, 25000, 60, 1000),
        ('enterprise', 1000, 250000, 60, 1000),
        ('load', 1000000, 100000000, 60, 1000)`.execute(database)
    await sql`
      create table account (
        id text primary key,
        name text not null,
        email text not null,
        tier text not null references tier (name),
        status text not null default 'active' check (status in ('active', 'suspended')),
        subscription_status text not null default 'active'
          check (subscription_status in ('active', 'trial', 'past_due', 'ended')),
        language text not null default 'en+fr' check (language in ('en', 'fr', 'en+fr')),
        time_zone text not null default 'UTC',
        reply_address text,
        stop_at_quota boolean not null default false,
        version integer not null default 1,
        created_at timestamptz(3) not null default now()
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
        last_used_at timestamptz(3)
      )`.execute(database)
    await sql`create index api_key_of_account on api_key (account_id, environment)`.execute(database)
    // No reference to the account: the bill outlives it, and no row of one account can fail a batch that counts for all.
    await sql`
      create table usage (
        account_id text not null,
        environment text not null check (environment in ('production', 'sandbox')),
        day date not null,
        endpoint text not null,
        total bigint not null,
        billable bigint not null check (billable <= total),
        primary key (account_id, environment, day, endpoint)
      )`.execute(database)
    // `billable` is the sum of the month's `usage.billable`, kept in the same statement: the one row that a reservation
    // must lock. `reservations`: id → [epoch seconds at which it lapses, places left]. [D4]
    await sql`
      create table usage_month (
        account_id text not null,
        environment text not null check (environment in ('production', 'sandbox')),
        month date not null check (extract(day from month) = 1),
        billable bigint not null default 0,
        reservations jsonb not null default '{}',
        primary key (account_id, environment, month)
      )`.execute(database)
    // `settled`: id → places that are used up or given back.
    await sql`
      create function usage_reservations_less(reservations jsonb, settled jsonb) returns jsonb
      language sql immutable as $$
        select case when settled = '{}' then reservations else coalesce((
          select jsonb_object_agg(key, jsonb_build_array(value -> 0, (value ->> 1)::int - coalesce((settled ->> key)::int, 0)))
          from jsonb_each(reservations)
          where (value ->> 1)::int > coalesce((settled ->> key)::int, 0)
        ), '{}') end
      $$`.execute(database)
    // Reserves places for calls that wait and, while more than `margin` stays free, up to `ahead` for calls to come.
    // Returns how many; 0 when none is free.
    await sql`
      create function usage_reserve(
        of_account text, of_environment text, of_month date, quota bigint,
        reservation text, wanted integer, ahead integer, margin bigint,
        call_seconds integer, ahead_seconds integer, returned jsonb
      ) returns integer language plpgsql as $$
      declare
        held jsonb;
        free bigint;
        seconds float8;
        spare bigint;
      begin
        insert into usage_month (account_id, environment, month) values (of_account, of_environment, of_month)
        on conflict do nothing;
        select quota - billable, usage_reservations_less(reservations, returned) into free, held from usage_month
        where account_id = of_account and environment = of_environment and month = of_month for update;
        -- Read after the lock is held: a clock from before the wait would let lapsed places live.
        seconds := extract(epoch from clock_timestamp());
        select free - coalesce(sum((value ->> 1)::int), 0), coalesce(jsonb_object_agg(key, value), '{}') into free, held
        from jsonb_each(held) where (value ->> 0)::float8 > seconds;
        if free < 1 then
          return 0;
        end if;
        spare := greatest(0, least(ahead, free - wanted - margin));
        free := least(free, wanted + spare);
        if spare > 0 then
          call_seconds := call_seconds + ahead_seconds;
        end if;
        update usage_month
        set reservations = held || jsonb_build_object(reservation, jsonb_build_array(seconds + call_seconds, free))
        where account_id = of_account and environment = of_environment and month = of_month;
        return free;
      end $$`.execute(database)
    // The last batch of each process: a batch that is written again after a lost acknowledgement counts nothing.
    await sql`
      create table usage_commit (
        instance uuid primary key,
        sequence bigint not null,
        committed_at timestamptz not null default now()
      )`.execute(database)
    await createAccountWindow(database)
    await createOutboxTables(database)
  },
}
