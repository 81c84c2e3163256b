// Measures what a contract of two parties costs, from its POST until its parties read their copies: CPU time of each service and of
// Postgres, WAL, and rows and bytes of every table. docs/explanation/sizing.md and docs/explanation/scaling.md use these figures.
// Starts an empty, durable Postgres, the services, and an SMTP server in this process. A warm-up compiles all code. The work consists of
// steps; each begins when all work of the previous one has finished, so that asynchronous work counts in the step that caused it. The idle
// CPU time is measured first, and subtracted from that of each step.
// Run: npm run bench -- sizing. BENCH_CONTRACTS: number of contracts. BENCH_WARM: contracts before the measurement. BENCH_GETS: GETs for
// each contract. BENCH_IDLE_MS: length of the idle measurement.
import { setTimeout as sleep } from 'node:timers/promises'
import { withWholeContracts } from './whole-contract/open.mjs'
import { both, CONTENT } from './whole-contract/people.mjs'
import { DATABASES, mapValues, SERVICES } from './whole-contract/readings.mjs'

const CONTRACTS = Number(process.env.BENCH_CONTRACTS ?? 300)
const WARM_UP = Number(process.env.BENCH_WARM ?? 50)
const GETS = Number(process.env.BENCH_GETS ?? 20)
const IDLE_MS = Number(process.env.BENCH_IDLE_MS ?? 10_000)
/** The number of concurrent contracts. */
const LANES = 4

await withWholeContracts({ gets: GETS, connections: LANES }, measure)

async function measure({ mail, readings, people, pids }) {
  const { query, settled, walPosition } = readings
  const cpuNow = () => readings.cpuNow(pids)
  await query('contract', 'create extension pg_walinspect')

  await play(0, WARM_UP, async (_, work) => {
    await work()
    await settled()
  })

  const idleFrom = { at: performance.now(), cpu: cpuNow() }
  await sleep(IDLE_MS)
  const idleMs = performance.now() - idleFrom.at
  const idle = mapValues(cpuNow(), (ms, name) => (ms - idleFrom.cpu[name]) / idleMs)

  const sizesFrom = await sizes(query)
  await query('contract', 'checkpoint')
  const steps = []
  await play(WARM_UP, CONTRACTS, async (name, work) => {
    const from = { at: performance.now(), cpu: cpuNow(), wal: await walPosition(), mails: mail.accepted() }
    const requests = await work()
    await settled()
    const ms = performance.now() - from.at
    const cpu = mapValues(cpuNow(), (now, of) => (now - from.cpu[of] - idle[of] * ms) / CONTRACTS)
    const wal = mapValues(await walSince(query, from.wal), (bytes) => bytes / CONTRACTS)
    steps.push({ name, cpu, wal, mails: mail.accepted() - from.mails, requests })
  })
  const sizesTo = await sizes(query)
  printResults({ idle, steps, tables: await grown(sizesFrom, sizesTo) })

  /** Takes `count` contracts through all steps. `step` runs each; its `work` resolves with the calls and page requests per contract. */
  async function play(from, count, step) {
    const contracts = Array.from({ length: count }, (_, at) => ({ number: from + at }))
    const all = (work) => async () => {
      const [before, calls] = [people.pages(), people.calls()]
      await inLanes(contracts, work)
      return { pages: (people.pages() - before) / count, calls: (people.calls() - calls) / count }
    }
    await step('POST and two invitations', all(people.create))
    await step(`${GETS} GETs`, all(people.poll))
    await step('two people up to the text: pages, codes', all(both(people.review)))
    await step(
      'the first signature',
      all((contract) => people.sign(contract, 0)),
    )
    await step(
      'the last signature, the seal, two copies mailed',
      all((contract) => people.sign(contract, 1)),
    )
    await step('two people read the last page and the PDF', all(both(people.readCopy)))
  }
}

/** The WAL bytes of the whole server since `lsn`; `images`: those of full-page images (first change of a page after a checkpoint). */
async function walSince(query, lsn) {
  // This commit flushes the WAL, because the next query sees only flushed WAL.
  await query('contract', `select pg_logical_emit_message(true, '', '')`)
  const [{ total, images }] = await query(
    'contract',
    `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '${lsn}')::float8 as total,
            (select sum(fpi_size)::float8 from pg_get_wal_stats('${lsn}', pg_current_wal_flush_lsn())) as images`,
  )
  return { total, images }
}

