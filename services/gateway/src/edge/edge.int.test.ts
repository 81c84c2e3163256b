import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { created, startTestGateway, until, windowOf, type Reply, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = created
  gateway.far.received.length = 0
})

const V2 = '/api/external/v2'
let lastAddress = 0
/** Headers of a client whose address nobody else has used. */
const newAddress = () => ({ 'x-forwarded-for': `198.18.${(lastAddress += 1) >> 8}.${lastAddress & 255}` })
const codeOf = ({ status, json }: Reply) => `${status} ${String(json['code'])}`
const setAccount = (accountId: string, assignment: string) =>
  gateway.sql(`update account set ${assignment} where id = $1`, [accountId])

const open = (bytes: string) => gateway.open(bytes)
const raw = (bytes: string) => gateway.raw(bytes)

const head = (key: string, rest: string) =>
  `POST ${V2}/contracts HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\n${rest}\r\n\r\n`
const statusLinesOf = (answer: string) => answer.match(/HTTP\/1\.1 \d{3} [A-Za-z ]+/g) ?? []

describe('of two errors the gateway reports that of the earlier check [D5]', () => {
  it('the path check precedes the key check', async () => {
    expect(codeOf(await gateway.call('GET', `${V2}/nothing`, { headers: newAddress() }))).toBe('404 not_found')
  })

  it('the version check precedes the key check, for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const reply = await gateway.call(method, '/api/external/v1/contracts', { headers: newAddress() })
      expect(codeOf(reply)).toBe('404 version_removed')
    }
  })

  it('the key check precedes the method check', async () => {
    expect(codeOf(await gateway.call('PUT', `${V2}/contracts`, { headers: newAddress() }))).toBe('401 invalid_key')
  })

  it('the window check precedes the method check', async () => {
    await gateway.newTier('one', 1, 100)
    const { key } = await gateway.newKey('one')
    await gateway.call('GET', `${V2}/status`, { key })
    expect(codeOf(await gateway.call('PUT', `${V2}/contracts`, { key }))).toBe('429 rate_limited')
  })

  it('the method check precedes the account check', async () => {
    const { key, accountId } = await gateway.newKey('growth')
    await setAccount(accountId, `status = 'suspended'`)
    expect(codeOf(await gateway.call('PUT', `${V2}/contracts`, { key }))).toBe('405 method_not_allowed')
  })

  it('the account check precedes the scope check, and suspension precedes the subscription', async () => {
    const { key, accountId } = await gateway.newKey('growth', 'live', [])
    await setAccount(accountId, `status = 'suspended', subscription_status = 'ended'`)
    expect(codeOf(await gateway.call('GET', `${V2}/usage`, { key }))).toBe('403 account_suspended')
  })

  it('the scope check precedes the quota check', async () => {
    await gateway.newTier('spent', 100, 1)
    const { key, accountId } = await gateway.newKey('spent', 'test', ['contracts:read'])
    await gateway.sql(
      `insert into usage_month (account_id, environment, month, billable)
       values ($1, 'sandbox', date_trunc('month', now() at time zone 'utc'), 1)`,
      [accountId],
    )
    expect(codeOf(await gateway.call('POST', `${V2}/contracts`, { key, body: '{}' }))).toBe('403 missing_scope')
    expect(codeOf(await gateway.call('GET', `${V2}/contracts/c`, { key }))).toBe('429 quota_exceeded')
  })

  it('the quota check precedes the body check', async () => {
    const { key, accountId } = await gateway.newKey('spent', 'test')
    await gateway.sql(
      `insert into usage_month (account_id, environment, month, billable)
       values ($1, 'sandbox', date_trunc('month', now() at time zone 'utc'), 1)`,
      [accountId],
    )
    const reply = await gateway.call('POST', `${V2}/contracts`, { key, body: Buffer.alloc(600_000, 32) })
    expect(codeOf(reply)).toBe('429 quota_exceeded')
    expect(gateway.far.received).toHaveLength(0)
  })
})

