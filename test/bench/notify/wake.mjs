// Measures how late others learn of a commit, each figure beside that of the way before, in alternating rounds of one run:
// - from a signature to the end of a long poll, in the process that commits and in another one: NOTIFY after the commit, and in the
//   transaction as before; on the local disk and with 3 ms for a commit, alone and while 32 other clients sign;
// - from a commit to the bus: by one relay, by two that share the slots, and by polling, as a relay of another process did before.
// Run: npm run bench -- notify. BENCH_WAKES: commits of each figure.
import { setTimeout as sleep } from 'node:timers/promises'
import { appendToOutbox } from '@paraph/messaging/outbox'
import { createRelay } from '@paraph/messaging/relay'
import { median } from '../pipeline/stage.mjs'
import { COMMIT_DELAYS_MS, openParts, print } from './parts.mjs'

const WAKES = Number(process.env.BENCH_WAKES ?? 100)
const LOADS = [0, 32]
const AFTER = { isAnnounced: true, isInside: false }
const INSIDE = { isAnnounced: false, isInside: true }

const parts = await openParts()
try {
  await measureRelays()
  for (const delayMs of COMMIT_DELAYS_MS) {
    await parts.delayCommits(delayMs)
    for (const clients of LOADS) await measureLongPolls(delayMs, clients)
  }
} finally {
  await parts.close()
}

async function measureLongPolls(delayMs, clients) {
  const took = { own: { after: [], inside: [] }, other: { after: [], inside: [] } }
  for (const [way, variant] of [AFTER, INSIDE, INSIDE, AFTER].map((each) => [
    each === AFTER ? 'after' : 'inside',
    each,
  ])) {
    await parts.notify(variant)
    const endLoad = startLoad(clients)
    for (let wake = 0; wake < WAKES / 2; wake += 1) {
      const { own, other } = await wakeOne()
      took.own[way].push(own)
      took.other[way].push(other)
    }
    await endLoad()
  }
  for (const [where, { after, inside }] of Object.entries(took))
    print(
      `long poll in ${where === 'own' ? 'the same' : 'another'} process, ${delayMs} ms more for a commit, ${clients} clients sign: ` +
        `p50 ${median(after).toFixed(1)} ms from the signature, ${(median(after) / median(inside)).toFixed(2)} × NOTIFY in the transaction`,
    )
}

/** @returns milliseconds from the beginning of a signature to the end of a wait in each process */
async function wakeOne() {
  const id = await parts.create()
  let signedAtMs
  const wait = async (process) => {
    const left = new AbortController().signal
    await process.wait(id, { seconds: 30, left, isNews: (reading) => reading.version > 1 })
    return performance.now() - signedAtMs
  }
  const [own, other] = [wait(parts.own), wait(parts.other)]
  // Both have read the contract by then.
  await sleep(20)
  signedAtMs = performance.now()
  await parts.sign(id, 0)
  return { own: await own, other: await other }
}

/** Signs contracts without a pause until the returned function is called. */
function startLoad(clients) {
  let isOver = false
  const running = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const id = await parts.create()
      await parts.sign(id, 0)
      await parts.sign(id, 1)
    }
  })
  return async () => {
    isOver = true
    await Promise.all(running)
  }
}

async function measureRelays() {
  const arrived = new Map()
  const bus = { publish: async (messages) => messages.forEach(({ key }) => arrived.get(key)?.(performance.now())) }
  const open = () => {
    const relay = createRelay({ directUrl: parts.url, source: '/contract', bus, logger: parts.logger })
    relay.start()
    return relay
  }
  /** @returns the median of the milliseconds from a commit to its publishing */
  const measure = async (name, wake) => {
    const took = []
    for (let n = 0; n < WAKES; n += 1) {
      const key = `${name} ${n}`
      const { promise, resolve } = Promise.withResolvers()
      arrived.set(key, resolve)
      await commit(key)
      const committedAtMs = performance.now()
      wake?.()
      took.push((await promise) - committedAtMs)
      // Longer than the pause of a relay between two batches, and of random length, so that commits meet no rhythm of polls.
      await sleep(30 + Math.random() * 200)
    }
    return median(took)
  }
  const own = open()
  await measure('warm', own.wake)
  const alone = await measure('alone', own.wake)
  const other = open()
  // A relay counts the others once a second.
  await sleep(3_000)
  const shared = await measure('shared', own.wake)
  const polled = await measure('polled')
  await Promise.all([own.stop(), other.stop()])
  print(
    `commit to bus: p50 ${alone.toFixed(1)} ms by one relay; ${shared.toFixed(1)} ms by two relays that share the slots, ` +
      `${(shared / alone).toFixed(2)} × one relay; ${polled.toFixed(1)} ms by polling, as another process's relay did before`,
  )
}

async function commit(key) {
  const at = new Date().toISOString()
  const data = { contractId: key, accountId: 'acc_1', environment: 'sandbox', at }
  const event = { topic: 'contract.events.v1', type: 'contract.expired', subject: key, sequence: 1, data }
  await parts.database.transaction().execute((trx) => appendToOutbox(trx, event))
}
