// The tables of the embedded bus: an append-only log in a database of its own, accessible only through functions. [D50]
// Services may execute these functions and nothing else. Each function runs as bus_owner with a pinned search path.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const SERVICES = ['gateway_runtime', 'contract_runtime', 'signing_runtime', 'notification_runtime']

const log: Migration = {
  async up(db) {
    await sql`create schema bus`.execute(db)
    await sql`revoke all on schema bus from public`.execute(db)
    await sql`alter default privileges revoke execute on functions from public`.execute(db)
    await sql`create table bus.partition (
      topic text not null,
      partition smallint not null,
      end_offset bigint not null,
      primary key (topic, partition)
    )`.execute(db)
    await sql`create table bus.message (
      topic text not null,
      partition smallint not null,
      message_offset bigint not null,
      key text not null,
      headers jsonb not null,
      value text,
      published_at timestamptz not null default now(),
      primary key (topic, partition, message_offset)
    )`.execute(db)
    await sql`create table bus.group_position (
      group_name text not null,
      topic text not null,
      partition smallint not null,
      next_offset bigint not null,
      primary key (group_name, topic, partition)
    )`.execute(db)
    await sql`create table bus.setting (retention_days integer not null check (retention_days > 0))`.execute(db)
    await sql`insert into bus.setting values (30)`.execute(db)

    // Eight partitions per topic, by a hash that is the same in every release of Postgres.
    await sql`create function bus.partition_of(p_key text) returns smallint
      language sql immutable set search_path = pg_catalog, pg_temp
      as $$ select (get_byte(decode(md5(p_key), 'hex'), 1) % 8)::smallint $$`.execute(db)

    // The partition's row is locked from the first offset that it assigns until the commit, so offset order is commit order: a
    // reader that has seen offset n never misses a lower one. Partitions are locked in one order, so there is no deadlock.
    await sql`create function bus.append(p_topics text[], p_keys text[], p_headers text[], p_values text[]) returns void
      language plpgsql security definer set search_path = pg_catalog, pg_temp
      as $$
      declare
        target record;
        first_offset bigint;
      begin
        for target in
          select m.topic, bus.partition_of(m.key) as partition, count(*) as messages
          from unnest(p_topics, p_keys) as m(topic, key) group by 1, 2 order by 1, 2
        loop
          insert into bus.partition as p values (target.topic, target.partition, target.messages)
          on conflict (topic, partition) do update set end_offset = p.end_offset + excluded.end_offset
          returning p.end_offset - target.messages into first_offset;

          insert into bus.message (topic, partition, message_offset, key, headers, value)
          select m.topic, target.partition, first_offset + row_number() over (order by m.position) - 1, m.key, m.headers::jsonb, m.value
          from unnest(p_topics, p_keys, p_headers, p_values) with ordinality as m(topic, key, headers, value, position)
          where m.topic = target.topic and bus.partition_of(m.key) = target.partition;
        end loop;
      end $$`.execute(db)

    await sql`create function bus.ends(p_topics text[]) returns table (topic text, partition smallint, end_offset bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select t.topic, n.partition::smallint, coalesce(p.end_offset, 0)
        from unnest(p_topics) as t(topic) cross join generate_series(0, 7) as n(partition)
        left join bus.partition p on p.topic = t.topic and p.partition = n.partition
      $$`.execute(db)

    await sql`create function bus.positions(p_group text) returns table (topic text, partition smallint, next_offset bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$ select g.topic, g.partition, g.next_offset from bus.group_position g where g.group_name = p_group $$`.execute(
      db,
    )

    // Counts from the group's position, or from the oldest message still kept if that is later.
    await sql`create function bus.backlog(p_group text, p_topics text[])
      returns table (topic text, partition smallint, waiting bigint)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select t.topic, n.partition::smallint,
               coalesce(greatest(0, p.end_offset - greatest(g.next_offset, coalesce(oldest.message_offset, p.end_offset))), 0)
        from unnest(p_topics) as t(topic) cross join generate_series(0, 7) as n(partition)
        left join bus.partition p on p.topic = t.topic and p.partition = n.partition
        left join bus.group_position g on g.group_name = p_group and g.topic = t.topic and g.partition = n.partition
        left join lateral (
          select m.message_offset from bus.message m where m.topic = t.topic and m.partition = n.partition
           order by m.message_offset limit 1
        ) oldest on true
        order by 1, 2
      $$`.execute(db)

    await sql`create function bus.read(p_topic text, p_partition smallint, p_from bigint, p_limit integer)
      returns table (message_offset bigint, key text, headers jsonb, value text, published_at timestamptz)
      language sql stable security definer set search_path = pg_catalog, pg_temp
      as $$
        select m.message_offset, m.key, m.headers, m.value, m.published_at from bus.message m
        where m.topic = p_topic and m.partition = p_partition and m.message_offset >= p_from
        order by m.message_offset limit p_limit
      $$`.execute(db)

    await sql`create function bus.commit(p_group text, p_topic text, p_partition smallint, p_next bigint) returns void
      language sql security definer set search_path = pg_catalog, pg_temp
      as $$
        insert into bus.group_position values (p_group, p_topic, p_partition, p_next)
        on conflict (group_name, topic, partition) do update set next_offset = excluded.next_offset
      $$`.execute(db)

    await sql`create function bus.rewind(p_group text, p_topic text) returns void
      language sql security definer set search_path = pg_catalog, pg_temp
      as $$ delete from bus.group_position where group_name = p_group and topic = p_topic $$`.execute(db)

    // In small steps, from the oldest offset of each partition upwards. The retention is stored in a row that the owner may change.
    await sql`create function bus.prune(p_topics text[]) returns bigint
      language sql security definer set search_path = pg_catalog, pg_temp
      as $$
        with old as (
          select m.topic, m.partition, m.message_offset
          from unnest(p_topics) as t(topic) cross join generate_series(0, 7) as n(partition)
          cross join lateral (
            select * from bus.message b where b.topic = t.topic and b.partition = n.partition order by b.message_offset limit 200
          ) m
          where m.published_at < now() - (select make_interval(days => retention_days) from bus.setting)
        ), gone as (
          delete from bus.message m using old o
          where m.topic = o.topic and m.partition = o.partition and m.message_offset = o.message_offset returning 1
        ) select count(*) from gone
      $$`.execute(db)

    for (const role of SERVICES) {
      await sql`grant usage on schema bus to ${sql.id(role)}`.execute(db)
      await sql`grant execute on function
        bus.append(text[], text[], text[], text[]), bus.ends(text[]), bus.positions(text), bus.backlog(text, text[]), bus.read(text, smallint, bigint, integer),
        bus.commit(text, text, smallint, bigint), bus.rewind(text, text), bus.prune(text[]) to ${sql.id(role)}`.execute(
        db,
      )
      const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
      for (const { name } of rows) await sql`grant connect on database ${sql.id(name)} to ${sql.id(role)}`.execute(db)
    }
  },
}

export const busMigrations: Record<string, Migration> = { '0001_log': log }
