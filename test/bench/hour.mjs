// Measures whether a rate of whole contracts holds for an hour. A contract has two parties; from its POST until both have read the signed PDF
// all steps follow each other without a pause, with invitations, codes and copies from mails. Product, Postgres, people and SMTP server
// share this machine.
// First it searches the highest rate: contracts in a closed loop, with twice as many lanes in each step, until the rate grows by less than 5 %
// or the second half of a step waits 1.5 times as long for seals as the first. Then contracts arrive at 90 % of that rate, whether or not
// earlier ones have finished. Prints a line each minute, and at the end what a contract cost and how the end compares with the begin.
// docs/explanation/scaling.md has the results.
// Run: npm run bench -- hour. BENCH_SECONDS: duration. BENCH_STEP_SECONDS: length of a step and of a "minute". BENCH_LANES: lanes of the first
// step. BENCH_LANES_MAX: lanes of the last step. BENCH_GETS: GETs for each contract.
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { importSource } from './import-source.mjs'
import { rssBytesOf, until } from './pipeline/stage.mjs'
import { withWholeContracts } from './whole-contract/open.mjs'
import { both } from './whole-contract/people.mjs'
import { DATABASES, mapValues } from './whole-contract/readings.mjs'

const { quantile } = await importSource('test/harness/quantile.ts')

const SECONDS = Number(process.env.BENCH_SECONDS ?? 3_600)
const STEP_SECONDS = Number(process.env.BENCH_STEP_SECONDS ?? 60)
const LANES = Number(process.env.BENCH_LANES ?? 2)
const LANES_MAX = Number(process.env.BENCH_LANES_MAX ?? 64)
const GETS = Number(process.env.BENCH_GETS ?? 20)
const GROWTH_MIN = 1.05
const SEALS_SLOWER_MAX = 1.5
const SHARE_OF_HIGHEST = 0.9
/** Contracts under way, in seconds of arrivals, from which the rate does not hold: fewer than the 120 s after which a missing mail fails. */
const UNDER_WAY_SECONDS_MAX = 60
/** "Minutes" at the begin and at the end that are compared. */
const COMPARED = Math.max(1, Math.min(10, Math.floor(SECONDS / STEP_SECONDS / 2)))
const TABLES_SHOWN = 8
const TIMES = ['POST', 'signature', 'seal']

/** The times of the current minute, by name. `seal`: from the last signature to the stored PDF, by the clock of the Postgres server. */
let times = emptyTimes()
const state = { next: 0, underWay: 0, completed: 0, failed: 0 }
let sealedUntil = new Date(0)

await withWholeContracts(
  { gets: GETS, connections: LANES_MAX, onTime: (name, ms) => times[name].push(ms) },
  async ({ readings, people, pids }) => {
    const highest = await findHighestRate(readings, people)
    const rate = highest * SHARE_OF_HIGHEST
    print(`highest rate: ${highest.toFixed(2)} contracts/s; the hour has ${rate.toFixed(2)}/s`)
    await readings.settled()
    await measureHour(rate, readings, people, pids)
  },
)

/** Takes one contract through all its steps. A failure is counted, and the first one printed. */
async function takeContract(people) {
  state.underWay += 1
  const contract = { number: state.next++ }
  try {
    await people.create(contract)
    await both(people.readInvitation)(contract)
    await people.poll(contract)
    await both(people.review)(contract)
    await people.sign(contract, 0)
    await people.sign(contract, 1)
    await both(people.awaitCopy)(contract)
    await both(people.readCopy)(contract)
    state.completed += 1
  } catch (error) {
    state.failed += 1
    if (state.failed === 1) process.stderr.write(`the first failure: ${error.stack}\n`)
  }
  state.underWay -= 1
}

