// What the whole product costs for a call, as a ratio to a bare Koa with a constant answer: CPU time of all its processes, Postgres included.
// GETs of one contract from 16 clients, and POSTs of contracts with two parties, one after another, until both mails are accepted.
// Prints the memory of the services after the load, and how long both mails take after the 201.
// Run: npm run bench -- product. BENCH_GETS, BENCH_POSTS, BENCH_ROUNDS: GETs and POSTs of a round, and rounds. BENCH_IDLE_SECONDS: also
// measures the CPU of an idle minute or another time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { load, median } from './gateway/load.mjs'
import { importSource } from './import-source.mjs'
import { cpuMsOf } from './pipeline/stage.mjs'
import { withWholeContracts } from './whole-contract/open.mjs'
import { mapValues } from './whole-contract/readings.mjs'

const { quantile } = await importSource('test/harness/quantile.ts')

const GETS = Number(process.env.BENCH_GETS ?? 4_000)
const POSTS = Number(process.env.BENCH_POSTS ?? 100)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const IDLE_SECONDS = Number(process.env.BENCH_IDLE_SECONDS ?? 0)
const CLIENTS = 16

const bareServer = fork(fileURLToPath(new URL('gateway/servers.mjs', import.meta.url)), ['bare'])
const [barePort] = await once(bareServer, 'message')
try {
  await withWholeContracts({ gets: 0, connections: 1 }, measure)
} finally {
  bareServer.kill()
}

async function measure({ readings, people, pids, ports }) {
  const bothMailsMs = []
  let number = 0
  const gets = (port, path) => load({ port, path, headers: people.headers, count: GETS, concurrency: CLIENTS })

  async function posts(count) {
    for (let posted = 0; posted < count; posted += 1) {
      const contract = { number: (number += 1) }
      await people.create(contract)
      const answeredAtMs = performance.now()
      await Promise.all([people.readInvitation(contract, 0), people.readInvitation(contract, 1)])
      bothMailsMs.push(performance.now() - answeredAtMs)
    }
    await readings.settled()
  }

  /** Microseconds of CPU that each process used per call. */
  async function costOf(cpuNow, calls, work) {
    const before = cpuNow()
    await work()
    return mapValues(cpuNow(), (ms, name) => ((ms - before[name]) * 1_000) / calls)
  }

  const cpuNow = () => readings.cpuNow(pids)
  const bareNow = () => ({ bare: cpuMsOf(bareServer.pid) })
  const seen = { number: (number += 1) }
  await people.create(seen)
  const path = `/api/external/v2/contracts/${seen.id}`
  const rounds = { bare: [], GET: [], POST: [] }
  for (let round = 0; round <= ROUNDS; round += 1) {
    const costs = {
      bare: await costOf(bareNow, GETS, () => gets(barePort, path)),
      GET: await costOf(cpuNow, GETS, () => gets(ports.gateway, path)),
      POST: await costOf(cpuNow, POSTS, () => posts(POSTS)),
    }
    // The first round compiles all code.
    if (round > 0) for (const [name, cost] of Object.entries(costs)) rounds[name].push(cost)
    else bothMailsMs.length = 0
  }
  const sum = (cost) => Object.values(cost).reduce((total, each) => total + each, 0)
  const bare = median(rounds.bare.map(sum))
  for (const name of ['GET', 'POST']) {
    const of = Object.keys(rounds[name][0]).map((process) => {
      return `${process} ${Math.round(median(rounds[name].map((cost) => cost[process])))}`
    })
    const all = median(rounds[name].map(sum))
    print(
      `${name}: ${(all / bare).toFixed(1)} × bare Koa (${Math.round(all)} of ${Math.round(bare)} µs: ${of.join(', ')})`,
    )
  }
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(bothMailsMs, share).toFixed(0))
  print(`201 to both mails accepted, one after another: p50 ${p50} ms, p99 ${p99} ms`)
  const memory = mapValues(pids, (pid) => Math.round(pssKbOf(pid) / 1_024))
  const held = Object.entries(memory).map(([service, mb]) => `${service} ${mb}`)
  print(`memory after it: ${sum(memory)} MB (Pss: ${held.join(', ')})`)
  if (IDLE_SECONDS > 0) {
    const idle = await costOf(cpuNow, IDLE_SECONDS * 1_000, () => sleep(IDLE_SECONDS * 1_000))
    print(`idle: ${sum(idle).toFixed(1)} ms of CPU a second`)
  }
}

/** Memory of a process: its own, and its share of what it shares. */
function pssKbOf(pid) {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1])
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
