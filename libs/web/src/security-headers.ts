// The headers that every page answers with. Owns: the list and its values. [ceremony: headers]
// Pages are private, never framed, never indexed, and tell no other site where the person came from.
import type { Middleware } from 'koa'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PERMISSIONS_POLICY = [
  'accelerometer=()',
  'browsing-topics=()',
  'camera=()',
  'display-capture=()',
  'geolocation=()',
  'gyroscope=()',
  'microphone=()',
  'payment=()',
  'usb=()',
].join(', ')

/** Header → value for a page. `https`: whether people reach the site by https, which alone may promise HSTS. */
export function pageHeaders(https: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(https ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/**
 * Koa middleware: sets the page headers before what follows, so that a style sheet may still set its own `Cache-Control`.
 * Errors must be rendered behind it: Koa's own handler drops every header already set.
 */
export function securityHeaders(config: { https: boolean }): Middleware {
  const headers = pageHeaders(config.https)
  return async (ctx, next) => {
    ctx.set(headers)
    await next()
  }
}
