// Measures the cost of the gateway, as ratios to other servers of the same run. [architecture: Hot paths]
// Run: npm run bench -- gateway. BENCH_REQUESTS: requests of a round. The rounds of the servers alternate; a figure is the median of its
// rounds. CPU is the user and system time of a server per request, at one rate for all servers. Full load would favour fast servers: they
// keep this client busy, so that it needs no wake-up for each answer, and a server pays for the wake-ups that it causes.
import { load, median } from './load.mjs'
import { openStage, PATH } from './processes.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 20_000)
const VARIANTS = (process.env.BENCH_VARIANTS ?? 'bare,edge,hop,memory,shared,counted,complete').split(',')
const PACED = Math.ceil(REQUESTS / 4)
const ROUNDS = 5
const CONCURRENCY = 64
/** Below the capacity of the slowest variant. */
const CALLS_PER_SECOND = 2_000
/** The number of sequential calls that show the duration of a single call. */
const ALONE = Math.max(100, Math.floor(REQUESTS / 10))

const stage = await openStage()
const calls = { path: PATH, headers: stage.headers }
try {
  const servers = []
  for (const variant of VARIANTS) {
    servers.push({ variant, ...(await stage.start(variant)), cpu: [], perSecond: [], alone: [] })
  }
  for (const { port } of servers)
    await load({ ...calls, port, count: Math.min(REQUESTS, 5_000), concurrency: CONCURRENCY })
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { port, readUsage, cpu, perSecond } of servers) {
      const startedAt = performance.now()
      await load({ ...calls, port, count: REQUESTS, concurrency: CONCURRENCY })
      perSecond.push((REQUESTS / (performance.now() - startedAt)) * 1_000)
      const before = await readUsage()
      await load({ ...calls, port, count: PACED, concurrency: CONCURRENCY, perSecond: CALLS_PER_SECOND })
      const after = await readUsage()
      cpu.push((after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / PACED)
    }
    for (const { port, alone } of servers)
      alone.push(median(await load({ ...calls, port, count: ALONE, concurrency: 1 })))
  }
  const figures = servers.map(({ variant, cpu, perSecond, alone }) => ({
    variant,
    cpu: median(cpu),
    perSecond: median(perSecond),
    alone: median(alone),
  }))
  const [bare, hop] = ['bare', 'hop'].map((name) => figures.find(({ variant }) => variant === name) ?? figures[0])
  for (const { variant, cpu, perSecond, alone } of figures) {
    const added = (alone - hop.alone).toFixed(3)
    process.stdout.write(
      `${variant}: ${cpu.toFixed(1)} µs CPU per call, ${(cpu / bare.cpu).toFixed(2)} × bare Koa; ` +
        `${(perSecond / hop.perSecond).toFixed(2)} of the hop's throughput; alone p50 ${added} ms beyond the hop\n`,
    )
  }
  const [counted, complete] = ['counted', 'complete'].map((name) => figures.find(({ variant }) => variant === name))
  if (counted && complete)
    process.stdout.write(`request log: ${(complete.cpu / counted.cpu).toFixed(3)} × the CPU of a call without it\n`)
} finally {
  await stage.stop()
}
