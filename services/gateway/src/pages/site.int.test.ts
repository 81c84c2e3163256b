// The pages of the gateway itself: / and /docs, and what they load.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { pageHeaders } from '@paraph/web/security-headers'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const french = { headers: { 'accept-language': 'fr-CA' } }
/** Headers that the public pages of the reference set in their own way. */
const KEPT_BY_READERS = ['Cache-Control', 'X-Robots-Tag']

describe.each([
  ['/', '.home-columns'],
  ['/docs', '.reference-side'],
  ['/docs/polling', '.reference-side'],
])('the page %s', (path, selector) => {
  it('has the security headers, and links to a style sheet that a browser may cache [CSP]', async () => {
    const page = await gateway.call('GET', path)
    expect(page.status).toBe(200)
    const headers = Object.entries(pageHeaders(false)).filter(([name]) => !KEPT_BY_READERS.includes(name))
    for (const [name, value] of headers) expect(page.headers[name.toLowerCase()]).toBe(value)
    const [, href] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)!
    const sheet = await gateway.call('GET', href!)
    expect([sheet.status, sheet.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(sheet.headers['cache-control']).toContain('immutable')
    expect(sheet.text).toContain(selector)
  })

  it("is in the reader's language, and stores a chosen one [D25]", async () => {
    expect((await gateway.call('GET', path, french)).text).toContain('<html lang="fr-CA">')
    const chosen = await gateway.call('GET', `${path}?lang=en`, french)
    expect(chosen.text).toContain('<html lang="en-GB">')
    expect(chosen.headers['set-cookie']).toMatch(/^lang=en; .*HttpOnly/)
  })

  it('accepts only GET and HEAD, and needs no key', async () => {
    expect((await gateway.call('HEAD', path)).status).toBe(200)
    expect((await gateway.call('POST', path, { body: 'a=b' })).status).toBe(404)
    expect((await gateway.call('GET', path)).headers).not.toHaveProperty('ratelimit-limit')
  })
})

it('a page links to its icon, which a browser keeps for a year, and finds at /favicon.ico too', async () => {
  const [, href] = /<link rel="icon" [^>]*href="([^"]+)"/.exec((await gateway.call('GET', '/docs')).text)!
  for (const path of [href!, '/favicon.ico']) {
    const icon = await gateway.call('GET', path)
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(icon.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(icon.text).toContain('<svg ')
  }
})

describe('a page of the reference for a reader without a key', () => {
  it('may be stored, compressed and indexed by everyone, in its language and under one address', async () => {
    const page = await gateway.call('GET', '/docs/polling?code=python', french)
    expect(page.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    })
    expect(page.headers).not.toHaveProperty('x-robots-tag')
    const links = String(page.headers['link'])
    expect(links).toContain('<http://sign.test/docs/polling?lang=fr>; rel="canonical"')
    expect(links).toContain('<http://sign.test/docs/polling?lang=en>; rel="alternate"; hreflang="en-GB"')
    expect(links).toContain('<http://sign.test/docs/polling.md?lang=fr>; rel="alternate"; type="text/markdown"')
    const etag = String(page.headers['etag'])
    const again = { headers: { ...french.headers, 'if-none-match': etag } }
    expect((await gateway.call('GET', '/docs/polling?code=python', again)).status).toBe(304)
    expect((await gateway.call('GET', '/docs/polling?code=node', again)).status).toBe(200)
  })

  it('may only be stored by the browser if it sets the cookie of the language', async () => {
    expect((await gateway.call('GET', '/docs?lang=fr')).headers['cache-control']).toBe('private, max-age=300')
  })

  it('is also Markdown in its language', async () => {
    const page = await gateway.call('GET', '/docs/polling.md', french)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(page.text).toMatch(/^# Interrogation\n/)
  })

  it('is a page with the contents at an address that does not exist, which nobody stores or indexes', async () => {
    const page = await gateway.call('GET', '/docs/nothing')
    expect([page.status, page.headers['cache-control'], page.headers['x-robots-tag']]).toEqual([
      404,
      'no-store',
      'noindex',
    ])
    expect(page.text).toContain('href="/docs/polling"')
  })
})

it('the reference explains that it is unavailable while the contract service is, and recovers with it', async () => {
  const late = await startTestGateway()
  const { openApiPart } = late.far
  late.far.openApiPart = undefined as never
  try {
    const away = await late.call('GET', '/docs', french)
    expect([away.status, away.headers['retry-after']]).toEqual([503, '5'])
    expect(away.text).toContain('La documentation est temporairement indisponible')
    late.far.openApiPart = openApiPart
    expect((await late.call('GET', '/docs')).status).toBe(200)
  } finally {
    await late.stop()
  }
})

it('a path that does not exist shows a page whose style sheet the gateway serves [CSP]', async () => {
  const page = await gateway.call('GET', '/nowhere')
  const [, href] = /<link rel="stylesheet" href="([^"]+)"/.exec(page.text)!
  expect([page.status, (await gateway.call('GET', href!)).status]).toEqual([404, 200])
})

it('the path / redirects to the home page of a local start [local-stack: the mailbox]', async () => {
  const local = await startTestGateway({ LOCAL_HOME_URL: 'http://localhost:8025' })
  try {
    const answer = await local.call('GET', '/')
    expect([answer.status, answer.headers['location']]).toEqual([302, 'http://localhost:8025/'])
    expect(answer.headers['content-security-policy']).toBe(pageHeaders(false)['Content-Security-Policy'])
  } finally {
    await local.stop()
  }
})

it('every answer has HSTS on https: a page, a style sheet, an API error, a path that does not exist [ASVS 3.4.1]', async () => {
  const secure = await startTestGateway({ BASE_URL: 'https://sign.test' })
  const href = /<link rel="stylesheet" href="([^"]+)"/.exec((await secure.call('GET', '/docs')).text)![1]!
  for (const path of ['/', href, '/api/external/v2/status', '/nowhere'])
    expect((await secure.call('GET', path)).headers['strict-transport-security']).toContain('max-age=31536000')
  await secure.stop()
  expect((await gateway.call('GET', '/')).headers).not.toHaveProperty('strict-transport-security')
})
