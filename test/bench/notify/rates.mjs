// Measures what a NOTIFY costs the signing transactions of 64 clients: none, one after each commit as the product sends it, and one in each
// transaction as before, on the local disk and with 3 ms for a commit. In alternating rounds; prints signatures a second and their ratio to
// those without NOTIFY. A NOTIFY in a transaction locks the whole Postgres cluster until its commit is durable; other commits wait.
// Run: npm run bench -- notify. BENCH_SIGNATURES: signatures of a round. BENCH_ROUNDS: rounds.
import { median } from '../pipeline/stage.mjs'
import { CLIENTS, COMMIT_DELAYS_MS, openParts, print, rateOf } from './parts.mjs'

const SIGNATURES = Number(process.env.BENCH_SIGNATURES ?? 4_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const VARIANTS = {
  'no NOTIFY': { isAnnounced: false, isInside: false },
  'NOTIFY after the commit': { isAnnounced: true, isInside: false },
  'NOTIFY in the transaction': { isAnnounced: false, isInside: true },
}

const parts = await openParts()
try {
  await signAll(await createAll())
  for (const delayMs of COMMIT_DELAYS_MS) {
    await parts.delayCommits(delayMs)
    const rates = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, []]))
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, variant] of Object.entries(VARIANTS)) {
        const ids = await createAll()
        await parts.notify(variant)
        rates[name].push(await signAll(ids))
        await parts.notify(VARIANTS['no NOTIFY'])
      }
    const without = median(rates['no NOTIFY'])
    for (const [name, perSecond] of Object.entries(rates))
      print(
        `signatures, ${CLIENTS} clients, ${delayMs} ms more for a commit, ${name}: ` +
          `${Math.round(median(perSecond)).toLocaleString('en')}/s, ${(median(perSecond) / without).toFixed(2)} × no NOTIFY`,
      )
  }
} finally {
  await parts.close()
}

/** @returns the ids of contracts with two parties, for one round */
async function createAll() {
  const ids = []
  await rateOf(SIGNATURES / 2, async () => ids.push(await parts.create()))
  return ids
}

/** Both parties of each contract sign. @returns signatures a second */
async function signAll(ids) {
  return (
    2 *
    (await rateOf(ids.length, async (n) => {
      await parts.sign(ids[n], 0)
      await parts.sign(ids[n], 1)
    }))
  )
}