/** @returns contracts a second */
async function findHighestRate(readings, people) {
  const lanes = []
  let [isOver, highest] = [false, 0]
  const lane = async () => {
    while (!isOver) await takeContract(people)
  }
  for (let count = LANES; count <= LANES_MAX; count *= 2) {
    while (lanes.length < count) lanes.push(lane())
    const from = { at: performance.now(), completed: state.completed, failed: state.failed }
    await sleep(STEP_SECONDS * 500)
    const first = await sealTimes(readings)
    await sleep(STEP_SECONDS * 500)
    // A short step on a busy machine may end before any contract does.
    await until(async () => state.completed > from.completed || state.failed > from.failed)
    const second = await sealTimes(readings)
    const rate = ((state.completed - from.completed) * 1_000) / (performance.now() - from.at)
    const failed = state.failed - from.failed
    const isSlower = first.length > 0 && quantile(second, 0.5) > SEALS_SLOWER_MAX * quantile(first, 0.5)
    print(
      `${count} lanes: ${rate.toFixed(2)} contracts/s, seal p50 ${quantile(first, 0.5)} then ${quantile(second, 0.5)} ms, ${failed} failed`,
    )
    const isHigher = rate >= highest * GROWTH_MIN
    // The first step has cold processes, whose seals say nothing about the rate.
    if (failed === 0 && (!isSlower || highest === 0)) highest = Math.max(highest, rate)
    if (failed > 0 || !isHigher || (isSlower && count > LANES)) break
  }
  isOver = true
  await Promise.all(lanes)
  if (highest === 0) throw new Error('contracts fail at the lowest rate')
  return highest
}

async function measureHour(rate, readings, people, pids) {
  Object.assign(state, { completed: 0, failed: 0 })
  await sealTimes(readings)
  times = emptyTimes()
  const from = { ...(await totals(readings, pids)), at: performance.now() }
  const minutes = []
  let [arrived, counted, isOver] = [0, 0, false]
  const arrivals = (async () => {
    const contracts = []
    while (!isOver) {
      for (; arrived < ((performance.now() - from.at) / 1_000) * rate; arrived += 1)
        contracts.push(takeContract(people))
      if (state.underWay > Math.max(LANES_MAX, rate * UNDER_WAY_SECONDS_MAX))
        throw new Error(`the rate does not hold: ${state.underWay} contracts are under way`)
      await sleep(2)
    }
    await Promise.all(contracts)
  })()
  // A failure is thrown below, after the minute in which it occurred.
  let failure
  arrivals.catch((error) => (failure = error))
  for (let minute = 1; minute * STEP_SECONDS <= SECONDS && !failure; minute += 1) {
    await sleep(Math.max(0, from.at + minute * STEP_SECONDS * 1_000 - performance.now()))
    const ended = { minute, times, completed: state.completed - counted }
    counted = state.completed
    times = emptyTimes()
    ended.times.seal = await sealTimes(readings)
    minutes.push(ended)
    printMinute(ended, await readings.unfinished(), mapValues(pids, rssBytesOf))
  }
  isOver = true
  await arrivals
  const seconds = (performance.now() - from.at) / 1_000
  const to = await totals(readings, pids)
  await readings.settled()
  printCosts({ from, to, seconds, perSecond: state.completed / seconds })
  printComparison(minutes.slice(0, COMPARED), minutes.slice(-COMPARED))
  printTables(await largestTables(readings))
}

/** Times from the last signature to the stored PDF, in milliseconds, of all seals since the previous call. */
async function sealTimes({ query }) {
  const sealed = await query('signing', 'select contract_id as id, done_at from seal_task where done_at > $1', [
    sealedUntil,
  ])
  const signed = await query('contract', 'select id, completed_at from contract where id = any($1)', [
    sealed.map(({ id }) => id),
  ])
  const signedAt = new Map(signed.map(({ id, completed_at: at }) => [id, at]))
  for (const { done_at: at } of sealed) if (at > sealedUntil) sealedUntil = at
  return sealed.map(({ id, done_at: at }) => at - signedAt.get(id))
}

