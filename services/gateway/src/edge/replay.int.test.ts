import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { BODY_BYTES_MAX } from '@paraph/protocol/contract'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { created, startTestGateway, type Responder, type TestGateway } from '../../test/gateway-fixture.js'

const CONTRACTS = '/api/external/v2/contracts'

let gateway: TestGateway
/** A sandbox key whose quota of one call is used up. */
let key: string
let accountId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  await gateway.newTier('one', 1_000, 1)
  ;({ key, accountId } = await gateway.newKey('one', 'test'))
  expect((await post({ 'idempotency-key': 'first' })).status).toBe(201)
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = created
  gateway.far.received.length = 0
})

const post = (headers: Record<string, string> = {}, body = '{"a":1}') =>
  gateway.call('POST', CONTRACTS, { key, body, headers })

const answering =
  (
    status: number,
    headers: Record<string, string> = {},
    body = '{"error":"Not now.","code":"c","requestId":"r"}',
  ): Responder =>
  (_, res) =>
    void res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)

it('a replay over the quota returns the stored answer, unbilled; the contract service gets a call for replays only [D4, D17]', async () => {
  const body = '{"success":true,"contract":{"id":"contract-1-a"}}'
  gateway.far.respond = answering(201, { 'Idempotency-Replayed': 'true', Location: '/contracts/a' }, body)
  const reply = await post({ 'idempotency-key': 'first' })
  expect([reply.status, reply.text]).toEqual([201, body])
  expect(reply.headers).toMatchObject({
    'idempotency-replayed': 'true',
    location: '/contracts/a',
    'paraph-quota-weight': '0',
    'paraph-quota-billable': 'false',
  })
  const [received] = gateway.far.received
  expect(received?.body).toBe('{"a":1}')
  expect(received?.headers).toMatchObject({ 'idempotency-key': 'first', 'x-paraph-replay-only': '1' })
  const usage = (await gateway.call('GET', '/api/external/v2/usage', { key })).json['usage']
  expect(usage).toMatchObject({ billableCalls: 1, overageCalls: 0, remaining: 0 })
})

it('a new call over the quota is refused for the quota, whatever its body contains [D4, D5, D17]', async () => {
  const plain = await post()
  expect([plain.status, plain.json['code']]).toEqual([429, 'quota_exceeded'])
  expectWithMessage(gateway.far.received, 'without an Idempotency-Key, the gateway forwards nothing').toHaveLength(0)
  const same = ({ status, json, headers }: typeof plain) => ({
    status,
    ...json,
    requestId: '',
    billable: headers['paraph-quota-billable'],
    seconds: Math.ceil(Number(headers['retry-after']) / 60),
  })
  // A 201 that is not marked as a replay is a new contract, which the quota does not cover.
  for (const status of [201, 400, 404, 415, 422, 500]) {
    gateway.far.respond = answering(status)
    expectWithMessage(same(await post({ 'idempotency-key': 'other' })), String(status)).toEqual(same(plain))
  }
  const get = await gateway.call('GET', `${CONTRACTS}/a`, { key, headers: { 'idempotency-key': 'first' } })
  expect(get.json['code']).toBe('quota_exceeded')
  expect(gateway.far.received).toHaveLength(6)
})

it('an unchanged contract over the quota is a 304, unbilled; a changed one is refused [D4, D53]', async () => {
  const read = () => gateway.call('GET', `${CONTRACTS}/a`, { key, headers: { 'if-none-match': '"a"' } })
  gateway.far.respond = answering(304, { ETag: '"a"' }, '')
  const unchanged = await read()
  expect([unchanged.status, unchanged.headers['paraph-quota-weight']]).toEqual([304, '0'])
  expect(gateway.far.received[0]?.headers).not.toHaveProperty('x-paraph-replay-only')
  gateway.far.respond = answering(200, { ETag: '"b"' }, '{}')
  const changed = await read()
  expect([changed.status, changed.json['code'], changed.headers['etag']]).toEqual([429, 'quota_exceeded', undefined])
  const usage = (await gateway.call('GET', '/api/external/v2/usage', { key })).json['usage']
  expect(usage).toMatchObject({ billableCalls: 1, overageCalls: 0 })
})

it('a replay over the quota reports that the first request is still running, or that its outcome is unknown [D17]', async () => {
  gateway.far.respond = answering(409, { 'Retry-After': '1' })
  const running = await post({ 'idempotency-key': 'first' })
  expect([running.status, running.headers['retry-after'], running.headers['paraph-quota-billable']]).toEqual([
    409,
    '1',
    'false',
  ])
  gateway.far.respond = answering(503, { 'Retry-After': '1' })
  expect((await post({ 'idempotency-key': 'first' })).status).toBe(503)
  await gateway.stopFar()
  const away = await post({ 'idempotency-key': 'first' })
  expect([away.status, away.json['code']]).toEqual([503, 'unavailable'])
  await gateway.resumeFar()
})

it('the quota check precedes the body check, and the connection closes if the body was not read [D5, D7]', async () => {
  const reply = await post({ 'idempotency-key': 'first' }, 'x'.repeat(BODY_BYTES_MAX + 1))
  expect([reply.status, reply.json['code'], reply.headers['connection']]).toEqual([429, 'quota_exceeded', 'close'])
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  expect(gateway.far.received).toHaveLength(0)
})

it("the gateway ignores a client's own replay-only header, and forwards new calls again in a new period [D4, D17]", async () => {
  await gateway.sql('delete from usage_month where account_id = $1', [accountId])
  const reply = await post({ 'x-paraph-replay-only': '1', 'idempotency-key': 'second' })
  expect([reply.status, reply.headers['paraph-quota-billable']]).toEqual([201, 'true'])
  expect(gateway.far.received[0]?.headers).not.toHaveProperty('x-paraph-replay-only')
})
