// Measures the cost of the shared sliding window in three shapes of a Postgres row. (gateway/memory.mjs measures windows in memory.)
//   log           the product's shape (services/gateway/src/migrations/account-window.ts): 2 bytes per admission
//   seconds       61 counters of a second
//   tenths        601 counters of 100 ms
// Prints for each shape and limit: window updates a second over one connection; CPU time of the database process per update, with 1 and
// with 64 accounts in a statement; the size of the row; and the share of its limit that a client gets if it uses the limit up within 20 ms,
// or 90 ms, and then waits for RateLimit-Reset.
// Run: npm run bench -- hot-paths. BENCH_LIMITS: the limits, separated by commas.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { withClient } from '@paraph/database/provision'
import { startPostgres } from './postgres.mjs'

const LIMITS = (process.env.BENCH_LIMITS ?? '60,300,1000,1000000').split(',').map(Number)
const UPDATES = Number(process.env.BENCH_REQUESTS ?? 3_000)
const print = (line) => process.stdout.write(`${line}\n`)

const { databaseUrl, stop } = await startPostgres()
try {
  const ownerUrl = databaseUrl.replace('gateway_runtime', 'gateway_owner')
  await withClient(ownerUrl, async (client) => {
    await client.query(counters('seconds', 61, 1_000))
    await client.query(counters('tenths', 601, 100))
  })
  for (const limit of LIMITS) for (const shape of ['log', 'seconds', 'tenths']) await measure(databaseUrl, shape, limit)
} finally {
  await stop()
}

async function measure(url, shape, limit) {
  const admit = shape === 'log' ? 'admit_to_windows' : `admit_by_${shape}`
  const table = shape === 'log' ? 'account_window' : `window_of_${shape}`
  // One connection, so that the CPU time of its server process can be read.
  const client = new pg.Client({ connectionString: url })
  // Without a listener, a lost connection would end this process. The statement in progress rejects anyway.
  client.on('error', () => undefined)
  await client.connect()
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid
  let nowMs = Date.UTC(2026, 0, 1)
  const ask = async (names, count) => {
    const asked = [names, names.map(() => limit), names.map(() => count), new Date(nowMs)]
    return (await client.query(`select * from ${admit}($1, $2, $3, $4)`, asked)).rows
  }
  const figures = []
  for (const accounts of [1, 64]) {
    const names = Array.from({ length: accounts }, (_, at) => `${limit}-${accounts}-${at} production`)
    // Simulates updates of full windows at the rate of the limit, with at most 200 statements in a simulated second.
    const stepMs = Math.max(5, 60_000 / limit)
    const count = Math.round((limit * stepMs) / 60_000)
    const statements = Math.ceil(UPDATES / accounts)
    for (let filled = 0; filled < 60_000; filled += Math.max(stepMs, 50)) {
      nowMs += Math.max(stepMs, 50)
      await ask(names, Math.round((count * Math.max(stepMs, 50)) / stepMs))
    }
    const [startedAt, startedCpuMs] = [performance.now(), cpuMsOf(pid)]
    for (let at = 0; at < statements; at += 1) {
      nowMs += stepMs
      await ask(names, count)
    }
    const updates = statements * accounts
    const perSecond = (updates / (performance.now() - startedAt)) * 1_000
    const cpuUs = ((cpuMsOf(pid) - startedCpuMs) / updates) * 1_000
    figures.push(`${Math.round(perSecond)}/s, ${cpuUs.toFixed(0)} µs CPU (${accounts} in a statement)`)
  }
  const shares = []
  for (const burstMs of [20, 90]) {
    shares.push(`${(100 * (await honestShare(ask, (ms) => (nowMs += ms), limit, burstMs))).toFixed(1)} %`)
  }
  const { rows } = await client.query(
    `select max(pg_column_size(w.*)) as row, pg_table_size('${table}') as bytes from ${table} w where name like $1`,
    [`${limit}-%`],
  )
  print(
    `${limit} a minute, ${shape}: ${figures.join('; ')}; row ${rows[0].row} B, table so far ${(rows[0].bytes / 1e6).toFixed(1)} MB; honest clients get ${shares.join(' and ')}`,
  )
  await client.end()
}

/** Simulates for ten minutes a client that uses its limit up within `burstMs`, is refused, and then waits for RateLimit-Reset. */
async function honestShare(ask, pass, limit, burstMs) {
  const names = [`honest-${limit}-${burstMs} production`]
  let [admitted, passedMs] = [0, 0]
  const wait = (ms) => (pass(ms), (passedMs += ms))
  wait(600_000)
  passedMs = 0
  while (passedMs < 600_000) {
    for (let part = 0; part < 10; part += 1) {
      admitted += (await ask(names, limit / 10))[0].admitted
      wait(burstMs / 10)
    }
    const [{ admitted: more, reset_ms }] = await ask(names, 1)
    admitted += more
    if (more === 0) wait(Math.ceil(reset_ms / 1_000) * 1_000)
  }
  return admitted / ((passedMs / 60_000) * limit)
}

function cpuMsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The alternative to the product: `slots` counters of `slotMs` each in a ring; a slot expires a minute after its end. */
function counters(shape, slots, slotMs) {
  return `
    create unlogged table window_of_${shape} (
      name text primary key, newest_slot bigint not null, used integer not null, counts integer[] storage plain not null
    ) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
    create function admit_by_${shape}(names text[], limits integer[], asked integer[], test_at timestamptz default null)
    returns table (window_name text, admitted integer, used integer, reset_ms integer)
    language plpgsql as $$
    declare
      ask record;
      ring window_of_${shape};
      now_ms bigint;
      slot bigint;
      place integer;
    begin
      for ask in
        select * from unnest(names, limits, asked) as sent (name, max, count) order by sent.name
      loop
        loop
          select * into ring from window_of_${shape} where name = ask.name for update;
          exit when found;
          insert into window_of_${shape} values (ask.name, 0, 0, array_fill(0, array[${slots}])) on conflict do nothing;
        end loop;
        now_ms := extract(epoch from coalesce(test_at, clock_timestamp())) * 1000;
        slot := now_ms / ${slotMs};
        used := ring.used;
        for back in greatest(ring.newest_slot + 1 - slot, 1 - ${slots})::integer..0 loop
          place := (slot + back) % ${slots} + 1;
          used := used - ring.counts[place];
          ring.counts[place] := 0;
        end loop;
        admitted := greatest(0, least(ask.count, ask.max - used));
        used := used + admitted;
        if admitted > 0 then
          place := slot % ${slots} + 1;
          ring.counts[place] := ring.counts[place] + admitted;
          update window_of_${shape}
            set newest_slot = slot, counts = ring.counts, used = admit_by_${shape}.used where name = ask.name;
        end if;
        for ahead in 1 - ${slots}..0 loop
          place := (slot + ahead) % ${slots} + 1;
          reset_ms := (slot + ahead + ${slots}) * ${slotMs} - now_ms;
          exit when ring.counts[place] > 0;
        end loop;
        window_name := ask.name;
        return next;
      end loop;
    end $$`
}
