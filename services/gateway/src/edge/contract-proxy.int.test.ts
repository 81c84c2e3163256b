import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { created, startTestGateway, windowOf, type Responder, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = created
  gateway.far.received.length = 0
})

const CONTRACTS = '/api/external/v2/contracts'

/** Breaks the connection of the first `times` requests; then answers normally. */
const breaking = (times: number): Responder => {
  let left = times
  return (received, res, req) => ((left -= 1) >= 0 ? void req.socket.destroy() : created(received, res, req))
}

describe('a forwarded call', () => {
  it('carries the body unchanged, the service token, the request id, and only the needed headers of the client [D17, D45, D47]', async () => {
    const { key, accountId } = await gateway.newKey('growth', 'test', ['contracts:write'])
    await gateway.call('POST', `${CONTRACTS}?ignored=1`, {
      key,
      body: '{ "a" : "é" }',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'idempotency-key': 'order-1',
        authorization: 'Bearer of-the-client',
        'x-paraph-request-id': 'chosen-by-the-client',
        'x-paraph-errors-url': 'https://evil.example',
        'x-paraph-retry': '1',
        'x-paraph-replay-only': '1',
        'x-paraph-client-address': '6.6.6.6',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        cookie: 'a=b',
      },
    })
    const [received] = gateway.far.received
    expect(received).toMatchObject({ method: 'POST', url: '/contracts', body: '{ "a" : "é" }' })
    const { authorization, ...headers } = received?.headers ?? {}
    expect(headers).toEqual({
      host: expect.any(String),
      connection: 'keep-alive',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '14',
      'idempotency-key': 'order-1',
      'x-paraph-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-paraph-errors-url': 'http://sign.test/docs/errors',
    })
    expect(await gateway.verifyAsContract(authorization)).toEqual({
      issuer: 'gateway',
      principal: {
        accountId,
        environment: 'sandbox',
        scopes: ['contracts:write'],
        account: {
          name: 'Demo Company',
          senderName: 'Demo Company',
          language: 'en+fr',
          timeZone: 'UTC',
          replyAddress: null,
          cancelsOnDecline: false,
          remindsParties: true,
        },
      },
    })
  })

  it('gets a request id of its own each time', async () => {
    const { key } = await gateway.newKey('growth')
    await gateway.call('GET', `${CONTRACTS}/a`, { key })
    await gateway.call('GET', `${CONTRACTS}/a`, { key })
    const ids = gateway.far.received.map(({ headers }) => headers['x-paraph-request-id'])
    expect(new Set(ids).size).toBe(2)
  })

  it('is answered with the status, the body and the known headers of the contract service, and no others', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (_, res) =>
      void res
        .writeHead(200, {
          'Content-Type': 'application/json; charset=utf-8',
          Location: '/api/external/v2/contracts/a',
          ETag: '"abc"',
          'Last-Modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
          'Cache-Control': 'private, no-cache',
          'X-Internal': 'secret',
          'Set-Cookie': 'a=b',
          'RateLimit-Limit': '1',
        })
        .end('{ "success" : true }')
    const reply = await gateway.call('GET', `${CONTRACTS}/a`, { key, headers: { 'if-none-match': '"x"' } })
    expect(reply.text).toBe('{ "success" : true }')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      location: '/api/external/v2/contracts/a',
      etag: '"abc"',
      'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
      'cache-control': 'private, no-cache',
      'ratelimit-limit': '300',
    })
    expect(reply.headers).not.toHaveProperty('x-internal')
    expect(reply.headers).not.toHaveProperty('set-cookie')
    expect(gateway.far.received[0]?.headers['if-none-match']).toBe('"x"')
  })

  it('passes a 304 on without a body, and an error unchanged with its Retry-After [D17, D22]', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (_, res) => void res.writeHead(304, { ETag: '"abc"' }).end()
    const unchanged = await gateway.call('GET', `${CONTRACTS}/a`, { key })
    expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([304, '', '"abc"'])
    const body = '{"error":"Still running.","code":"idempotency_in_progress","requestId":"r"}'
    gateway.far.respond = (_, res) =>
      void res.writeHead(409, { 'Content-Type': 'application/json', 'Retry-After': '1' }).end(body)
    const busy = await gateway.call('POST', CONTRACTS, { key, body: '{}' })
    expect([busy.status, busy.text, busy.headers['retry-after']]).toEqual([409, body, '1'])
  })

  it("is answered 503, not 401, when the contract service refuses the gateway's own token", async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (_, res) => void res.writeHead(401).end('{"error":"no","code":"invalid_key"}')
    const reply = await gateway.call('GET', `${CONTRACTS}/a`, { key })
    expect([reply.status, reply.json['code']]).toEqual([503, 'unavailable'])
  })
})

