// Measures the CPU time that a GET costs a server with bare Koa, with our mount (libs/rpc rest.ts), and with the handler of
// trpc-to-openapi. Prints user and system time per request, as the median of three alternating rounds, and its ratio to bare Koa.
// Run: npm run bench -- hot-paths. BENCH_REQUESTS: requests of a round.
import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import Koa from 'koa'
import { initTRPC } from '@trpc/server'
import { createOpenApiKoaMiddleware } from 'trpc-to-openapi'
import { Pool } from 'undici'
import { z } from 'zod'
import { mountRest } from '@paraph/rpc/rest'

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 15_000)
const CONCURRENCY = 16
const VARIANTS = ['bare', 'ours', 'library']

const answer = {
  success: true,
  contract: { id: 'contract-1', parties: Array.from({ length: 3 }, () => ({ role: 'r', legalName: 'n' })) },
}
const t = initTRPC.context().meta().create()
const router = t.router({
  get: t.procedure
    .meta({ openapi: { method: 'GET', path: '/contracts/{id}' }, rest: { status: 200, errors: [] } })
    .input(z.object({ id: z.string() }))
    .output(
      z.object({
        success: z.literal(true),
        contract: z.object({ id: z.string(), parties: z.array(z.object({ role: z.string(), legalName: z.string() })) }),
      }),
    )
    .query(() => answer),
})

function appOf(variant) {
  const app = new Koa()
  // Replaces the verification of the caller, which this benchmark does not compare.
  const verify = async () => ({ issuer: 'gateway', principal: undefined })
  if (variant === 'bare') app.use((ctx) => void (ctx.body = answer))
  if (variant === 'ours') app.use(mountRest({ router, verify, callers: ['gateway'] }))
  if (variant === 'library') app.use(createOpenApiKoaMiddleware({ router, createContext: () => ({}) }))
  return app
}

if (process.argv[2]) {
  const server = createServer(appOf(process.argv[2]).callback()).listen(0, '127.0.0.1', () =>
    process.send(server.address().port),
  )
  process.on('message', () => process.send(process.cpuUsage()))
} else {
  const ask = (child) => new Promise((resolve) => (child.once('message', resolve), child.send('cpu')))
  const children = {}
  for (const variant of VARIANTS) {
    const child = fork(fileURLToPath(import.meta.url), [variant])
    const port = await new Promise((resolve) => child.once('message', resolve))
    children[variant] = { child, pool: new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY }), rounds: [] }
  }
  const load = async (pool, count) => {
    let left = count
    const client = async () => {
      while (left-- > 0) await (await pool.request({ path: '/contracts/contract-1', method: 'GET' })).body.dump()
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, client))
  }
  for (const { pool } of Object.values(children)) await load(pool, 3_000)
  for (let round = 0; round < 3; round += 1) {
    for (const { child, pool, rounds } of Object.values(children)) {
      const before = await ask(child)
      await load(pool, REQUESTS)
      const after = await ask(child)
      rounds.push((after.user + after.system - before.user - before.system) / REQUESTS)
    }
  }
  const median = (values) => values.toSorted((a, b) => a - b)[1]
  const bare = median(children.bare.rounds)
  for (const variant of VARIANTS) {
    const each = median(children[variant].rounds)
    process.stdout.write(`${variant}: ${each.toFixed(1)} µs CPU per GET, ${(each / bare).toFixed(2)} × bare Koa\n`)
  }
  for (const { child, pool } of Object.values(children)) {
    child.kill()
    await pool.close()
  }
}
