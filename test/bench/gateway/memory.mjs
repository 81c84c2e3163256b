// Measures the gateway's memory: the windows of 10,000 accounts that use their full Enterprise rate, and its growth over many calls.
// Run: npm run bench -- gateway. BENCH_ACCOUNTS: accounts of the first part (10,000). BENCH_CALLS: calls of the second part (1,000,000).
import { createMemoryWindows } from '@paraph/gateway/rate-limit/memory-store'
import { load } from './load.mjs'
import { openStage, PATH } from './processes.mjs'

const CALLS = Number(process.env.BENCH_CALLS ?? 1_000_000)
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000)
const PARTS = 10
const MB = 1_048_576

function windowsOfMany(accounts, limit) {
  globalThis.gc()
  const before = process.memoryUsage()
  const windows = createMemoryWindows({ windowsMax: 100_000 })
  for (let account = 0; account < accounts; account += 1) {
    for (let call = 0; call < limit; call += 1) windows.admit(`acc_${account} production`, limit)
  }
  globalThis.gc()
  const after = process.memoryUsage()
  const grown = ['heapUsed', 'external'].reduce((sum, part) => sum + after[part] - before[part], 0)
  // Keeps `windows` reachable, so that the garbage collection before the measurement does not free them.
  if (windows.admit('acc_0 production', limit).admitted) throw new Error('a full window admitted a call')
  return grown / MB
}

process.stdout.write(
  `windows: ${windowsOfMany(ACCOUNTS, 1_000).toFixed(0)} MB for ${ACCOUNTS.toLocaleString('en')} accounts with 1,000 calls each\n`,
)

const stage = await openStage()
try {
  const { port, readUsage } = await stage.start('complete')
  const calls = { port, path: PATH, headers: stage.headers, concurrency: 64 }
  const seen = []
  for (let part = 0; part < PARTS; part += 1) {
    await load({ ...calls, count: CALLS / PARTS })
    seen.push((await readUsage()).memory.rss / MB)
  }
  const [first, last] = [seen[1], seen.at(-1)]
  process.stdout.write(
    `resident memory over ${CALLS} calls: ${seen.map((rss) => rss.toFixed(0)).join(', ')} MB; ` +
      `${(last / first).toFixed(2)} × the value after a fifth of the calls\n`,
  )
} finally {
  await stage.stop()
}
