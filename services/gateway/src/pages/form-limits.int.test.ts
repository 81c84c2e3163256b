// The limits of page POSTs alone, over real HTTP: the page behind them waits until a test lets it go.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import Koa from 'koa'
import { Agent, request } from 'undici'
import { waitFor } from '@paraph/testing/wait-for'
import { clientAddress } from '../edge/client-address.js'
import { answerRawErrors } from '../edge/raw-errors.js'
import { createAddressWindow } from '../rate-limit/address-limit.js'
import { createFormLimits, formBodyOf } from './form-limits.js'
import { createPlainPages } from './plain-page.js'

const LINK = '/contract/TOKEN/code'
let nowMs = 0
let isHeld = false
let atWork = 0
let letGo = Promise.withResolvers<void>()
let agent: Agent

const app = new Koa()
  .use(clientAddress(1))
  .use((ctx, next) => limits(ctx, next))
  .use(async (ctx) => {
    atWork += 1
    if (isHeld) await letGo.promise
    atWork -= 1
    ctx.body = `took ${(await formBodyOf(ctx))?.toString() ?? 'a read'}`
  })
app.silent = true
const sendPlainPage = createPlainPages({ https: false, styleHref: '/assets/gateway/sheet.css' })
let limits = createFormLimits({ sendPlainPage, holdMs: 0, restMs: 0 })
let server: ReturnType<typeof createServer>
let port: number

beforeEach(async () => {
  // One for each test: a later server may get the port of an earlier one.
  agent = new Agent({ connections: 500 })
  ;[nowMs, isHeld, atWork, letGo] = [0, false, 0, Promise.withResolvers<void>()]
  limits = createFormLimits({ sendPlainPage, nowMs: () => nowMs, holdMs: 0, restMs: 0 })
  server = createServer(app.callback())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  letGo.resolve()
  await agent.destroy()
  server.closeAllConnections()
  server.close()
})

async function send(address: string, path = LINK, method: 'POST' | 'GET' = 'POST', language = 'en') {
  const headers = { 'x-forwarded-for': address, 'accept-language': language }
  const body = method === 'POST' ? 'a=b' : null
  const reply = await request(`http://127.0.0.1:${port}${path}`, { method, headers, body, dispatcher: agent })
  const text = await reply.body.text()
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], headers: reply.headers, text }
}

/** Sends `count` forms that wait at work, each from the address and to the path of its number. */
async function hold(count: number, addressOf: (at: number) => string, pathOf: (at: number) => string = () => LINK) {
  isHeld = true
  const before = atWork
  const replies = Array.from({ length: count }, (_, at) => send(addressOf(at), pathOf(at)))
  await waitFor(() => expect(atWork).toBe(before + count))
  return Promise.all(replies)
}

const connectionsOf = (of: typeof server) =>
  new Promise<number>((resolve) => of.getConnections((_error, count) => resolve(count)))

const otherLink = (at: number) => `/contract/OTHER-${at}/code`