/** CPU time in milliseconds, and bytes of WAL and of all databases so far. */
async function totals(readings, pids) {
  const { user, system } = process.cpuUsage()
  const cpu = { ...readings.cpuNow(pids), 'load generator': (user + system) / 1_000 }
  const [{ bytes: wal, images }] = await readings.query(
    'contract',
    'select wal_bytes::float8 as bytes, wal_fpi::float8 as images from pg_stat_wal',
  )
  const [{ bytes: disk }] = await readings.query(
    'contract',
    'select sum(pg_database_size(datname))::float8 as bytes from pg_database where datname = any($1)',
    [DATABASES],
  )
  return { cpu, wal, images, disk }
}

/** The largest tables of all databases, with what vacuum has left of old row versions. */
async function largestTables({ query }) {
  const tables = await Promise.all(
    DATABASES.map(async (database) =>
      (
        await query(
          database,
          `select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as live, n_dead_tup::float8 as dead,
                  autovacuum_count::float8 as vacuums from pg_stat_user_tables`,
        )
      ).map((table) => ({ database, ...table })),
    ),
  )
  return tables
    .flat()
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, TABLES_SHOWN)
}

function emptyTimes() {
  return Object.fromEntries(TIMES.map((name) => [name, []]))
}

function printMinute({ minute, times: taken, completed }, { seals, mails, outbox }, memory) {
  const mb = Object.entries(memory).map(([name, bytes]) => `${name} ${Math.round(bytes / 1_048_576)}`)
  const each = TIMES.map((name) => `${name} p50 ${quantile(taken[name], 0.5)} p99 ${quantile(taken[name], 0.99)} ms`)
  print(
    `minute ${minute}: ${completed} contracts, ${(completed / STEP_SECONDS).toFixed(2)}/s; ${each.join(', ')}; waiting ${seals} seals, ` +
      `${mails} mails, ${outbox} outbox rows; ${state.underWay} under way, ${state.failed} failed; MB ${mb.join(', ')}`,
  )
}

function printCosts({ from, to, seconds, perSecond }) {
  const kb = (bytes) => `${(bytes / state.completed / 1_024).toFixed(1)} KB`
  const cpu = mapValues(to.cpu, (ms, name) => ms - from.cpu[name])
  const all = Object.values(cpu).reduce((sum, ms) => sum + ms, 0)
  const each = Object.entries(cpu).map(([name, ms]) => `${name} ${(ms / state.completed).toFixed(1)}`)
  print(
    `all: ${state.completed} contracts in ${seconds.toFixed(0)} s, ${perSecond.toFixed(2)}/s, ${state.failed} failed; ` +
      `${Math.round(perSecond * 86_400).toLocaleString('en')} a day`,
  )
  print(
    `CPU ms of a contract: ${each.join(', ')}; ${(all / seconds / 1_000).toFixed(2)} of ${availableParallelism()} cores busy`,
  )
  print(
    `bytes of a contract: WAL ${kb(to.wal - from.wal)}, with ${((to.images - from.images) / state.completed).toFixed(1)} whole pages; ` +
      `disk ${kb(to.disk - from.disk)} before old row versions are reused`,
  )
}

function printComparison(first, last) {
  const rateOf = (minutes) => minutes.reduce((sum, { completed }) => sum + completed, 0)
  const p99Of = (minutes, name) =>
    quantile(
      minutes.flatMap((minute) => minute.times[name]),
      0.99,
    )
  const ratio = (of) => (of(last) / of(first)).toFixed(2)
  const each = TIMES.map((name) => `p99 of ${name} ${ratio((minutes) => p99Of(minutes, name))} ×`)
  print(`last ${COMPARED} minutes ÷ first ${COMPARED}: rate ${ratio(rateOf)} ×, ${each.join(', ')}`)
}

function printTables(tables) {
  for (const { database, name, bytes, live, dead, vacuums } of tables)
    print(
      `table ${database} ${name}: ${(bytes / 1_048_576).toFixed(1)} MB, ${live} rows, ${dead} dead, ${vacuums} vacuums`,
    )
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
