// A process exports its last spans before it exits, and an unavailable collector does not prevent the exit. [H13, F24]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { claimPort } from '@paraph/paraph/installation/ports'
import { startCollector } from '../../harness/stack/otlp-collector.js'
import { until } from '../../harness/until.js'

/** The source of a service that answers `/usage`, and that throws an uncaught error after its answer to `/status`. */
const SERVICE = (port: number, internalPort: number): string => `
  import { runService } from '@paraph/http/run'
  import { createLogger } from '@paraph/telemetry/logger'
  import { recordRoute } from '@paraph/telemetry/tracing-facade'
  const service = {
    errorsUrl: 'http://localhost/docs/errors',
    publicMiddleware: [(ctx) => {
      recordRoute(ctx.path)
      ctx.body = {}
      if (ctx.path === '/status') ctx.res.on('close', () => setImmediate(() => { throw new Error('nobody catches this') }))
    }],
    internalMiddleware: [],
    start() {},
    async stop() {},
  }
  const config = { HOST: '127.0.0.1', PORT: ${port}, INTERNAL_PORT: ${internalPort}, LINGER_SECONDS: 0, DRAIN_SECONDS: 1 }
  await runService(config, createLogger('probe', 'info'), service)`

/** Starts the service with an export interval of an hour, so that only the exit can export spans. */
async function startTraced(environment: Record<string, string>) {
  const [port, internalPort] = [await claimPort(), await claimPort()]
  const register = fileURLToPath(new URL('../../../libs/telemetry/dist/register.js', import.meta.url))
  const argv = ['--import', register, '--input-type=module', '--eval', SERVICE(port, internalPort)]
  const child = spawn(process.execPath, argv, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, ...environment, OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_SERVICE_NAME: 'probe' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  await until('a ready service', () => (output.includes('"ready"') ? true : undefined))
  return {
    child,
    exited,
    get: (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then((answer) => answer.status),
  }
}

it('a service exports its last spans on SIGTERM, and exits with 0 [H13]', async () => {
  const collector = await startCollector()
  const { child, exited, get } = await startTraced(collector.environment)
  expect(await get('/usage')).toBe(200)
  expect(collector.spans).toEqual([])
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  expect(collector.spans).toMatchObject([{ service: 'probe', attributes: { 'http.route': '/usage' } }])
  await collector.close()
})

it('a service exports its last spans when an uncaught error makes it exit with 1 [H13]', async () => {
  const collector = await startCollector()
  const { exited, get } = await startTraced(collector.environment)
  await get('/status')
  expect(await exited).toEqual([1, null])
  expect(collector.spans).toMatchObject([{ attributes: { 'http.route': '/status' } }])
  expect(collector.received.join('')).not.toContain('nobody catches this')
  await collector.close()
})

it('one trace in ten is kept unless a setting says otherwise, and OTEL_TRACES_SAMPLER_ARG alone changes the share [D51]', async () => {
  const collector = await startCollector()
  const byDefault = { ...collector.environment, OTEL_TRACES_SAMPLER: '' }
  const kept = async (environment: Record<string, string>): Promise<number> => {
    const before = collector.spans.length
    const { child, exited, get } = await startTraced({ ...byDefault, ...environment })
    for (let call = 0; call < 200; call += 1) await get('/usage')
    child.kill('SIGTERM')
    await exited
    return collector.spans.length - before
  }
  const some = await kept({})
  // Twenty are expected. Fewer than two or more than fifty come about less than once in ten million runs.
  expect(some).toBeGreaterThan(1)
  expect(some).toBeLessThan(51)
  expect(await kept({ OTEL_TRACES_SAMPLER_ARG: '1' })).toBe(200)
  await collector.close()
})

it('a service exits with 0 while the collector is unavailable [H13, F24]', async () => {
  const { child, exited, get } = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await claimPort()}`,
  })
  expect(await get('/usage')).toBe(200)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
