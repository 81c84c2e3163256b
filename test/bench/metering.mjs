// Measures the cost of a durable usage record before each reply: our group commit against one upsert per call, on the same Postgres with
// fsync on, in three alternating rounds. Prints the durable calls per second, their ratio to the upserts, and the CPU time per call of the
// counting process and of Postgres.
// Run: npm run bench -- hot-paths. BENCH_REQUESTS: calls of a round of the slower variant. BENCH_CLIENTS: concurrent calls.
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { createDatabase, openPool } from '@paraph/database/pool'
import { createUsageRecord } from '@paraph/gateway/usage/recorder'
import { createLogger } from '@paraph/telemetry/logger'
import { startPostgres } from './postgres.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 15_000)
const CLIENTS = Number(process.env.BENCH_CLIENTS ?? 256)
/** Calls of the group commit for each call of the other variant, so that rounds take about the same time. */
const LONGER = 6
const ACCOUNTS = 100
const LABELS = ['POST /contracts', 'GET /contracts/:id', 'GET /usage', 'GET /status']
const POSTGRES_TICK_MS = 10

const postgres = await startPostgres()
const logger = createLogger('gateway', 'silent')
const open = (max) => createDatabase(openPool(postgres.databaseUrl, logger, { max }))
const [writer, database] = [open(2), open(10)]
const usage = createUsageRecord({ database, writer, logger })

const callOf = (prefix, n) => ({
  accountId: `${prefix}_${n % ACCOUNTS}`,
  environment: 'production',
  endpoint: LABELS[n % LABELS.length],
  billable: n % LABELS.length < 2 ? 1 : 0,
  admittedAt: new Date(),
  reservation: undefined,
  answered: true,
})

const VARIANTS = {
  'group commit': { calls: REQUESTS * LONGER, count: (n) => usage.count(callOf('group', n)) },
  'an upsert per call': {
    calls: REQUESTS,
    count: (n) => {
      const { accountId, environment, endpoint, billable, admittedAt } = callOf('each', n)
      return sql`
        insert into usage values
          (${accountId}, ${environment}, ${admittedAt.toISOString()}::date, ${endpoint}, 1, ${billable})
        on conflict (account_id, environment, day, endpoint)
        do update set total = usage.total + 1, billable = usage.billable + excluded.billable`.execute(database)
    },
  },
}

async function load(count, calls) {
  let next = 0
  const client = async () => {
    while (next < calls) await count(next++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

const figures = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, { perSecond: [], ours: [], server: [] }]))
for (const { count, calls } of Object.values(VARIANTS)) await load(count, calls / 5)
for (let round = 0; round < 3; round += 1) {
  for (const [name, { count, calls }] of Object.entries(VARIANTS)) {
    const before = { atMs: performance.now(), cpu: process.cpuUsage(), serverMs: await serverCpuMs() }
    await load(count, calls)
    const seconds = (performance.now() - before.atMs) / 1_000
    const { user, system } = process.cpuUsage(before.cpu)
    figures[name].perSecond.push(calls / seconds)
    figures[name].ours.push((user + system) / calls)
    figures[name].server.push((((await serverCpuMs()) - before.serverMs) * 1_000) / calls)
  }
}
const { rows } = await sql`
  select split_part(account_id, '_', 1) as variant, sum(total)::int as counted from usage group by 1 order by 1`.execute(
  database,
)
const expected = Object.values(VARIANTS).map(({ calls }) => Math.ceil(calls / 5) + 3 * calls)
if (
  rows
    .map(({ counted }) => counted)
    .toSorted((a, b) => a - b)
    .join() !== expected.toSorted((a, b) => a - b).join()
)
  throw new Error(`not every call was counted once: ${JSON.stringify(rows)} instead of ${expected.join(', ')}`)

const median = (values) => values.toSorted((a, b) => a - b)[1]
const each = figures['an upsert per call']
for (const [name, { perSecond, ours, server: theirs }] of Object.entries(figures)) {
  const ratio = (median(perSecond) / median(each.perSecond)).toFixed(2)
  process.stdout.write(
    `metering, ${name}: ${Math.round(median(perSecond)).toLocaleString('en')} durable calls/s, ${ratio} × an upsert per call; ` +
      `CPU per call ${median(ours).toFixed(1)} µs in the process, ${median(theirs).toFixed(1)} µs in Postgres\n`,
  )
}

await Promise.all([writer.destroy(), database.destroy()])
await postgres.stop()

/** User and system time of the running Postgres processes. None ends during the measurement: backends run as long as the pools. */
async function serverCpuMs() {
  let ticks = 0
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (Number(pid) === postgres.pid || Number(fields[1]) === postgres.pid)
      ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * POSTGRES_TICK_MS
}
