// The usage record: counters of days and months, reserved places of a quota, and the write of a batch. [Usage, D3, D4, D40]
// Uses functions, because Postgres caches their plans: without a cached plan, planning the write of a batch took longer than its commit.
import { sql, type Kysely } from 'kysely'

/** Creates `usage`, `usage_month`, `usage_commit` and the functions that write them. */
export async function createUsageTables(database: Kysely<unknown>): Promise<void> {
  // No foreign key to the account: bills outlive accounts, and a missing account must not fail a batch with calls of all accounts.
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
  // `billable` is the sum of the month's `usage.billable`, updated in the same statement, so that a reservation locks one row.
  // `reservations`: id → [epoch seconds of its expiry, places left]. [D4]
  await sql`
    create table usage_month (
      account_id text not null,
      environment text not null check (environment in ('production', 'sandbox')),
      month date not null check (extract(day from month) = 1),
      billable bigint not null default 0,
      reservations jsonb not null default '{}',
      primary key (account_id, environment, month)
    )`.execute(database)
  // `freed`: reservation id → places that are used up or released.
  await sql`
    create function usage_reservations_less(reservations jsonb, freed jsonb) returns jsonb
    language sql immutable as $$
      select case when freed = '{}' then reservations else coalesce((
        select jsonb_object_agg(key, jsonb_build_array(value -> 0, (value ->> 1)::int - coalesce((freed ->> key)::int, 0)))
        from jsonb_each(reservations)
        where (value ->> 1)::int > coalesce((freed ->> key)::int, 0)
      ), '{}') end
    $$`.execute(database)
  // Reserves places for `wanted` calls and, while more than `margin` stays free, up to `ahead` more. Returns the number of reserved
  // places; 0 if no place is free.
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
      -- Read the clock under the lock: a time from before the wait for the lock would count expired places as reserved.
      seconds := extract(epoch from clock_timestamp());
      -- No place lasts longer from now than a new one: the clock may have been set back since it was reserved.
      select free - coalesce(sum((value ->> 1)::int), 0),
        coalesce(jsonb_object_agg(key, jsonb_build_array(
          least((value ->> 0)::float8, seconds + call_seconds + ahead_seconds), value -> 1)), '{}') into free, held
      from jsonb_each(held) where (value ->> 0)::float8 > seconds;
      if free < 1 then
        update usage_month set reservations = held
        where account_id = of_account and environment = of_environment and month = of_month and reservations <> held;
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
  // The last batch of each process, so that repeating a batch after a lost acknowledgement counts nothing.
  await sql`
    create table usage_commit (
      instance uuid primary key,
      sequence bigint not null,
      committed_at timestamptz not null default now()
    )`.execute(database)
  // Counts the calls of a batch, one array element each, and releases their reservations. A batch that is not newer than the instance's
  // last counts nothing. Returns the billed calls of each month of the batch, these calls included. Rows are inserted in the order of their keys, so that two gateways cannot deadlock.
  await sql`
    create function usage_commit_batch(
      of_instance uuid, of_sequence bigint, days_max integer, accounts text[], environments text[], endpoints text[],
      billables integer[], reservation_ids text[], are_answered boolean[], admitted_ats timestamptz[]
    ) returns table (of_account text, of_environment text, of_month date, billed bigint) language plpgsql as $$
    begin
      return query with mark as (
        insert into usage_commit as last (instance, sequence, committed_at)
        select of_instance, of_sequence, now()
        where (select min(admitted_at) from unnest(admitted_ats) as admitted_at) > now() - make_interval(days => days_max)
        on conflict (instance) do update set sequence = excluded.sequence, committed_at = excluded.committed_at
        where last.sequence < excluded.sequence
        returning sequence
      ), call as (
        select account_id, environment, endpoint, billable, reservation, answered,
          (admitted_at at time zone 'utc')::date as day,
          date_trunc('month', admitted_at at time zone 'utc')::date as month
        from unnest(accounts, environments, endpoints, billables, reservation_ids, are_answered, admitted_ats)
          as sent (account_id, environment, endpoint, billable, reservation, answered, admitted_at)
        where exists (select from mark)
      ), counted as (
        insert into usage (account_id, environment, day, endpoint, total, billable)
        select account_id, environment, day, endpoint, count(*), sum(billable) from call where answered
        group by account_id, environment, day, endpoint order by account_id, environment, day, endpoint
        on conflict (account_id, environment, day, endpoint)
        do update set total = usage.total + excluded.total, billable = usage.billable + excluded.billable
      ), month_change as (
        select account_id, environment, month, sum(billable) as billable,
          coalesce(jsonb_object_agg(reservation, calls) filter (where reservation is not null), '{}') as reservations
        from (
          select account_id, environment, month, reservation, sum(billable) as billable, count(*) as calls from call
          group by account_id, environment, month, reservation
        ) as each group by account_id, environment, month
      ), changed as (
        insert into usage_month as old (account_id, environment, month, billable, reservations)
        select account_id, environment, month, billable, reservations from month_change
        where billable > 0 or reservations <> '{}' order by account_id, environment, month
        on conflict (account_id, environment, month) do update set
          billable = old.billable + excluded.billable,
          -- excluded.reservations: reservation id → places to remove
          reservations = usage_reservations_less(old.reservations, excluded.reservations)
        returning account_id, environment, month, billable
      )
      select account_id, environment, month, coalesce(changed.billable, old.billable, 0)
      from month_change left join changed using (account_id, environment, month)
        left join usage_month as old using (account_id, environment, month);
    end $$`.execute(database)
}
