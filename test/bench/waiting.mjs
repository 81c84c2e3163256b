// Measures the cost and latency of long polls (`Prefer: wait=30`), on a stack of its own. [D22]
// Prints: memory per waiter and idle CPU of gateway and contract service, database connections while all wait, and the time from
// sending a cancellation to each answer. Run: npm run bench -- waiting. BENCH_WAITERS and BENCH_SECONDS make it shorter.
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { withClient } from '@paraph/database/provision'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { cpuMsOf, rssBytesOf } from './pipeline/stage.mjs'
import { withStack } from './with-stack.mjs'

const WAITERS = Number(process.env.BENCH_WAITERS ?? 1_000)
const IDLE_SECONDS = Number(process.env.BENCH_SECONDS ?? 12)
const ROUNDS = 5
const PROCESSES = ['gateway', 'contract']

await withStack(measure)

async function measure({ apiUrl, pids, databaseUrl }, internal) {
  const operator = createOperatorClient(internal)
  const owner = { name: 'Load', email: 'load@example.test', tier: 'load' }
  const { account } = await operator.gateway.account.create.mutate(owner)
  const scopes = ['contracts:read', 'contracts:write']
  const { key } = await operator.gateway.key.create.mutate({ accountId: account.id, environment: 'live', scopes })

  const { origin, pathname } = new URL(apiUrl)
  const pool = new Pool(origin, { connections: WAITERS + 10 })
  const headers = { 'x-api-key': key.secret }
  const get = async (id, more = {}) => {
    const answer = await pool.request({
      method: 'GET',
      path: `${pathname}/contracts/${id}`,
      headers: { ...headers, ...more },
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, etag: answer.headers.etag, text, atMs: performance.now() }
  }
  /** Resolves with the ETag when all invitations are sent: each of them is a change. [D52] */
  const invited = async (id) => {
    for (;;) {
      const { etag, text } = await get(id)
      if (!/"delivery":"(?!sent)/.test(text)) return etag
      await sleep(50)
    }
  }
  const parties = ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}@example.test` }))
  const createContract = async () => {
    const body = JSON.stringify({ contractType: 'nda', content: 'Nothing is said.', parties })
    const options = {
      method: 'POST',
      path: `${pathname}/contracts`,
      headers: { ...headers, 'content-type': 'application/json' },
    }
    const answer = await pool.request({ ...options, body })
    return (await answer.body.json()).contract.id
  }
  /** Starts all long polls for `id`; resolves when they wait. */
  const wait = async (id) => {
    const etag = await invited(id)
    const answers = Array.from({ length: WAITERS }, () => get(id, { 'if-none-match': etag, prefer: 'wait=30' }))
    await sleep(200 + 2 * WAITERS)
    return answers
  }
  const connections = () =>
    withClient(databaseUrl, async (admin) => {
      const { rows } = await admin.query(
        `select datname as name, count(*)::int as count, count(*) filter (where state <> 'idle')::int as busy
         from pg_stat_activity where datname = any($1) group by datname order by datname`,
        [PROCESSES],
      )
      return Object.fromEntries(rows.map((row) => [row.name, row]))
    })

  /** Reads the current memory, then measures the CPU time per second during IDLE_SECONDS. */
  const idle = async () => {
    const [from, startedAtMs] = [stateOf(pids), performance.now()]
    await sleep(IDLE_SECONDS * 1_000)
    const [to, seconds] = [stateOf(pids), (performance.now() - startedAtMs) / 1_000]
    const of = (name) => ({ rssBytes: from[name].rssBytes, cpuMs: (to[name].cpuMs - from[name].cpuMs) / seconds })
    return Object.fromEntries(PROCESSES.map((name) => [name, of(name)]))
  }

  // Sends ordinary traffic first, to exclude the warm-up from the measurement.
  const warm = await createContract()
  for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 100 }, () => get(warm)))
  await sleep(2_000)

  const id = await createContract()
  const before = await idle()
  const connectedBefore = await connections()
  const answers = await wait(id)
  // Waits until the work of starting the long polls has finished.
  await sleep(IDLE_SECONDS * 250)
  const waiting = await idle()
  const connected = await connections()
  for (const name of PROCESSES) {
    const [from, to] = [before[name], waiting[name]]
    print(
      `${name}: ${((to.rssBytes - from.rssBytes) / WAITERS / 1_024).toFixed(1)} KiB of RSS per waiter, ` +
        `${to.cpuMs.toFixed(1)} ms of CPU per second while ${WAITERS} wait (${from.cpuMs.toFixed(1)} ms before)`,
    )
  }
  for (const name of PROCESSES) {
    const [from, to] = [connectedBefore[name], connected[name]]
    print(
      `${name}: ${to.count} database connections while ${WAITERS} wait (${from.count} before), ${to.busy} of them busy`,
    )
  }
  await operator.contract.contract.cancel.mutate({ id, reason: 'measured' })
  await Promise.all(answers)

  const took = []
  const from = stateOf(pids)
  for (let round = 0; round < ROUNDS; round += 1) {
    const contract = await createContract()
    const woken = await wait(contract)
    const sentAtMs = performance.now()
    await operator.contract.contract.cancel.mutate({ id: contract, reason: 'measured' })
    for (const { status, atMs } of await Promise.all(woken)) {
      if (status !== 200) throw new Error(`a waiter was answered with ${status}`)
      took.push(atMs - sentAtMs)
    }
  }
  const to = stateOf(pids)
  for (const name of PROCESSES) {
    const ms = (to[name].cpuMs - from[name].cpuMs) / took.length
    print(`${name}: ${ms.toFixed(2)} ms of CPU per wait, from the request to the answer after a change`)
  }
  took.sort((a, b) => a - b)
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(0)
  print(
    `wake-up of ${WAITERS}, cancellation sent to answer read: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, last ${at(1)} ms`,
  )
  await pool.close()
  await operator.close()
}

/** CPU and memory of each process, as Linux counts them. */
function stateOf(pids) {
  return Object.fromEntries(
    PROCESSES.map((name) => [name, { cpuMs: cpuMsOf(pids[name]), rssBytes: rssBytesOf(pids[name]) }]),
  )
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