describe('a connection that breaks [D17]', () => {
  it('makes the gateway repeat a POST once, marked as a retry, with the same request id', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = breaking(1)
    expect((await gateway.call('POST', CONTRACTS, { key, body: '{"a":1}' })).status).toBe(201)
    const [first, second] = gateway.far.received
    expect(first?.headers).not.toHaveProperty('x-paraph-retry')
    expect(second?.headers['x-paraph-retry']).toBe('1')
    expect(second?.headers['x-paraph-request-id']).toBe(first?.headers['x-paraph-request-id'])
    expect(second?.body).toBe('{"a":1}')
  })

  it('makes the gateway retry only once, then answer 503 with Retry-After, unbilled', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = breaking(5)
    const reply = await gateway.call('POST', CONTRACTS, { key, body: '{}' })
    expect([reply.status, reply.json['code'], reply.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(reply.headers['paraph-quota-billable']).toBe('false')
    expect(gateway.far.received).toHaveLength(2)
  })

  it('makes the gateway retry a POST once, marked as a retry, when the contract service restarts within seconds', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (received, res, req) => {
      if (gateway.far.received.length > 1) return created(received, res, req)
      // The service crashes, possibly after it has created the contract, and restarts.
      void gateway.stopFar().then(() => setTimeout(() => void gateway.resumeFar(), 1_500))
    }
    const reply = await gateway.call('POST', CONTRACTS, { key, body: '{"a":1}' })
    expect([reply.status, reply.headers['paraph-quota-billable']]).toEqual([201, 'true'])
    expect(gateway.far.received.map(({ headers }) => headers['x-paraph-retry'])).toEqual([undefined, '1'])
  })

  it('does not fail an unsent call if the service is back within a second', async () => {
    const { key } = await gateway.newKey('growth')
    await gateway.stopFar()
    setTimeout(() => void gateway.resumeFar(), 300)
    expect((await gateway.call('POST', CONTRACTS, { key, body: '{}' })).status).toBe(201)
    expect(gateway.far.received).toHaveLength(1)
  })

  it('makes the gateway repeat a GET once, without the mark of a retry', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = breaking(1)
    expect((await gateway.call('GET', `${CONTRACTS}/a`, { key })).status).toBe(201)
    expect(gateway.far.received.map(({ headers }) => headers['x-paraph-retry'])).toEqual([undefined, undefined])
  })
})

it('the gateway answers 503 with Retry-After while the contract service is stopped, and recovers with it [D32]', async () => {
  const { key } = await gateway.newKey('growth')
  expect((await gateway.call('GET', `${CONTRACTS}/a`, { key })).status).toBe(201)
  await gateway.stopFar()
  const reply = await gateway.call('POST', CONTRACTS, { key, body: '{}' })
  expect([reply.status, reply.json['code'], reply.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
  expect(windowOf(reply).remaining).toBe(298)
  expect((await gateway.call('GET', '/api/external/v2/usage', { key })).json['usage']).toMatchObject({
    totalCalls: 3,
    billableCalls: 1,
  })
  await gateway.resumeFar()
  expect((await gateway.call('GET', `${CONTRACTS}/a`, { key })).status).toBe(201)
})

describe('GET /openapi.json', () => {
  it("is one document of both services' procedures", async () => {
    gateway.far.openApiPart = {
      operations: [
        {
          method: 'post',
          path: '/contracts',
          operation: { operationId: 'createContract', responses: { 201: {} } },
          errors: [],
        },
      ],
      schemas: { Contract: { type: 'object' } },
    }
    const { status, json } = await gateway.call('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(json).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://sign.test/api/external/v2' }] })
    expect(Object.keys(json['paths'] as object)).toEqual(['/contracts', '/usage', '/status'])
    expect(Object.keys((json['components'] as { schemas: object }).schemas)).toEqual(
      expect.arrayContaining(['Contract', 'ApiError', 'Status', 'Usage']),
    )
  })
})
