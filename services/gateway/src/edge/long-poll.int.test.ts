import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  startTestGateway,
  until,
  windowOf,
  type Reply,
  type Responder,
  type TestGateway,
} from '../../test/gateway-fixture.js'

const CONTRACT = '/api/external/v2/contracts/contract-1-a'
const USAGE = '/api/external/v2/usage'

let gateway: TestGateway
/** The delayed responses of the contract service in call order, without those whose connection has closed. */
let waiting: { res: ServerResponse; prefer: string }[]

/** Responds 304; if the call may wait, responds when the test releases it. */
const answerWhenReleased: Responder = ({ headers }, res) => {
  const prefer = headers['prefer']
  if (typeof prefer !== 'string') return void res.writeHead(304, { ETag: '"a"' }).end()
  const wait = { res, prefer }
  waiting.push(wait)
  res.on('close', () => (waiting = waiting.filter((each) => each !== wait)))
}

beforeAll(async () => {
  gateway = await startTestGateway()
  await gateway.newTier('six', 6, 1_000)
})
afterAll(() => gateway.stop())
beforeEach(() => {
  waiting = []
  gateway.far.respond = answerWhenReleased
  gateway.far.received.length = 0
})

const get = (key: string, headers: Record<string, string> = { prefer: 'wait=20' }) =>
  gateway.call('GET', CONTRACT, { key, headers: { 'if-none-match': '"a"', ...headers } })
/** Starts a long poll and waits until it reaches the contract service. */
async function wait(key: string): Promise<Promise<Reply>[]> {
  const before = waiting.length
  const reply = get(key)
  await until(() => waiting.length > before)
  // An array, because returning the promise itself would await it.
  return [reply]
}
const release = () => {
  for (const { res, prefer } of waiting)
    res.writeHead(200, { ETag: '"b"', 'Preference-Applied': prefer }).end('{"success":true}')
}
const usageOf = async (key: string) =>
  (await gateway.call('GET', USAGE, { key })).json['usage'] as { totalCalls: number; billableCalls: number }

describe('the header Prefer that the contract service receives [D22]', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['what it needs, and no more', { prefer: 'respond-async, WAIT="07";x=y, handling=strict' }, 'wait=7'],
    ['30 seconds for more', { prefer: 'wait=3600' }, 'wait=30'],
    ['nothing of nonsense', { prefer: 'wait=soon' }, undefined],
    ['nothing where nothing is known', { prefer: 'wait=5', 'if-none-match': '' }, undefined],
    ['nothing where nothing was said', {}, undefined],
  ])('is correct for %s', async (_, headers, forwarded) => {
    const { key } = await gateway.newKey('growth')
    const reply = get(key, headers)
    await until(() => gateway.far.received.length === 1)
    expect(gateway.far.received[0]?.headers['prefer']).toBe(forwarded)
    release()
    expect((await reply).headers['preference-applied']).toBe(forwarded)
  })

  it('is absent on a POST', async () => {
    const { key } = await gateway.newKey('growth')
    const headers = { prefer: 'wait=5', 'if-none-match': '"a"' }
    await gateway.call('POST', '/api/external/v2/contracts', { key, headers, body: '{}' })
    expect(gateway.far.received[0]?.headers['prefer']).toBeUndefined()
  })
})

it("half of an account's requests per minute may wait, shared by account and environment; more are answered immediately [D10, D22]", async () => {
  const { key, accountId } = await gateway.newKey('six')
  const [first] = await wait(key)
  const second = await gateway.operator.key.create.mutate({
    accountId,
    environment: 'live',
    scopes: ['contracts:read'],
  })
  const others = [(await wait(second.key.secret))[0], (await wait(key))[0]]
  const tooMany = await get(key)
  expect([tooMany.status, tooMany.headers['preference-applied']]).toEqual([304, undefined])
  expect(tooMany.headers['etag']).toBe('"a"')
  const sandbox = await gateway.operator.key.create.mutate({
    accountId,
    environment: 'test',
    scopes: ['contracts:read'],
  })
  others.push((await wait(sandbox.key.secret))[0])
  release()
  for (const reply of await Promise.all([first, ...others])) expect(reply?.status).toBe(200)
  const [again] = await wait(key)
  release()
  expect((await again)?.headers['preference-applied']).toBe('wait=20')
})

it('a long poll uses one slot of the window and shows the window at the time of the answer [Limits, D22]', async () => {
  const { key } = await gateway.newKey('growth')
  const [reply] = await wait(key)
  for (let n = 0; n < 5; n += 1) await get(key, {})
  release()
  expect(windowOf((await reply)!)).toMatchObject({ limit: 300, remaining: 294 })
  expect((await reply)?.headers).toMatchObject({ 'paraph-quota-weight': '1', 'paraph-quota-billable': 'true' })
  expect(await usageOf(key)).toMatchObject({ totalCalls: 7, billableCalls: 1 })
})

