// The way to a signing service that takes connections and never answers, as after SIGSTOP.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import Koa from 'koa'
import { Agent, request } from 'undici'
import { createCallerKeys } from '@paraph/rpc/test/caller-fixture'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { clientAddress } from '../edge/client-address.js'
import { createPlainPages } from './plain-page.js'
import { createPagesProxy } from './signing-proxy.js'

/** Stands for the 35 s. */
const FORWARD_MS_MAX = 5_000
/** Connections, and those that may wait for one. */
const UNDER_WAY_MAX = 264
const VISITORS = 400

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
const agent = new Agent({ connections: VISITORS })
let isFrozen = true
const signing = createServer((_, res) => {
  if (!isFrozen) res.end('page')
})
let pages: ReturnType<typeof createPagesProxy>
let gateway: ReturnType<typeof createServer>

beforeAll(async () => {
  await once(signing.listen(0, '127.0.0.1'), 'listening')
  pages = createPagesProxy({
    url: `http://127.0.0.1:${portOf(signing)}`,
    signer: createTokenSigner('gateway', createCallerKeys().privateKey, () => Promise.resolve(new Date())),
    sendPlainPage: createPlainPages({ https: false, styleHref: '/assets/gateway/sheet.css' }),
    logger: createLogger('gateway', 'silent'),
    forwardMsMax: FORWARD_MS_MAX,
  })
  gateway = createServer(new Koa().use(clientAddress(0)).use(pages.middleware).callback())
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  for (const server of [signing, gateway]) {
    server.closeAllConnections()
    server.close()
  }
  await agent.destroy()
})

async function open(signal?: AbortSignal) {
  const sentAt = performance.now()
  const url = `http://127.0.0.1:${portOf(gateway)}/contract/TOKEN`
  const reply = await request(url, { dispatcher: agent, ...(signal && { signal }) })
  await reply.body.text()
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], ms: performance.now() - sentAt }
}

it('400 people open a link while signing is frozen: those beyond the queue get 503 without a wait, nobody waits longer than the bound, and all places come back [F40, P27]', async () => {
  isFrozen = true
  const order: number[] = []
  const replies = await Promise.all(
    Array.from({ length: VISITORS }, async () => {
      const reply = await open()
      order.push(reply.ms)
      return reply
    }),
  )
  expect(new Set(replies.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(['503 5']))
  const waited = replies.filter(({ ms }) => ms >= FORWARD_MS_MAX)
  expect(waited.length).toBeLessThanOrEqual(UNDER_WAY_MAX)
  // One bound for all who wait. Without it the connections serve one batch after the other, each for the whole bound.
  expect(Math.max(...order)).toBeLessThan(2 * FORWARD_MS_MAX + Math.min(...order))
  isFrozen = false
  expect((await open()).status).toBe(200)
})

it('a browser that has left gives its place back: as many as have room leave, and the next waits for signing itself [P27]', async () => {
  isFrozen = true
  const leaving = new AbortController()
  const left = Array.from({ length: UNDER_WAY_MAX }, () => open(leaving.signal).catch(() => 'left'))
  await waitFor(async () => expect((await open()).ms).toBeLessThan(FORWARD_MS_MAX))
  leaving.abort()
  await Promise.all(left)
  isFrozen = false
  await waitFor(async () => expect((await open()).status).toBe(200))
})