describe('access to the interface [Authentication, Scopes, D2, D38]', () => {
  it('requires contracts:write to create, contracts:read to read and for usage, no scope for status [S13.4-7, S17.3, S19.1-2, S19.4]', async () => {
    const answers = async (scopes: ('contracts:read' | 'contracts:write')[]) => {
      const { key } = await gateway.newKey('growth', 'live', scopes)
      return [
        (await gateway.call('POST', `${V2}/contracts`, { key, body: '{}' })).status,
        (await gateway.call('GET', `${V2}/contracts/c`, { key })).status,
        (await gateway.call('GET', `${V2}/usage`, { key })).status,
        (await gateway.call('GET', `${V2}/status`, { key })).status,
      ]
    }
    expect(await answers([])).toEqual([403, 403, 403, 200])
    expect(await answers(['contracts:read'])).toEqual([403, 201, 200, 200])
    expect(await answers(['contracts:write'])).toEqual([201, 403, 403, 200])
    expect(await answers(['contracts:read', 'contracts:write'])).toEqual([201, 201, 200, 200])
  })

  it('includes /status for suspended accounts and accounts without a plan, with the data of key and tier [S10.2, S17.6]', async () => {
    const { key, keyId, accountId } = await gateway.newKey('startup', 'test', ['contracts:read'])
    await setAccount(accountId, `status = 'suspended', subscription_status = 'ended'`)
    const { status, json } = await gateway.call('GET', `${V2}/status`, { key })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      subscription: { tier: 'startup', status: 'ended' },
      key: { id: keyId, environment: 'sandbox', scopes: ['contracts:read'], expiresAt: null },
      limits: { requestsPerMinute: 60, monthlyQuota: 1_000 },
      version: '2.0.0',
    })
    expect(json).not.toHaveProperty('success')
  })

  it('is limited to the sandbox in a trial, lasts 7 days in both environments when past due, and then ends [S2.9, S18.6]', async () => {
    const SUBSCRIPTION = {
      trial: "subscription_status = 'trial'",
      past_due: "period_end = now() - interval '6 days 23 hours'",
      overdue: "period_end = now() - interval '7 days'",
      ended: "subscription_status = 'ended'",
    }
    const answer = async (environment: 'live' | 'test', subscription: keyof typeof SUBSCRIPTION) => {
      const { key, accountId } = await gateway.newKey('growth', environment)
      await setAccount(accountId, SUBSCRIPTION[subscription])
      return codeOf(await gateway.call('GET', `${V2}/usage`, { key }))
    }
    expect(await answer('live', 'trial')).toBe('403 subscription_inactive')
    expect(await answer('test', 'trial')).toBe('200 undefined')
    expect(await answer('live', 'past_due')).toBe('200 undefined')
    expect(await answer('live', 'overdue')).toBe('403 subscription_inactive')
    expect(await answer('live', 'ended')).toBe('403 subscription_inactive')
    expect(await answer('test', 'ended')).toBe('403 subscription_inactive')
  })

  it('reports degraded with 200 while a service behind the gateway is not ready [S10.1]', async () => {
    const { key } = await gateway.newKey('load')
    const says = async () => (await gateway.call('GET', `${V2}/status`, { key })).json['status']
    await until(async () => (await says()) === 'operational')
    gateway.far.ready = false
    await until(async () => (await says()) === 'degraded')
    gateway.far.ready = true
    await until(async () => (await says()) === 'operational')
  })
})

