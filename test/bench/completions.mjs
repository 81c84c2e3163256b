// Measures whether a page waits for PDFs when a hundred contracts are completed at the same time, on a stack as `npm start` runs it. Each
// contract has two parties, one of which has signed. The benchmark sends all last signatures at once and repeatedly loads the last page of
// a further contract; this page queries two services and two databases. Prints the time of the page at rest, during the signatures, and
// then during the PDF creation; the time of the signatures; the time until the last PDF is stored; and the number of worker threads of the
// signing service, which Linux lists.
// Run: npm run bench -- seal. BENCH_CONTRACTS: number of contracts; BENCH_SECONDS: duration of the measurement at rest.
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@paraph/database/provision'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { cpuMsOf, until } from './pipeline/stage.mjs'
import { importSource } from './import-source.mjs'
import { withStack } from './with-stack.mjs'

const { createVisitor, proveMailbox, signOn } = await importSource('test/harness/clients/ceremony-client.ts')

const CONTRACTS = Number(process.env.BENCH_CONTRACTS ?? 100)
const REST_SECONDS = Number(process.env.BENCH_SECONDS ?? 15)
/** The pause between two loads of the page, which keeps their cost small beside the measured work. */
const PAUSE_MS = 20
/** The number of contracts that are prepared concurrently, before the measurement. */
const AT_A_TIME = 4

await withStack(measure, { LOG_LEVEL: 'warn' })

async function measure({ apiUrl, mailboxUrl, databaseUrl, pids }, internal) {
  const key = await newKey()
  const content = await readFile(new URL('../../services/signing/test/contract-text/nda.txt', import.meta.url), 'utf8')
  // The measured page is that of the first contract, whose seal also starts the worker thread and compiles the measured code.
  const other = await prepare(0)
  if ((await other.sign()).status !== 303) throw new Error('a signature was refused')
  await untilStored(1)

  const contracts = []
  while (contracts.length < CONTRACTS) {
    const from = contracts.length + 1
    const count = Math.min(AT_A_TIME, CONTRACTS - contracts.length)
    contracts.push(...(await Promise.all(Array.from({ length: count }, (_, n) => prepare(from + n)))))
  }
  await sleep(3_000)

  const rest = await readPage(() => sleep(REST_SECONDS * 1_000))
  const cpuFrom = cpuMsOf(pids.signing)
  const startedAt = performance.now()
  const signed = []
  const signing = await readPage(() =>
    Promise.all(
      contracts.map(async ({ sign }) => {
        const { status, ms } = await sign()
        if (status !== 303) throw new Error(`a signature was answered with ${status}`)
        signed.push(ms)
      }),
    ),
  )
  const sealing = await readPage(() => untilStored(1 + CONTRACTS))
  const storedAfterMs = performance.now() - startedAt
  const cpuMs = cpuMsOf(pids.signing) - cpuFrom

  printTimes('the page at rest', rest.times)
  printTimes('the page while signatures are answered', signing.times)
  printTimes('the page while PDFs are made', sealing.times)
  printTimes('a signature', signed)
  print(
    `${CONTRACTS} contracts: the last PDF is stored ${(storedAfterMs / 1_000).toFixed(1)} s after the signatures were sent, ` +
      `${(cpuMs / CONTRACTS).toFixed(0)} ms of the signing service's CPU for each`,
  )
  print(`worker threads in the signing service: at most ${Math.max(signing.workers, sealing.workers)}`)

  function printTimes(what, times) {
    const against = (share) =>
      `${at(times, share).toFixed(1)} ms (${(at(times, share) / at(rest.times, share)).toFixed(1)} ×)`
    print(
      `${what}: p50 ${against(0.5)}, p99 ${against(0.99)}, longest ${at(times, 1).toFixed(1)} ms, ${times.length} of them`,
    )
  }

  async function newKey() {
    const operator = createOperatorClient(internal)
    const owner = { name: 'Load', email: 'load@example.test', tier: 'load' }
    const { account } = await operator.gateway.account.create.mutate(owner)
    const scopes = ['contracts:read', 'contracts:write']
    const { key } = await operator.gateway.key.create.mutate({ accountId: account.id, environment: 'live', scopes })
    await operator.close()
    return key.secret
  }

  /** Creates a contract without its last signature; the returned `sign` submits the prepared form. */
  async function prepare(number) {
    const parties = ['first', 'last'].map((role) => ({
      role,
      legalName: `${role} party`,
      email: `${role}.${number}@example.test`,
    }))
    const answer = await fetch(`${apiUrl}/contracts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ contractType: 'nda', content, parties }),
    })
    if (answer.status !== 201) throw new Error(`POST was answered with ${answer.status}`)
    // An address for each contract: one address has at most twenty forms at work. [P26]
    const shareUrl = (await answer.json()).contract.shareUrl.replace('localhost', '127.0.0.1')
    const [first, last] = await Promise.all(
      parties.map(async ({ email }) => {
        const visitor = createVisitor({}, undefined, `127.0.1.${number}`)
        return { visitor, review: await proveMailbox(visitor, shareUrl, email, mailboxUrl) }
      }),
    )
    const { status } = await signOn(first.visitor, first.review, parties[0].legalName)
    if (status !== 303) throw new Error(`a signature was answered with ${status}`)
    first.visitor.close()
    return {
      sign: () => signOn(last.visitor, last.review, parties[1].legalName),
      readDone: () => last.visitor.get(`${shareUrl}/done`),
    }
  }

  /** Loads the page repeatedly while `work` runs. */
  async function readPage(work) {
    const times = []
    let [isOver, workers] = [false, 0]
    const done = work().finally(() => (isOver = true))
    // A failure is thrown below, so that the stack is stopped first.
    done.catch(() => undefined)
    while (!isOver) {
      const { status, ms } = await other.readDone()
      if (status !== 200) throw new Error(`the page was answered with ${status}`)
      times.push(ms)
      workers = Math.max(workers, countWorkers(pids.signing))
      await sleep(PAUSE_MS)
    }
    await done
    return { times, workers }
  }

  function untilStored(count) {
    const url = Object.assign(new URL(databaseUrl), { pathname: '/signing' }).href
    return withClient(url, (client) =>
      until(async () => {
        const { rows } = await client.query('select count(*)::int as count from sealed_copy')
        await sleep(50)
        return rows[0].count === count
      }),
    )
  }
}

/** Counts the worker threads of a process. A thread may end while this function lists the threads. */
function countWorkers(pid) {
  const nameOf = (thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim()
    } catch {
      return ''
    }
  }
  return readdirSync(`/proc/${pid}/task`).filter((thread) => nameOf(thread) === 'WorkerThread').length
}

function at(times, share) {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