describe('a long poll ends with the refusal that a new call would get [D22, D28]', () => {
  it('401 when its key is revoked, counted and not billed', async () => {
    const { key, keyId, accountId } = await gateway.newKey('growth')
    const other = await gateway.operator.key.create.mutate({
      accountId,
      environment: 'live',
      scopes: ['contracts:read'],
    })
    const [reply, staying] = [(await wait(key))[0], (await wait(other.key.secret))[0]]
    const startedAtMs = performance.now()
    await gateway.operator.key.revoke.mutate({ id: keyId })
    expect(await reply).toMatchObject({ status: 401, json: { code: 'invalid_key' } })
    // Without a notification, the refusal would take up to 5 s.
    expect(performance.now() - startedAtMs).toBeLessThan(3_000)
    expect((await reply)?.headers).toMatchObject({ 'ratelimit-limit': '60', 'paraph-quota-billable': 'false' })
    await until(() => waiting.length === 1)
    release()
    expect((await staying)?.status).toBe(200)
    expect(await usageOf(other.key.secret)).toMatchObject({ totalCalls: 3, billableCalls: 1 })
  })

  it('401 within seconds when its key expires, without a notification', async () => {
    const { key, keyId } = await gateway.newKey('growth')
    const [reply] = await wait(key)
    await gateway.sql('update api_key set expires_at = now() where id = $1', [keyId])
    expect(await reply).toMatchObject({ status: 401, json: { code: 'invalid_key' } })
  })

  it('403 when its account is suspended', async () => {
    const { key, accountId } = await gateway.newKey('growth')
    const [reply] = await wait(key)
    await gateway.operator.account.suspend.mutate({ id: accountId })
    expect(await reply).toMatchObject({ status: 403, json: { code: 'account_suspended' } })
  })
})

it('the call of a disconnected client is closed at the contract service, not counted, and its reservation released [D4, D22]', async () => {
  await gateway.newTier('scarce', 60, 10)
  const { key, accountId } = await gateway.newKey('scarce', 'test')
  const reservations = async () => {
    const rows = await gateway.sql('select reservations from usage_month where account_id = $1', [accountId])
    return Object.keys((rows[0]?.['reservations'] ?? {}) as object).length
  }
  const { socket } = gateway.open(
    `GET ${CONTRACT} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nIf-None-Match: "a"\r\nPrefer: wait=20\r\n\r\n`,
  )
  await until(() => waiting.length === 1)
  expect(await reservations()).toBe(1)
  socket.destroy()
  await until(() => waiting.length === 0)
  await until(async () => (await reservations()) === 0)
  expect(await usageOf(key)).toMatchObject({ totalCalls: 1, billableCalls: 0 })
})

it('waiting calls use no connection of ordinary calls, however many wait [D22]', async () => {
  const { key } = await gateway.newKey('growth')
  const replies = Array.from({ length: 140 }, () => get(key))
  await until(() => waiting.length === 140)
  const startedAtMs = performance.now()
  const ordinary = await Promise.all(Array.from({ length: 50 }, () => get(key, {})))
  expect(performance.now() - startedAtMs).toBeLessThan(10_000)
  expect(new Set(ordinary.map(({ status }) => status))).toEqual(new Set([304]))
  expect(waiting.length).toBe(140)
  release()
  for (const { status } of await Promise.all(replies)) expect(status).toBe(200)
})

describe('a contract service that disconnects while clients wait [D17, D22]', () => {
  it('is called once more, for the remaining time', async () => {
    const { key } = await gateway.newKey('growth')
    const [reply] = await wait(key)
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    waiting[0]?.res.socket?.destroy()
    await until(() => gateway.far.received.length === 2 && waiting.length === 1)
    expect(Number(/^wait=(\d+)$/.exec(waiting[0]!.prefer)?.[1])).toBeLessThan(20)
    release()
    expect(await reply).toMatchObject({ status: 200, headers: { 'preference-applied': 'wait=20' } })
  })

  it('causes a 503 with Retry-After, not billed, if it does not return', async () => {
    const { key } = await gateway.newKey('growth')
    const [reply] = await wait(key)
    await gateway.stopFar()
    expect(await reply).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'paraph-quota-billable': 'false' },
    })
    await gateway.resumeFar()
  })
})

// Must be the last test: after the stop, this gateway allows no long polls.
it('a stop ends every wait, with the current state and without Preference-Applied [D22, H13]', async () => {
  const { key } = await gateway.newKey('growth')
  const replies = [...(await wait(key)), ...(await wait(key))]
  const startedAtMs = performance.now()
  gateway.beginStop()
  for (const reply of [...(await Promise.all(replies)), await get(key)]) {
    expect(reply).toMatchObject({ status: 304, text: '', headers: { etag: '"a"', 'paraph-quota-billable': 'false' } })
    expect(reply?.headers).not.toHaveProperty('preference-applied')
  }
  expect(performance.now() - startedAtMs).toBeLessThan(5_000)
  expect(await usageOf(key)).toMatchObject({ totalCalls: 4, billableCalls: 0 })
})