describe('the window of an account [Limits, D10, D27]', () => {
  it('admits the limit, shows the remaining calls after each request, then answers 429 with Retry-After equal to Reset [S23.2, S24.5, S24.8]', async () => {
    await gateway.newTier('five', 5, 1_000)
    const { key } = await gateway.newKey('five')
    const replies: Reply[] = []
    for (let at = 0; at < 7; at += 1) replies.push(await gateway.call('GET', `${V2}/status`, { key }))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(replies.map((reply) => windowOf(reply).remaining)).toEqual([4, 3, 2, 1, 0, 0, 0])
    expect(replies.every((reply) => windowOf(reply).limit === 5)).toBe(true)
    for (const reply of replies.slice(5)) {
      expect(codeOf(reply)).toBe('429 rate_limited')
      expect(Number(reply.headers['retry-after'])).toBe(windowOf(reply).reset)
      expect(windowOf(reply).reset).toBeGreaterThanOrEqual(58)
    }
  })

  it('is shared by the keys of an account, and separate for its sandbox [S20.2]', async () => {
    const { key, accountId } = await gateway.newKey('five')
    const another = await gateway.operator.key.create.mutate({ accountId, environment: 'live', scopes: [] })
    const sandbox = await gateway.operator.key.create.mutate({ accountId, environment: 'test', scopes: [] })
    const left = async (used: string) => windowOf(await gateway.call('GET', `${V2}/status`, { key: used })).remaining
    expect([await left(key), await left(another.key.secret), await left(sandbox.key.secret)]).toEqual([4, 3, 4])
  })

  it('never admits more than the limit under concurrent calls', async () => {
    await gateway.newTier('forty', 40, 1_000)
    const { key } = await gateway.newKey('forty')
    const replies = await Promise.all(Array.from({ length: 150 }, () => gateway.call('GET', `${V2}/status`, { key })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(40)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(110)
  })
})

describe('a method that the path does not have [D5, D9]', () => {
  it.each([
    ['PUT', '/contracts', 'POST'],
    ['GET', '/contracts', 'POST'],
    ['HEAD', '/contracts', 'POST'],
    ['DELETE', '/contracts/c', 'GET, HEAD'],
    ['POST', '/contracts/c', 'GET, HEAD'],
    ['OPTIONS', '/usage', 'GET, HEAD'],
  ])('%s %s is a 405 with Allow: %s', async (method, path, allowed) => {
    const { key } = await gateway.newKey('growth')
    const reply = await gateway.call(method, V2 + path, { key })
    expect([reply.status, reply.headers['allow']]).toEqual([405, allowed])
    expect(windowOf(reply)).toMatchObject({ limit: 300, remaining: 299 })
    expect(reply.headers).not.toHaveProperty('paraph-quota-weight')
  })

  it('uses a slot of the window but is not counted in totalCalls', async () => {
    const { key } = await gateway.newKey('growth')
    await gateway.call('PUT', `${V2}/contracts`, { key })
    const reply = await gateway.call('GET', `${V2}/usage`, { key })
    expect(reply.json['usage']).toMatchObject({ totalCalls: 1, endpointBreakdown: { 'GET /usage': 1 } })
    expect(windowOf(reply).remaining).toBe(298)
  })
})

it('HEAD is answered like GET without a body, costs the same, and is counted as a GET [RFC 9110, 9.3.2, D67]', async () => {
  const { key } = await gateway.newKey('growth')
  gateway.far.respond = (_, res) =>
    void res.writeHead(200, { 'Content-Type': 'application/json', ETag: '"a"' }).end('{"success":true}')
  const replies = []
  for (const method of ['GET', 'HEAD'] as const)
    replies.push(await gateway.call(method, `${V2}/contracts/contract-1-a`, { key }))
  const [get, head] = replies
  expect([head!.status, head!.text]).toEqual([200, ''])
  for (const name of ['etag', 'content-type', 'content-length', 'paraph-quota-billable'])
    expect([name, head!.headers[name]]).toEqual([name, get!.headers[name]])
  const { json } = await gateway.call('GET', `${V2}/usage`, { key })
  expect(json['usage']).toMatchObject({ billableCalls: 2, endpointBreakdown: { 'GET /contracts/:id': 2 } })
})

it('every answer names the request, and a counted call gets what is left of the month, exact to the call [D54, D67]', async () => {
  const { key } = await gateway.newKey('growth')
  gateway.far.respond = (_, res) => void res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  const read = () => gateway.call('GET', `${V2}/contracts/contract-1-a`, { key })
  const [first, second] = [await read(), await read()]
  expect(first.headers['ratelimit-policy']).toMatch(/^"minute";q=300;w=60, "month";q=25000;w=2\d{6}$/)
  expect(second.headers['ratelimit']).toMatch(/^"minute";r=298;t=\d+, "month";r=24998;t=\d+$/)
  const free = await gateway.call('GET', `${V2}/status`, { key })
  expect(free.headers['ratelimit']).toMatch(/"month";r=24998;/)
  const refused = await gateway.call('PUT', `${V2}/status`, { key })
  expect(refused.headers['ratelimit']).toMatch(/^"minute";r=296;t=\d+$/)
  const names = [first, second, free, refused].map(({ headers }) => headers['paraph-request-id'])
  expect(new Set(names).size).toBe(4)
  expect(names[3]).toBe(refused.json['requestId'])
})

it('a key in Authorization gets a sentence that says where it belongs [D67]', async () => {
  const reply = await gateway.call('GET', `${V2}/status`, { headers: { ...newAddress(), authorization: 'Bearer x' } })
  expect([codeOf(reply), reply.json['error']]).toEqual(['401 invalid_key', expect.stringContaining('x-api-key')])
  expect(reply.json['error']).toContain('Authorization')
})

it('a path below /api/ that does not exist is JSON [D67]', async () => {
  const reply = await gateway.call('GET', '/api/v2/status', { headers: newAddress() })
  expect(codeOf(reply)).toBe('404 not_found')
})

describe('a call without a valid key on a known path [D9]', () => {
  it('is counted by client address like unknown paths, then answered 429; a valid key is never refused there [S24.7]', async () => {
    const headers = newAddress()
    const { key } = await gateway.newKey('growth')
    for (let at = 0; at < 30; at += 1) {
      const refused = await gateway.call('GET', `${V2}/status`, { headers })
      expect([codeOf(refused), windowOf(refused).remaining]).toEqual(['401 invalid_key', 59 - 2 * at])
      const unknown = await gateway.call('GET', `${V2}/nothing`, { headers, key })
      expect([codeOf(unknown), windowOf(unknown).remaining]).toEqual(['404 not_found', 58 - 2 * at])
    }
    for (const [path, sent] of [
      ['/status', undefined],
      ['/nothing', key],
    ] as const) {
      const reply = await gateway.call('GET', V2 + path, { headers, ...(sent ? { key: sent } : {}) })
      expect(codeOf(reply)).toBe('429 rate_limited')
      expect(Number(reply.headers['retry-after'])).toBe(windowOf(reply).reset)
    }
    const good = await gateway.call('GET', `${V2}/status`, { headers, key })
    expect([good.status, windowOf(good).limit]).toEqual([200, 300])
    const removed = await gateway.call('GET', '/api/external/v1/contracts', { headers, key })
    expect([codeOf(removed), windowOf(removed).remaining]).toEqual(['404 version_removed', 0])
  })

  it('is not counted for version 1 [Versioning]', async () => {
    const headers = newAddress()
    for (let at = 0; at < 70; at += 1) {
      const reply = await gateway.call('POST', '/api/external/v1', { headers })
      expect([reply.status, windowOf(reply)]).toEqual([404, { limit: 60, remaining: 60, reset: 60 }])
    }
  })

  it('is counted by the X-Forwarded-For entry of the trusted proxy; entries to the left are ignored', async () => {
    const mine = newAddress()['x-forwarded-for']
    await gateway.call('GET', `${V2}/status`, { headers: { 'x-forwarded-for': `1.1.1.1, ${mine}` } })
    const reply = await gateway.call('GET', `${V2}/status`, { headers: { 'x-forwarded-for': `2.2.2.2, ${mine}` } })
    expect(windowOf(reply).remaining).toBe(58)
  })
})

describe('the error body [Errors, D6]', () => {
  it('has an error message, a code with the address of its page, and its own request id, and repeats nothing from the request [S23.5]', async () => {
    const sent = 'paraph_live_SECRETSECRETSECRETSECRETSECRETSECRET12'
    const headers = { ...newAddress(), 'x-api-key': sent, 'x-paraph-request-id': 'chosen-by-the-client' }
    const replies = [
      await gateway.call('GET', `${V2}/status?marker=zebra`, { headers }),
      await gateway.call('GET', `${V2}/zebra`, { headers }),
      await gateway.call('GET', '/api/external/v1/zebra', { headers }),
    ]
    for (const reply of replies) {
      expect(Object.keys(reply.json).sort()).toEqual(['code', 'error', 'requestId', 'type'])
      expect(reply.json['type']).toBe(`http://sign.test/docs/errors#${String(reply.json['code'])}`)
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(reply.text).not.toMatch(/zebra|SECRET|chosen/)
      expect(windowOf(reply).limit).toBe(60)
    }
    expect(new Set(replies.map(({ json }) => json['requestId'])).size).toBe(3)
  })

  it('is also the body of errors that Node raises, with the three RateLimit headers', async () => {
    const refusals = [
      ['400 Bad Request', 'invalid_request', 'GET /api/external/v2/status HTTP/1.1\r\nbad header\r\n\r\n'],
      ['431 ', 'headers_too_large', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
      ['400 Bad Request', 'invalid_request', 'NONSENSE\r\n\r\n'],
    ] as const
    for (const [status, code, bytes] of refusals) {
      const answer = await raw(bytes)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head).toContain(`HTTP/1.1 ${status}`)
      expect(head).toMatch(/RateLimit-Limit: 60\r\nRateLimit-Remaining: \d+\r\nRateLimit-Reset: \d+/)
      const type = `http://sign.test/docs/errors#${code}`
      expect(JSON.parse(body)).toEqual({ error: expect.any(String), code, requestId: expect.any(String), type })
    }
  })
})

describe('unexpected bytes after a request', () => {
  const status = (key: string) => `GET ${V2}/status HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`

  it.each(['xx\r\n', 'GARBAGE\r\n\r\n'])(
    'do not precede the answer to that request, after which the connection closes (%j) [D6]',
    async (stray) => {
      const { key } = await gateway.newKey('growth')
      gateway.far.respond = (...call) => void setTimeout(() => created(...call), 50)
      const answer = await raw(`${head(key, 'Content-Length: 2')}{}${stray}`)
      expect(statusLinesOf(answer)).toEqual(['HTTP/1.1 201 Created'])
      expect(answer).toContain('Connection: close')
      expect(answer).toContain('"id":"contract-1-a"')
    },
  )

  it('in the body of the next request do not prevent the answers to both requests [D6]', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (...call) => void setTimeout(() => created(...call), 50)
    const next = `${head('no-key', 'Transfer-Encoding: chunked')}zz\r\n`
    const answer = await raw(`${head(key, 'Content-Length: 2')}{}${next}`)
    expect(statusLinesOf(answer)).toEqual(['HTTP/1.1 201 Created', 'HTTP/1.1 401 Unauthorized'])
    expect(answer).toContain('Connection: close')
  })

  it('do not prevent the answers to the complete requests before them', async () => {
    const { key } = await gateway.newKey('growth')
    const answer = await raw(`${status(key)}${head(key, 'Content-Length: 2')}{}${status(key)}GARBAGE\r\n\r\n`)
    expect(statusLinesOf(answer)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 201 Created', 'HTTP/1.1 200 OK'])
  })

  it('are refused when no request is in progress', async () => {
    const { key } = await gateway.newKey('growth')
    const { socket, answer } = open(status(key))
    await until(() => answer().includes('"version"'))
    socket.write('GARBAGE\r\n\r\n')
    await once(socket, 'close')
    expect(statusLinesOf(answer())).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 400 Bad Request'])
  })
})

it('the gateway answers a request once, even if its body breaks or never ends after the answer [D6]', async () => {
  const { socket, answer } = open(head('no-key', 'Transfer-Encoding: chunked'))
  await until(() => answer().includes('"invalid_key"'))
  socket.write('zz\r\n')
  await once(socket, 'close')
  expect(statusLinesOf(answer())).toEqual(['HTTP/1.1 401 Unauthorized'])
})

describe('a request that Node itself would refuse without an answer body [D6, D9]', () => {
  it.each([
    ['an unknown expectation', 'Host: a\r\nExpect: 200-ok\r\n'],
    ['no Host', ''],
  ])('is answered 400 with a body and the three RateLimit headers: %s', async (_, headers) => {
    const { key } = await gateway.newKey('growth')
    const answer = await raw(`GET ${V2}/status HTTP/1.1\r\nx-api-key: ${key}\r\n${headers}Connection: close\r\n\r\n`)
    const [top = '', body = ''] = answer.split('\r\n\r\n')
    expect(statusLinesOf(top)).toEqual(['HTTP/1.1 400 Bad Request'])
    expect(top).toMatch(/RateLimit-Limit: 60\r\nRateLimit-Remaining: \d+\r\nRateLimit-Reset: \d+/)
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_request', requestId: expect.any(String) })
  })

  it('is accepted if it is HTTP/1.0 without Host', async () => {
    expect(await raw('GET /api/external/v1 HTTP/1.0\r\n\r\n')).toContain('"version_removed"')
  })
})

describe('Expect: 100-continue', () => {
  it('gets 100 Continue only if every check before the body succeeds [D5, D7]', async () => {
    const { key } = await gateway.newKey('growth')
    const { socket, answer } = open(head(key, 'Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close'))
    await until(() => answer() === 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('{}')
    await once(socket, 'close')
    expect(statusLinesOf(answer())).toEqual(['HTTP/1.1 100 Continue', 'HTTP/1.1 201 Created'])
  })

  it('gets the refusal instead: 413 for a long body, 401 without a key', async () => {
    const { key } = await gateway.newKey('growth')
    const long = await raw(head(key, 'Content-Length: 524289\r\nExpect: 100-continue'))
    expect(statusLinesOf(long)).toEqual(['HTTP/1.1 413 Payload Too Large'])
    const stranger = await raw(head('no-key', 'Content-Length: 2\r\nExpect: 100-continue'))
    expect(statusLinesOf(stranger)).toEqual(['HTTP/1.1 401 Unauthorized'])
    expect(gateway.far.received).toHaveLength(0)
  })
})

describe('a body of more than 512 KiB [D7]', () => {
  it('is refused as soon as Content-Length says so, and the connection closes', async () => {
    const { key } = await gateway.newKey('growth')
    const answer = await raw(head(key, 'Content-Length: 524289'))
    expect(answer).toContain('HTTP/1.1 413 Payload Too Large')
    expect(answer).toContain('"code":"body_too_large"')
    expect(answer.toLowerCase()).toContain('connection: close')
    expect(answer).toContain('RateLimit-Remaining: 299')
  })

  it('is refused when byte 524,289 arrives, without waiting for the end', async () => {
    const { key } = await gateway.newKey('growth')
    const chunk = `80001\r\n${' '.repeat(524_289)}\r\n`
    expect(await raw(head(key, 'Transfer-Encoding: chunked') + chunk)).toContain('HTTP/1.1 413')
    expect(gateway.far.received).toHaveLength(0)
  })

  it('is answered even if the client sends the whole body before it reads the answer', async () => {
    const { key } = await gateway.newKey('load')
    for (let at = 0; at < 20; at += 1) {
      const reply = await gateway.call('POST', `${V2}/contracts`, { key, body: Buffer.alloc(3_000_000, 32) })
      expect(codeOf(reply)).toBe('413 body_too_large')
    }
  })

  it('is refused, but a body of exactly 524,288 bytes is forwarded', async () => {
    const { key } = await gateway.newKey('growth')
    const body = `{"a":"${'b'.repeat(524_288 - 8)}"}`
    expect((await gateway.call('POST', `${V2}/contracts`, { key, body })).status).toBe(201)
    expect(gateway.far.received[0]?.body).toBe(body)
  })
})
