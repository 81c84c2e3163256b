import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { created, startTestGateway, until, windowOf, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
let slowAnswer: Promise<string>
beforeAll(async () => {
  gateway = await startTestGateway()
  const { key } = await gateway.newKey('growth')
  // The gateway waits 20 s for a body, so this call runs concurrently with all other tests.
  slowAnswer = raw(`${postHead(key, 'Content-Length: 10')}a`)
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = created
  gateway.far.received.length = 0
})

const V2 = '/api/external/v2'
const THREE = /RateLimit-Limit: \d+\r\nRateLimit-Remaining: \d+\r\nRateLimit-Reset: \d+/

const open = (bytes: string) => gateway.open(bytes)
const raw = (bytes: string) => gateway.raw(bytes)

/** Sends a request without a body on a connection of its own. */
const ask = (line: string, ...headers: string[]) =>
  raw([line, 'Host: a', 'Connection: close', ...headers, '', ''].join('\r\n'))
const postHead = (key: string, ...headers: string[]) =>
  [
    `POST ${V2}/contracts HTTP/1.1`,
    'Host: a',
    `x-api-key: ${key}`,
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n')
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const codeOf = (answer: string) => /"code":"(\w+)"/.exec(answer)?.[1]

describe('a malformed HTTP/1.1 request gets a 400 with the standard body, and the connection closes [S23.4, S24.7, D6, D9]', () => {
  const GET = `GET ${V2}/status HTTP/1.1\r\nHost: a\r\n`
  const POST = `POST ${V2}/contracts HTTP/1.1\r\nHost: a\r\n`
  it.each([
    ['an unknown method', `ZEBRA ${V2}/status HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a method in lower case', `get ${V2}/status HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['another version of HTTP', `GET ${V2}/status HTTP/3.0\r\nHost: a\r\n\r\n`],
    ['the start of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a target without a slash', 'GET zebra HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', `${GET}zebra\r\n\r\n`],
    ['a space before the colon', `${GET}x-zebra : 1\r\n\r\n`],
    ['a control character in a header', `${GET}x-zebra: a\u0001b\r\n\r\n`],
    ['a header name with a space', `${GET}x zebra: 1\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length twice in one header', `${POST}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length that is not a number', `${POST}Content-Length: zebra\r\n\r\n{}`],
    ['a negative length', `${POST}Content-Length: -1\r\n\r\n{}`],
    ['a length beside chunks', `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['chunks beside a length', `${POST}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`],
    ['chunks that are not the last coding', `${POST}Transfer-Encoding: chunked, zebra\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: zebra\r\n\r\n0\r\n\r\n`],
    ['a request for a tunnel', 'CONNECT zebra.example:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('for %s', async (_, bytes) => {
    const answer = await raw(bytes)
    const [top = '', body = ''] = answer.split('\r\n\r\n')
    expect(statusesOf(answer)).toEqual([400])
    expect(top).toMatch(THREE)
    expect(top).toContain('Connection: close')
    expect(top).toContain('X-Content-Type-Options: nosniff')
    expect(JSON.parse(body)).toEqual({
      error: expect.stringMatching(/\.$/),
      code: 'invalid_request',
      requestId: expect.any(String),
      type: 'http://sign.test/docs/errors#invalid_request',
    })
    expect(answer).not.toMatch(/zebra|HPE_|node/i)
    expect(gateway.far.received).toEqual([])
  })
})

describe('request headers [D9, D28]', () => {
  it.each([
    ['one long header', `X-Zebra: ${'z'.repeat(17_000)}\r\n`],
    ['many short ones', 'ab: cdef\r\n'.repeat(3_000)],
  ])('of more than 16 KiB are answered 431: %s', async (_, headers) => {
    const answer = await raw(`GET ${V2}/status HTTP/1.1\r\nHost: a\r\n${headers}\r\n`)
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[431], 'headers_too_large'])
    expect(answer).toMatch(THREE)
    expect(answer).not.toMatch(/zzz/)
  })

  it('of 15 KiB are all read, whatever their number: a second key is found at any position', async () => {
    const { key } = await gateway.newKey('growth')
    const many = Array.from({ length: 2_500 }, () => 'a:')
    expect(statusesOf(await ask(`GET ${V2}/status HTTP/1.1`, ...many, `x-api-key: ${key}`))).toEqual([200])
    const two = await ask(`GET ${V2}/status HTTP/1.1`, `x-api-key: ${key}`, ...many, `x-api-key: ${key}`)
    expect([statusesOf(two), codeOf(two)]).toEqual([[401], 'invalid_key'])
  })

  it.each([
    ['the same key twice', (key: string) => [`x-api-key: ${key}`, `x-api-key: ${key}`]],
    ['a good key and an empty one', (key: string) => [`x-api-key: ${key}`, 'x-api-key:']],
    ['an empty one and a good key', (key: string) => ['X-API-KEY:', `x-api-key: ${key}`]],
    ['two keys in one header', (key: string) => [`x-api-key: ${key}, ${key}`]],
    ['the key as a bearer token', (key: string) => [`Authorization: Bearer ${key}`]],
    ['the key in a header of another name', (key: string) => [`api-key: ${key}`]],
  ])('do not authenticate as %s [S13.3, S18.1]', async (_, headersOf) => {
    const { key } = await gateway.newKey('growth')
    const answer = await ask(`GET ${V2}/status HTTP/1.1`, ...headersOf(key))
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[401], 'invalid_key'])
    expect(answer).not.toContain(key)
  })

  it('cannot override the method', async () => {
    const { key } = await gateway.newKey('growth')
    const override = ['X-HTTP-Method-Override: POST', 'X-Method-Override: POST', 'X-HTTP-Method: POST']
    const read = await ask(`GET ${V2}/status?_method=POST HTTP/1.1`, `x-api-key: ${key}`, ...override)
    expect(statusesOf(read)).toEqual([200])
    const refused = await ask(`GET ${V2}/contracts HTTP/1.1`, `x-api-key: ${key}`, ...override)
    expect([statusesOf(refused), codeOf(refused)]).toEqual([[405], 'method_not_allowed'])
  })

  it('cannot override the protocol', async () => {
    const { key } = await gateway.newKey('growth')
    const line = `GET ${V2}/status HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n`
    const { socket, answer } = open(`${line}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
    await until(() => answer().includes('"version"'))
    socket.destroy()
    expect(statusesOf(answer())).toEqual([200])
  })

  it('with a transfer coding besides chunked are answered 415 [D5]', async () => {
    const { key } = await gateway.newKey('growth')
    const head = postHead(key, 'Transfer-Encoding: gzip, chunked', 'Connection: close')
    const answer = await raw(`${head}2\r\n{}\r\n0\r\n\r\n`)
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[415], 'unsupported_media_type'])
    expect(gateway.far.received).toEqual([])
  })

  it('with two media types are answered 415, in either order', async () => {
    const { key } = await gateway.newKey('growth')
    const second = ['Content-Type: text/plain', 'Content-Length: 2', 'Connection: close']
    const answer = await raw(`${postHead(key, ...second)}{}`)
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[415], 'unsupported_media_type'])
  })
})

describe('a method that a path does not have gets a 405 with Allow; the call uses a slot and is not counted [S23.4, S25.9, D5, D9]', () => {
  const PATHS = [
    ['/contracts', 'POST'],
    ['/contracts/contract-1-a', 'GET, HEAD'],
    ['/usage', 'GET, HEAD'],
    ['/status', 'GET, HEAD'],
  ] as const
  it.each(PATHS)('%s allows only %s', async (path, allowed) => {
    const { key } = await gateway.newKey('growth')
    const others = [
      ...(allowed === 'POST' ? ['HEAD'] : []),
      'OPTIONS',
      'PUT',
      'PATCH',
      'DELETE',
      'TRACE',
      'PROPFIND',
      allowed === 'POST' ? 'GET' : 'POST',
    ]
    for (const [at, method] of others.entries()) {
      const answer = await ask(`${method} ${V2}${path} HTTP/1.1`, `x-api-key: ${key}`)
      const [top = '', body = ''] = answer.split('\r\n\r\n')
      expect([method, statusesOf(answer)]).toEqual([method, [405]])
      expect(top).toContain(`\r\nAllow: ${allowed}\r\n`)
      expect(top).toContain(`RateLimit-Remaining: ${299 - at}\r\n`)
      expect(body === '' ? undefined : codeOf(body)).toBe(method === 'HEAD' ? undefined : 'method_not_allowed')
    }
    const { json } = await gateway.call('GET', `${V2}/usage`, { key })
    expect(json['usage']).toMatchObject({ totalCalls: 1, billableCalls: 0 })
    expect(gateway.far.received).toEqual([])
  })
})

describe('paths match byte for byte [Endpoints, D5]', () => {
  it.each([
    '/api/external/v2/status/',
    '/api/external/v2//status',
    '/api/external/v2/./status',
    '/api/external/v2/contracts/../status',
    '/api/external/v2/Status',
    '/api/external/v2/%73tatus',
    '/api/external/v2/status%20',
    '/api/external/v2/status#a',
    '/api/external/v2/status;a=b',
    '/api/external/v2/status\\',
    '/api/external/v2',
    '/api/external/v3/status',
    '/api/external/v2/contracts/a/pdf',
  ])('the path %s does not exist', async (target) => {
    const { key } = await gateway.newKey('growth')
    const answer = await ask(`GET ${target} HTTP/1.1`, `x-api-key: ${key}`)
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[404], 'not_found'])
    expect(answer).toMatch(THREE)
  })

  it.each(['*', '/', '//api/external/v2/status', '/API/external/v2/status', '/api/./external/v2/status'])(
    'the path %s is outside the interface and does not exist',
    async (target) => {
      const { key } = await gateway.newKey('growth')
      expect(statusesOf(await ask(`OPTIONS ${target} HTTP/1.1`, `x-api-key: ${key}`))).toEqual([404])
    },
  )

  it.each([
    `${V2}/status?id=1&id=2#x`,
    `${V2}/status?`,
    `http://other.example${V2}/status`,
    `HTTPS://b:1${V2}/status?x`,
  ])('the target %s, which has a query or is an absolute URL, matches /status', async (target) => {
    const { key } = await gateway.newKey('growth')
    expect(statusesOf(await ask(`GET ${target} HTTP/1.1`, `x-api-key: ${key}`))).toEqual([200])
  })

  it('a matched path is forwarded unchanged to the contract service, without its query', async () => {
    const { key } = await gateway.newKey('growth')
    for (const id of ['..', '%2e%2e', 'contract%2D1', "a'b"]) {
      await ask(`GET ${V2}/contracts/${id}?page=2 HTTP/1.1`, `x-api-key: ${key}`)
      expect(gateway.far.received.at(-1)?.url).toBe(`/contracts/${id}`)
    }
  })
})

