import Koa from 'koa'
import { expect, it } from 'vitest'
import { isSameOriginPost } from './same-origin.js'
import { pageHeaders, securityHeaders } from './security-headers.js'

it('sends the strict policy and tells no cache, crawler or other site [ceremony: headers, ceremony]', () => {
  expect(pageHeaders(true)).toMatchObject({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  })
})

it('promises HSTS on https only', () => {
  expect(pageHeaders(false)).not.toHaveProperty('Strict-Transport-Security')
})

it('lets a style sheet be cached while the other headers stay', async () => {
  const app = new Koa().use(securityHeaders({ https: false })).use((ctx) => {
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.body = 'body{}'
  })
  const server = app.listen(0)
  try {
    const { port } = server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  } finally {
    server.close()
  }
})

it('takes a post from our own page, from an old browser, and with the null origin that no-referrer makes [ceremony: headers]', () => {
  const ours = 'https://sign.example.com'
  expect(isSameOriginPost({ 'sec-fetch-site': 'same-origin', origin: 'null' }, ours)).toBe(true)
  expect(isSameOriginPost({ origin: 'null' }, ours)).toBe(true)
  expect(isSameOriginPost({}, ours)).toBe(true)
  expect(isSameOriginPost({ 'sec-fetch-site': 'same-site' }, ours)).toBe(false)
  expect(isSameOriginPost({ 'sec-fetch-site': 'cross-site', origin: ours }, ours)).toBe(false)
  expect(isSameOriginPost({ origin: 'https://evil.example' }, ours)).toBe(false)
})
