// Measures what tracing and metrics cost a call through the gateway (edge and proxy, window in memory): CPU time per call at one rate for
// all variants, as a ratio to the same code without tracing. [D51] Run: npm run bench -- tracing. BENCH_REQUESTS: calls of a round. The
// rounds of the variants alternate; each round gives one ratio, and the median counts.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { load, median } from './gateway/load.mjs'
import { openStage, PATH } from './gateway/processes.mjs'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 3_000)
const ROUNDS = 9
const CALLS_PER_SECOND = 1_000
const CONCURRENCY = 64

/** Accepts spans and metrics, and discards them. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end())
}).listen(0, '127.0.0.1')
await once(collector, 'listening')

const REGISTER = fileURLToPath(new URL('../../libs/telemetry/dist/register.js', import.meta.url))
const traced = (ratio) => ({
  execArgv: ['--import', REGISTER],
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.address().port}`,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(ratio),
    // Exports spans every half second, from a large queue.
    OTEL_BSP_MAX_QUEUE_SIZE: '16384',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048',
    OTEL_BSP_SCHEDULE_DELAY: '500',
  },
})
const VARIANTS = {
  'never built in': { execArgv: ['--import', fileURLToPath(new URL('without-tracing.mjs', import.meta.url))] },
  off: {},
  // Nothing scrapes the metrics here; the cost of a scrape is not part of a call.
  'metrics alone': { execArgv: ['--import', REGISTER], env: { OTEL_METRICS_EXPORTER: 'prometheus' } },
  'on, 0 % sampled': traced(0),
  'on, 10 % sampled': traced(0.1),
  'on, 100 % sampled': traced(1),
}

const stage = await openStage()
try {
  const servers = []
  for (const [name, options] of Object.entries(VARIANTS))
    servers.push({ name, ...(await stage.start('memory', options)), cpu: [] })
  const calls = { path: PATH, headers: stage.headers, count: REQUESTS, concurrency: CONCURRENCY }
  for (const { port } of servers) await load({ ...calls, port })
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { port, readUsage, cpu } of servers) {
      const before = await readUsage()
      await load({ ...calls, port, perSecond: CALLS_PER_SECOND })
      const after = await readUsage()
      cpu.push((after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / REQUESTS)
    }
  }
  const [base] = servers
  for (const { name, cpu } of servers) {
    const ratio = median(cpu.map((µs, round) => µs / base.cpu[round]))
    process.stdout.write(
      `${name}: ${median(cpu).toFixed(0)} µs CPU per call, ${Math.min(...cpu).toFixed(0)} at least; ${ratio.toFixed(2)} ×\n`,
    )
  }
} finally {
  await stage.stop()
  collector.closeAllConnections()
  collector.close()
}
