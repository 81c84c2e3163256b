// The shared sliding windows: one row per account and environment, and the function that admits. [Limits, D10, D27, P12]
// The log is the same as in sliding-window.ts. docs/internal/performance.md compares it with counters of one second and less.
import { sql, type Kysely } from 'kysely'

/**
 * Creates `account_window` and `admit_to_windows`.
 *
 * `at_ms` holds milliseconds after `base_at`, oldest first, of 2 bytes each: 1,000 admissions take 2 KB, and a page has space for the next
 * version of its row. Two bytes span 65 s, so `base_at` moves forward. With limits above 1,000 a minute, an entry represents a pack of
 * admissions and holds the instant of the latest: the row stays small, and no admission leaves the window early.
 */
export async function createAccountWindow(database: Kysely<unknown>): Promise<void> {
  // Unlogged: a window matters for a minute, and a change without WAL costs no disk write. Empty after a crash of Postgres.
  await sql`
    create unlogged table account_window (
      name text primary key,
      base_at timestamptz not null,
      at_ms smallint[] storage plain not null,
      pack_size integer not null,
      newest_pack integer not null
    ) with (
      -- Updates stay on the page (HOT); a frequent vacuum removes the dead rows of other updates.
      fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000
    )`.execute(database)
  // Rows are locked in the order of their names, so that two gateways cannot deadlock. The clock is read under the row lock, so that
  // instants are in the order of the locks (D20).
  await sql`
    create function admit_to_windows(names text[], limits integer[], asked integer[], test_at timestamptz default null)
    returns table (window_name text, admitted integer, used integer, reset_ms integer)
    language plpgsql as $$
    declare
      window_ms constant integer := 60000;
      instants_max constant float8 := 1000;
      ask record;
      log account_window;
      now_at timestamptz;
      now_ms float8;     -- after base_at
      stamp_ms float8;   -- the same, rounded up: no admission leaves before its 60 s are over
      shift_ms integer;
      size integer;      -- instants in the row
      gone integer;      -- the number of those that have left the window
    begin
      for ask in
        select * from unnest(names, limits, asked) as sent (name, max, count) order by sent.name
      loop
        loop
          select * into log from account_window where name = ask.name for update;
          exit when found;
          insert into account_window values (ask.name, '-infinity', '{}', 1, 0) on conflict do nothing;
        end loop;
        now_at := coalesce(test_at, clock_timestamp());

        size := cardinality(log.at_ms);
        gone := size;
        if size > 0 then
          now_ms := extract(epoch from now_at - log.base_at) * 1000;
          if now_ms < log.at_ms[size] - 1000 then
            -- The clock was set back. The newest admission counts as admitted now, so that no call waits for the old time.
            now_ms := log.at_ms[size];
            log.base_at := now_at - make_interval(secs => now_ms / 1000);
            update account_window set base_at = log.base_at where name = ask.name;
          end if;
          gone := width_bucket(greatest(-32768, least(32767, floor(now_ms) - window_ms))::smallint, log.at_ms);
        end if;
        if gone = size then
          log := (ask.name, now_at, '{}', 1, 0);
          now_ms := 0;
          size := 0;
          gone := 0;
        end if;

        -- After a change of tier, packs keep the larger size until the log is empty, which never counts too few admissions.
        log.pack_size := greatest(log.pack_size, ceil(ask.max / instants_max));
        used := greatest(0, size - gone - 1) * log.pack_size + log.newest_pack;
        admitted := greatest(0, least(ask.count, ask.max - used));
        if admitted > 0 then
          log.at_ms := log.at_ms[gone + 1:];
          size := size - gone;
          gone := 0;
          if now_ms > 32766 then
            shift_ms := ceil(now_ms) - 28000;
            log.base_at := log.base_at + make_interval(secs => shift_ms / 1000.0);
            log.at_ms := array(select ms - shift_ms from unnest(log.at_ms) as ms);
            now_ms := now_ms - shift_ms;
          end if;
          stamp_ms := greatest(ceil(now_ms), log.at_ms[size]);
          if log.newest_pack < log.pack_size and size > 0 then
            log.at_ms[size] := stamp_ms;
          end if;
          used := used + admitted;
          log.newest_pack := log.newest_pack + admitted;
          log.at_ms := log.at_ms
            || array_fill(stamp_ms::smallint, array[(log.newest_pack - 1) / log.pack_size + (size = 0)::integer]);
          log.newest_pack := (log.newest_pack - 1) % log.pack_size + 1;
          update account_window
            set base_at = log.base_at, at_ms = log.at_ms, pack_size = log.pack_size, newest_pack = log.newest_pack
            where name = ask.name;
        end if;

        window_name := ask.name;
        reset_ms := ceil(log.at_ms[gone + 1] + window_ms - now_ms);
        return next;
      end loop;
    end $$`.execute(database)
}