it.each([
  ['an IPv4 address', 10, 4, () => '192.0.2.1'],
  ['a /64', 10, 4, (at: number) => `2001:db8:0:1::${at.toString(16)}`],
  ['a /56', 20, 6, (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`],
  ['a /48', 40, 8, (at: number) => `2001:db8:0:${(at * 256).toString(16)}::1`],
])('%s sends %i files to check a minute, %i at the same time; other forms of it pass [D68]', async (...row) => {
  const [, perMinute, inFlight, addressOf] = row
  const held = hold(inFlight, addressOf, () => '/verify?lang=en')
  await waitFor(() => expect(atWork).toBe(inFlight))
  const refused = await send(addressOf(inFlight), '/verify')
  expect([refused.status, refused.retryAfter, atWork]).toEqual([503, '5', inFlight])
  isHeld = false
  letGo.resolve()
  // The body of such a form is not read here.
  expect(new Set((await held).map(({ text }) => text))).toEqual(new Set(['took a read']))
  for (let at = inFlight + 1; at < perMinute; at += 1) expect((await send(addressOf(at), '/verify')).status).toBe(200)
  nowMs = 20_000
  const tooMany = await send(addressOf(perMinute), '/verify')
  expect([tooMany.status, tooMany.retryAfter]).toEqual([429, '40'])
  expect(tooMany.text).toContain('Too many checks in one minute')
  expect((await send(addressOf(perMinute), '/verify', 'POST', 'fr-CA')).text).toContain('Trop de vérifications')
  expect((await send(addressOf(perMinute), '/verify', 'GET')).status).toBe(200)
  expect((await send(addressOf(perMinute))).status).toBe(200)
  nowMs = 61_000
  expect((await send(addressOf(perMinute), '/verify')).status).toBe(200)
})

it('at most 12 files to check are on their way from any addresses, and they take no place of a form [D68]', async () => {
  const addressOf = (at: number) => `198.51.100.${at}`
  const held = hold(12, addressOf, () => '/verify')
  await waitFor(() => expect(atWork).toBe(12))
  expect((await send(addressOf(12), '/verify')).status).toBe(503)
  const form = send(addressOf(0))
  await waitFor(() => expect(atWork).toBe(13))
  letGo.resolve()
  expect((await form).status).toBe(200)
  await held
})

it.each([
  ['an IPv4 address', 600, () => '192.0.2.1', '192.0.2.2'],
  ['a /64', 600, (at: number) => `2001:db8:0:1::${at.toString(16)}`, '2001:db8:0:2::1'],
  ['a /56', 1_200, (at: number) => `2001:db8:0:${(at % 256).toString(16)}::1`, '2001:db8:0:100::1'],
  ['a /48', 2_400, (at: number) => `2001:db8:0:${at.toString(16)}::1`, '2001:db8:1::1'],
])(
  '%s sends %i forms a minute, then gets a 429 page that says when to return; its reads and other clients pass [P26]',
  async (_, formsPerMinute, addressOf, other) => {
    const last = addressOf(formsPerMinute)
    // One connection at a time is enough: no form is held.
    for (let at = 0; at < formsPerMinute; at += 10) {
      const batch = Array.from({ length: 10 }, (_, index) => send(addressOf(at + index), otherLink(at + index)))
      for (const { status } of await Promise.all(batch)) expect(status).toBe(200)
    }
    nowMs = 20_000
    const refused = await send(last)
    expect([refused.status, refused.retryAfter]).toEqual([429, '40'])
    expect(refused.text).toContain('reload this page. Your browser offers to send the form again')
    expect((await send(last, LINK, 'POST', 'fr-CA')).text).toContain('Trop de formulaires en une minute')
    expect((await send(last, LINK, 'GET')).status).toBe(200)
    expect((await send(other)).status).toBe(200)
    nowMs = 61_000
    expect((await send(last)).text).toBe('took a=b')
  },
)

it.each([
  ['an IPv4 address', 20, () => '192.0.2.1', '192.0.2.2'],
  ['a /64', 20, (at: number) => `2001:db8:0:1::${at.toString(16)}`, '2001:db8:0:2::1'],
  ['a /56', 40, (at: number) => `2001:db8:0:${at.toString(16)}::1`, '2001:db8:0:100::1'],
  ['a /48', 80, (at: number) => `2001:db8:0:${(at * 256).toString(16)}::1`, '2001:db8:1::1'],
])(
  '%s has at most %i forms in progress; the next gets a page that says "busy", other clients pass [P26]',
  async (_, inFlight, addressOf, other) => {
    const held = hold(inFlight, addressOf, otherLink)
    await waitFor(() => expect(atWork).toBe(inFlight))
    const refused = await send(addressOf(inFlight), otherLink(inFlight))
    expect([refused.status, refused.retryAfter, atWork]).toEqual([503, '5', inFlight])
    expect(refused.text).toContain('We are busy. Try again in a moment')
    expect(refused.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await send(addressOf(inFlight), '/', 'POST', 'fr-CA')).text).toContain('Nous sommes très occupés')
    const passes = send(other, '/contract/ELSE')
    await waitFor(() => expect(atWork).toBe(inFlight + 1))
    letGo.resolve()
    expect(new Set((await held).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await passes).status).toBe(200)
    expect((await send(addressOf(0))).status).toBe(200)
  },
)

const address = (at: number) => `198.51.${Math.trunc(at / 250)}.${at % 250}`

it.each([
  ['one share link', 10, () => LINK, '/contract/OTHER', '/contract/TOKEN/sign'],
  ['the forms of sign-in', 10, () => '/console/sign-in', '/console/keys/new', '/console/sign-in/CHALLENGE'],
])('%s: at most %i forms from any addresses are at work, and other forms pass [F39, P26]', async (...row) => {
  const [, max, pathOf, other, sameTarget] = row
  const held = hold(max, address, pathOf)
  await waitFor(() => expect(atWork).toBe(max))
  expect((await send('192.0.2.1', sameTarget)).status).toBe(503)
  const passes = send('192.0.2.2', other)
  await waitFor(() => expect(atWork).toBe(max + 1))
  letGo.resolve()
  expect((await passes).status).toBe(200)
  await held
  // Each place rests until a timer that starts at the end of its form.
  await waitFor(async () => expect((await send('192.0.2.3', sameTarget)).status).toBe(200))
})

it('at most 100 forms are at work, from any addresses and to any pages [F39, P26]', async () => {
  const held = hold(100, address, otherLink)
  await waitFor(() => expect(atWork).toBe(100))
  expect((await send('192.0.2.1', '/console/keys/new')).status).toBe(503)
  expect(atWork).toBe(100)
  letGo.resolve()
  expect(new Set((await held).map(({ status }) => status))).toEqual(new Set([200]))
})

it('clients that send their forms slowly or leave take no place at work from others [P26]', async () => {
  const sockets = Array.from({ length: 60 }, (_, at) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `POST /console/sign-in HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address(at)}\r\nContent-Length: 9\r\n\r\na=`
    return { socket, sent: new Promise((resolve) => socket.write(head, resolve)) }
  })
  await Promise.all(sockets.map(({ sent }) => sent))
  expect((await send('192.0.2.1', '/console/sign-in')).status).toBe(200)
  for (const { socket } of sockets) socket.destroy()
  expect((await send('192.0.2.1', '/console/sign-in')).status).toBe(200)
})

it('a refused form waits for its answer, so that a client cannot send the next one at once; other clients do not wait [F39, P26]', async () => {
  limits = createFormLimits({ sendPlainPage, holdMs: 500 })
  const held = hold(20, () => '192.0.2.1', otherLink)
  await waitFor(() => expect(atWork).toBe(20))
  isHeld = false
  const startedAt = performance.now()
  const refused = send('192.0.2.1').then(({ status }) => ({ status, ms: performance.now() - startedAt }))
  const first = await Promise.race([refused, send('192.0.2.2')])
  expect(first.status).toBe(200)
  const { status, ms } = await refused
  expect(status).toBe(503)
  expect(ms).toBeGreaterThan(490)
  const others = Array.from({ length: 50 }, () => send('192.0.2.1').then(() => performance.now()))
  const answeredAt = (await Promise.all(others)).toSorted((a, b) => a - b)
  // One each 10 ms; a slow machine makes it longer.
  expect(answeredAt.at(-1)! - answeredAt[0]!).toBeGreaterThan(400)
  letGo.resolve()
  await held
})

it.each([
  ['leaves', 'leave', ''],
  ['breaks its body', 'zz\r\n', 'HTTP/1.1 503'],
])('a client that %s while its refused form waits changes nothing for others [F39, P26]', async (_, then, answered) => {
  limits = createFormLimits({ sendPlainPage, holdMs: 300 })
  answerRawErrors(server, createAddressWindow(), 'http://sign.test/docs/errors')
  const held = hold(20, () => '192.0.2.1', otherLink)
  await waitFor(() => expect(atWork).toBe(20))
  isHeld = false
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.write(
    `POST ${LINK} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n`,
  )
  // A later refused form is answered later, so the first one waits when the client goes on.
  const later = send('192.0.2.1')
  await waitFor(async () => expect((await connectionsOf(server)) > 20).toBe(true))
  if (then === 'leave') socket.destroy()
  else socket.write(then)
  expect((await later).status).toBe(503)
  await waitFor(() => expect(answer.slice(0, 12)).toBe(answered))
  socket.destroy()
  expect((await send('192.0.2.2')).status).toBe(200)
  letGo.resolve()
  await held
})

it.each([
  ['one share link', LINK, '/contract/OTHER/code'],
  ['sign-in', '/console/sign-in', '/console/keys/new'],
])(
  'while as many forms of %s are at work as may be, each keeps its place for a while after its end; otherwise not [F39, P26]',
  async (_, path, other) => {
    limits = createFormLimits({ sendPlainPage, holdMs: 0, restMs: 2_000 })
    for (let at = 0; at < 30; at += 1) expect((await send(address(at), path)).status).toBe(200)
    const held = hold(10, address, () => path)
    await waitFor(() => expect(atWork).toBe(10))
    letGo.resolve()
    await held
    isHeld = false
    expect((await send('192.0.2.1', path)).status).toBe(503)
    expect((await send('192.0.2.1', other)).status).toBe(200)
    await waitFor(async () => expect((await send('192.0.2.1', path)).status).toBe(200))
  },
)