/** Rows and bytes of every table, by database and name. Includes the space of old row versions, which stays allocated. */
async function sizes(query) {
  const found = {}
  for (const database of DATABASES) {
    await query(database, 'vacuum analyze')
    const tables = await query(
      database,
      `select c.oid::regclass::text as name, pg_table_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
    )
    for (const { name, heap, indexes } of tables) {
      const [{ rows }] = await query(database, `select count(*)::float8 as rows from ${name}`)
      found[`${database} ${name.replace(/^bus\./, '')}`] = { rows, heap, indexes }
    }
  }
  return found
}

/** The growth of each table per contract, and its retention in days; undefined: kept for ever. */
async function grown(from, to) {
  const daysOf = new Map([
    ['bus message', 30],
    ['signing text_shown', 1],
  ])
  for (const service of SERVICES) {
    const { RETENTION } = await import(`@paraph/${service}/retention`)
    for (const { table, keptFor, clearColumn } of RETENTION.pruned)
      if (clearColumn === undefined) daysOf.set(`${service} ${table}`, daysIn(keptFor))
  }
  return Object.entries(to).flatMap(([name, { rows, heap, indexes }]) => {
    const before = from[name]
    const each = (now, then) => (now - then) / CONTRACTS
    const table = {
      rows: each(rows, before.rows),
      heap: each(heap, before.heap),
      indexes: each(indexes, before.indexes),
    }
    return table.rows + table.heap + table.indexes === 0 ? [] : [{ name, days: daysOf.get(name), ...table }]
  })
}

function daysIn(interval) {
  const [, count, unit] = /^(\d+) (minute|hour|day)s?$/.exec(interval)
  return Number(count) / { minute: 1_440, hour: 24, day: 1 }[unit]
}

async function inLanes(contracts, work) {
  let next = 0
  const lane = async () => {
    while (next < contracts.length) await work(contracts[next++])
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function printResults({ idle, steps, tables }) {
  const print = (line) => process.stdout.write(`${line}\n`)
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  const kb = (bytes) => `${(bytes / 1_024).toFixed(1)} KB`
  const cpu = (values) =>
    Object.entries(values)
      .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
      .join(', ')

  print(
    `${CONTRACTS} contracts of two parties and ${(Buffer.byteLength(CONTENT) / 1_000).toFixed(1)} KB, after ${WARM_UP}; for each contract:`,
  )
  print(`a second of nothing, and not of a contract: CPU ms ${cpu(mapValues(idle, (share) => share * 1_000))}`)
  const all = {
    name: 'all of it',
    mails: sum(steps.map(({ mails }) => mails)),
    cpu: mapValues(idle, (_, of) => sum(steps.map((step) => step.cpu[of]))),
    wal: mapValues(steps[0].wal, (_, of) => sum(steps.map((step) => step.wal[of]))),
    requests: mapValues(steps[0].requests, (_, of) => sum(steps.map((step) => step.requests[of]))),
  }
  for (const { name, requests, mails, cpu: ms, wal } of [...steps, all])
    print(
      `${name}: ${requests.calls} calls, ${requests.pages} requests of people, ${mails / CONTRACTS} mails; ` +
        `CPU ms ${cpu(ms)}; WAL ${kb(wal.total)}, ${kb(wal.images)} of it whole pages`,
    )
  for (const { name, rows, heap, indexes, days } of tables)
    print(
      `table ${name}: ${rows.toFixed(2)} rows, ${kb(heap)} and ${kb(indexes)} of indexes, ${days === undefined ? 'stays' : `${+days.toFixed(2)} days`}`,
    )
  for (const database of DATABASES) {
    const own = tables.filter(({ name }) => name.startsWith(`${database} `))
    const of = (list) => kb(sum(list.map(({ heap, indexes }) => heap + indexes)))
    print(
      `database ${database}: ${sum(own.map(({ rows }) => rows)).toFixed(1)} rows, ${of(own)}, of which stays ${of(own.filter(({ days }) => days === undefined))}`,
    )
  }
  const bytes = ({ heap, indexes }) => heap + indexes
  const staying = sum(tables.filter(({ days }) => days === undefined).map(bytes))
  const passing = sum(tables.filter(({ days }) => days !== undefined).map((table) => bytes(table) * table.days))
  const tb = (count) => `${(count / 1e12).toFixed(2)} TB`
  print(`a million a day for a year: ${tb(staying * 365e6)} that stay, ${tb(passing * 1e6)} that come and go`)
}
