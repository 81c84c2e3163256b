import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { waitFor } from '@paraph/testing/wait-for'
import { created, startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = (_, res) => void res.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>page</p>')
  gateway.far.received.length = 0
})

describe("a party's browser [D44, D45]", () => {
  it.each([
    '/contract/TOKEN',
    '/contract/TOKEN/review?lang=fr',
    '/help',
    '/privacy',
    '/verify',
    '/.well-known/keys',
    '/assets/signing/a.css',
    '/assets/brand/1a5fb4.css',
  ])('reaches the signing service at %s', async (path) => {
    const reply = await gateway.call('GET', path)
    expect([reply.status, reply.text]).toEqual([200, '<p>page</p>'])
    expect(gateway.far.received[0]?.url).toBe(path)
    expect(reply.headers).not.toHaveProperty('ratelimit-limit')
  })

  it.each(['/docs/', '/docsx', '/contract', '/helpx', '/rpc/sign', '/readyz', '/assets/other/a.css'])(
    'gets a "not found" page at %s',
    async (path) => {
      const reply = await gateway.call('GET', path, { headers: { 'accept-language': 'fr-CA' } })
      expect(reply.status).toBe(404)
      expect(reply.text).toContain('Page introuvable')
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
      expect(gateway.far.received).toHaveLength(0)
    },
  )

  it.each([
    ['lang=fr', 'Page introuvable'],
    // On plain http only a cookie without the prefix is ours.
    ['__Host-lang=fr', 'Page not found'],
    ['xlang=fr', 'Page not found'],
  ])('gets our own pages in the language that the cookie %s stores [D25]', async (cookie, title) => {
    expect((await gateway.call('GET', '/nothing', { headers: { cookie } })).text).toContain(title)
  })

  it('is forwarded with an anonymous token, the address that the gateway saw and the cookies of signing, without reserved headers and the cookie of the console [P27]', async () => {
    await gateway.call('POST', '/contract/TOKEN/code', {
      body: 'email=a%40b.example',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '6.6.6.6, 203.0.113.9',
        'x-paraph-client-address': '6.6.6.6',
        'x-paraph-retry': '1',
        authorization: 'Bearer of-the-client',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        cookie: 'console=abc; lang=fr; __Host-console=def; sign-1a=s; __Host-sign-2b=t; kept-name=n; xlang=fr',
        'user-agent': 'a browser',
        'sec-fetch-site': 'same-origin',
      },
    })
    const [received] = gateway.far.received
    expect(received).toMatchObject({
      method: 'POST',
      body: 'email=a%40b.example',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-paraph-client-address': '203.0.113.9',
        cookie: 'lang=fr; sign-1a=s; __Host-sign-2b=t; kept-name=n',
        'user-agent': 'a browser',
        'sec-fetch-site': 'same-origin',
      },
    })
    expect(received?.headers).not.toHaveProperty('x-forwarded-for')
    expect(received?.headers).not.toHaveProperty('x-paraph-retry')
    expect(received?.headers).not.toHaveProperty('traceparent')
    expect(await gateway.verifyAsSigning(received?.headers.authorization)).toEqual({
      issuer: 'gateway',
      principal: undefined,
    })
  })

  it('gets status, redirects and the cookies of signing unchanged, and no other cookie [P27]', async () => {
    gateway.far.respond = (_, res) =>
      void res
        .writeHead(303, {
          Location: '/contract/TOKEN/review',
          'Set-Cookie': ['sign-1a=1; Path=/', '__Host-console=x; Path=/', 'console=x', 'kept-name=2; Path=/'],
        })
        .end()
    const reply = await gateway.call('POST', '/contract/TOKEN', { body: 'a=b' })
    expect([reply.status, reply.headers['location'], reply.headers['set-cookie'], reply.text]).toEqual([
      303,
      '/contract/TOKEN/review',
      ['sign-1a=1; Path=/', 'kept-name=2; Path=/'],
      '',
    ])
    expect(reply.headers).not.toHaveProperty('content-type')
  })

  it('gets a file byte for byte, and its length by HEAD', async () => {
    const pdf = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 256))
    gateway.far.respond = ({ method }, res) =>
      void res
        .writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': pdf.length })
        .end(method === 'HEAD' ? undefined : pdf)
    const response = await fetch(`${gateway.url}/contract/TOKEN/contract.pdf`)
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true)
    const head = await gateway.call('HEAD', '/contract/TOKEN/contract.pdf')
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '200000', ''])
  })

  it('may send at most 64 KiB', async () => {
    expect((await gateway.call('POST', '/contract/TOKEN', { body: Buffer.alloc(65_536, 97) })).status).toBe(200)
    const reply = await gateway.call('POST', '/contract/TOKEN', { body: Buffer.alloc(65_537, 97) })
    expect([reply.status, reply.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
    expect(gateway.far.received).toHaveLength(1)
  })

  it('sends a file to check as it is, with its length, and is answered while it sends', async () => {
    const file = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => 97 + (at % 26)))
    expect((await gateway.call('POST', '/verify', { body: file })).status).toBe(200)
    expect(gateway.far.received[0]?.body === file.toString()).toBe(true)
    expect(gateway.far.received[0]?.headers['content-length']).toBe('3000000')

    gateway.far.refuseEarly = (res) => void res.writeHead(413, { 'Content-Type': 'text/html' }).end('<p>too long</p>')
    const sending = request(`${gateway.url}/verify`, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>
    let isAnswered = false
    void answered.then(() => (isAnswered = true))
    while (!isAnswered) await new Promise((resolve) => sending.write(Buffer.alloc(200_000), resolve))
    expect((await answered)[0].statusCode).toBe(413)
    // The connection takes the rest, so that a browser that sends first and then reads gets its answer.
    await new Promise((resolve) => sending.write(Buffer.alloc(3_000_000), resolve))
    await new Promise<void>((resolve) => sending.end(resolve))
    gateway.far.refuseEarly = undefined
    expect((await gateway.call('GET', '/help')).status).toBe(200)
  })

  it('that leaves while it sends a file affects no other request, and a file is never sent twice', async () => {
    for (let at = 0; at < 4; at += 1) {
      const headers = { 'content-length': 10_000_000, 'x-forwarded-for': '203.0.113.20' }
      const leaving = request(`${gateway.url}/verify`, { method: 'POST', headers })
      leaving.on('error', () => undefined)
      await new Promise((resolve) => leaving.write(Buffer.alloc(1_000_000), resolve))
      leaving.destroy()
    }
    const send = (address: string, bytes: number) =>
      gateway.call('POST', '/verify', { body: Buffer.alloc(bytes), headers: { 'x-forwarded-for': address } })
    // They have given their places back. A client has ten tries a minute.
    await waitFor(async () => expect((await send('203.0.113.20', 10)).status).toBe(200), { interval: 4_000 })
    gateway.far.received.length = 0
    gateway.far.respond = (_, res) => void res.destroy()
    expect([(await send('203.0.113.21', 100_000)).status, gateway.far.received.length]).toEqual([503, 1])
    await gateway.stopFar()
    expect((await send('203.0.113.22', 5_000_000)).status).toBe(503)
    await gateway.resumeFar()
  })

  it('may disconnect early without an effect on other requests', async () => {
    let leave: () => void = () => undefined
    gateway.far.respond = (_, res) => {
      leave()
      setTimeout(() => void res.writeHead(200).end(Buffer.alloc(500_000, 97)), 20)
    }
    for (let at = 0; at < 5; at += 1) {
      const leaving = new AbortController()
      leave = () => leaving.abort()
      await fetch(`${gateway.url}/contract/TOKEN`, { signal: leaving.signal }).catch(() => 'left')
    }
    gateway.far.respond = created
    expect((await gateway.call('GET', '/help')).status).toBe(201)
  })

  it('gets a page that explains that signing is unavailable and when to return; a form is not sent twice [D32]', async () => {
    gateway.far.respond = (_, res) => void res.destroy()
    const form = await gateway.call('POST', '/contract/TOKEN', { body: 'a=b' })
    expect([form.status, gateway.far.received.length]).toEqual([503, 1])
    gateway.far.respond = created
    await gateway.stopFar()
    const reply = await gateway.call('GET', '/contract/TOKEN')
    expect([reply.status, reply.headers['retry-after'], reply.headers['content-type']]).toEqual([
      503,
      '5',
      'text/html; charset=utf-8',
    ])
    expect(reply.text).toContain('Open the link again in a minute.')
    await gateway.resumeFar()
    expect((await gateway.call('GET', '/help')).status).toBe(201)
  })

  it("gets a page that says to try again, not 401, when the signing service refuses the gateway's own token [F32]", async () => {
    gateway.far.respond = (_, res) => void res.writeHead(401, { 'Content-Type': 'text/html' }).end('<p>refused</p>')
    const reply = await gateway.call('GET', '/contract/TOKEN')
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5'])
    expect(reply.text).toContain('Open the link again in a minute.')
  })

  it('gets a page that reports the outcome of a signature as unknown if the signing service dies during the signature [D41]', async () => {
    gateway.far.respond = (_, res) => void res.destroy()
    const sign = (headers = {}) => gateway.call('POST', '/contract/TOKEN/sign', { body: 'a=b', headers })
    const [english, french] = [await sign(), await sign({ 'accept-language': 'fr-CA' })]
    expect([english.status, english.headers['retry-after']]).toEqual([503, '5'])
    expect(english.text).toContain(
      'We do not know yet whether your signature was recorded. Open the link again in a minute to find out.',
    )
    expect(english.text).not.toContain('have to send it again')
    expect(french.text).toContain('Nous ne savons pas encore si votre signature a été enregistrée.')
    expect((await gateway.call('POST', '/contract/TOKEN/code', { body: 'a=b' })).text).toContain(
      'have to send it again',
    )
  })
})
