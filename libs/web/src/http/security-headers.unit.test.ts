import Koa from 'koa'
import { expect, it } from '@jest/globals'
import { pageHeaders, securityHeaders } from './security-headers.js'

it('the security headers set the strict policy and keep pages from caches, crawlers and other sites [ceremony: headers, ceremony]', () => {
  expect(pageHeaders(true)).toMatchObject({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  })
})

it('the security headers include HSTS on https only', () => {
  expect(pageHeaders(false)).not.toHaveProperty('Strict-Transport-Security')
})

it('the security headers let a style sheet set its own caching and keep the other headers', async () => {
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