describe('version 1 is answered 404 version_removed for every path and method, despite other errors, and is never counted [S23.3, S25.3, D9]', () => {
  const V1 = '/api/external/v1'
  const GONE: [string, string][] = [
    ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'ZEBRA', 'CONNECT'].map(
      (method): [string, string] => [
        method,
        `${method} ${V1}/contracts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      ],
    ),
    ...['', '/', '?x', '#x', '//', '/%2e', ';x', '/contracts/a/pdf', '%2Fcontracts'].map((rest): [string, string] => [
      `${V1}${rest}`,
      `GET ${V1}${rest} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    ]),
    ['an address in front', `GET http://other.example${V1} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`],
    ['no Host', `GET ${V1}/contracts HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['a strange Expect', `GET ${V1} HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\nConnection: close\r\n\r\n`],
    ['HTTP/1.0', `GET ${V1} HTTP/1.0\r\n\r\n`],
    ['another version of HTTP', `GET ${V1} HTTP/3.0\r\nHost: a\r\n\r\n`],
    ['a broken header', `GET ${V1} HTTP/1.1\r\nbad header\r\n\r\n`],
    ['headers of 17 KiB', `GET ${V1} HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
    [
      'a length beside chunks',
      `POST ${V1} HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a body of any length', `POST ${V1} HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\nConnection: close\r\n\r\n`],
    ['a broken body', `POST ${V1} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ]
  it.each(GONE)('for %s', async (name, bytes) => {
    const answer = await raw(bytes)
    expect(statusesOf(answer)).toEqual([404])
    if (name !== 'HEAD') expect(codeOf(answer)).toBe('version_removed')
    expect(answer).toMatch(THREE)
  })

  it('does not change the window of the address', async () => {
    const headers = { 'x-forwarded-for': '198.18.77.1' }
    for (let at = 0; at < 61; at += 1) {
      const reply = await gateway.call('DELETE', `${V1}/contracts/a`, { headers })
      expect([reply.status, windowOf(reply)]).toEqual([404, { limit: 60, remaining: 60, reset: 60 }])
    }
  })
})

describe('a connection [D6]', () => {
  it('stays open after a refusal, and answers pipelined requests in their order', async () => {
    const { key } = await gateway.newKey('growth', 'live', ['contracts:read'])
    const line = (target: string, used = key) => `GET ${target} HTTP/1.1\r\nHost: a\r\nx-api-key: ${used}\r\n\r\n`
    const { socket, answer } = open(
      line(`${V2}/nothing`) + line(`${V2}/status`, 'no-key') + line(`${V2}/contracts`) + line(`${V2}/status`),
    )
    await until(() => statusesOf(answer()).length === 4)
    socket.write(`${postHead(key, 'Content-Length: 2')}{}`)
    await until(() => statusesOf(answer()).length === 5)
    socket.write(line(`${V2}/status`).replace('x-api-key', 'Connection: close\r\nx-api-key'))
    await once(socket, 'close')
    expect(statusesOf(answer())).toEqual([404, 401, 405, 200, 403, 200])
  })

  it.each(['/contracts/contract-1-a', '/usage', '/status'])(
    'ignores the body of a GET %s and never reads it as a request [S15.2, S16.1, S17.1]',
    async (path) => {
      const { key } = await gateway.newKey('growth')
      const line = `GET ${V2}/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\nx-api-key: ${key}\r\n\r\n`
      const head = `GET ${V2}${path} HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n`
      const inChunks = `${head}Transfer-Encoding: chunked\r\n\r\n${line.length.toString(16)}\r\n${line}\r\n0\r\n\r\n`
      const answer = await raw(`${head}Content-Length: ${line.length}\r\n\r\n${line}${inChunks}${line}`)
      expect(statusesOf(answer)).toHaveLength(3)
      expect(gateway.far.received.map(({ body }) => body).join('')).toBe('')
      const { json } = await gateway.call('GET', `${V2}/usage`, { key })
      expect(json['usage']).toMatchObject({ totalCalls: 4 })
    },
  )

  it('answers the requests before a CONNECT first', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = (...call) => void setTimeout(() => created(...call), 50)
    const read = `GET ${V2}/contracts/contract-1-a HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`
    const answer = await raw(`${read}CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(statusesOf(answer)).toEqual([201, 400])
  })

  it('closes after one answer to HTTP/1.0', async () => {
    const { key } = await gateway.newKey('growth')
    const answer = await raw(`GET ${V2}/status HTTP/1.0\r\nx-api-key: ${key}\r\n\r\n`)
    expect(statusesOf(answer)).toEqual([200])
    expect(answer).toMatch(/RateLimit-Limit: 300\r\nRateLimit-Remaining: 299/)
  })
})

describe('a broken or missing body is answered with the window of its key [S24.7, D9]', () => {
  it.each([
    ['a malformed chunk', 'Transfer-Encoding: chunked', 'zz\r\n'],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked', '2\r\n{}{}\r\n0\r\n\r\n'],
    ['a chunk extension without end', 'Transfer-Encoding: chunked', `2;${'a'.repeat(20_000)}`],
  ])('with 400 for %s', async (_, header, body) => {
    const { key } = await gateway.newKey('growth')
    const answer = await raw(postHead(key, header) + body)
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[400], 'invalid_request'])
    expect(answer).toMatch(/RateLimit-Limit: 300\r\nRateLimit-Remaining: 299/)
    expect(answer).toContain('Connection: close')
    const { json } = await gateway.call('GET', `${V2}/usage`, { key })
    expect(json['usage']).toMatchObject({ totalCalls: 2, billableCalls: 0 })
    expect(gateway.far.received).toEqual([])
  })

  it('but not if the client disconnects during its body; the call is counted, and no contract is created', async () => {
    const { key } = await gateway.newKey('growth')
    const { socket, answer } = open(postHead(key, 'Content-Length: 10', 'Expect: 100-continue'))
    await until(() => answer().includes('100 Continue'))
    socket.write('{')
    socket.destroy()
    await until(async () => {
      const { json } = await gateway.call('GET', `${V2}/usage`, { key })
      return 'POST /contracts' in (json['usage'] as { endpointBreakdown: object }).endpointBreakdown
    })
    expect(gateway.far.received).toEqual([])
  })

  it('but not if the client disconnects before the gateway reads the body, for which the gateway does not wait [D40, H13]', async () => {
    const { key } = await gateway.newKey('growth')
    const release = await gateway.lock('lock table api_key in access exclusive mode')
    const { socket } = open(`${postHead(key, 'Content-Length: 2')}{}`)
    await until(async () => {
      const waiting = await gateway.sql(`select from pg_locks where relation = 'api_key'::regclass and not granted`)
      return waiting.length > 0
    })
    socket.resetAndDestroy()
    const leftAtMs = performance.now()
    release()
    await until(async () => {
      const { json } = await gateway.call('GET', `${V2}/usage`, { key })
      return 'POST /contracts' in (json['usage'] as { endpointBreakdown: object }).endpointBreakdown
    })
    expect(performance.now() - leftAtMs).toBeLessThan(10_000)
    expect(gateway.far.received).toEqual([])
  })

  it('with 408 if the body does not arrive within 20 seconds, and the connection closes', async () => {
    const answer = await slowAnswer
    expect([statusesOf(answer), codeOf(answer)]).toEqual([[408], 'request_timeout'])
    expect(answer).toMatch(/RateLimit-Limit: 300\r\nRateLimit-Remaining: 299/)
    expect(answer).toContain('Connection: close')
  }, 60_000)
})
