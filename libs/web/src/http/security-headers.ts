// The security headers of every page. [ceremony: headers]
// Pages are private, never framed, never indexed, and send no referrer to other sites.
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

const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }

/** Header → value for a page. `https`: whether people reach the site by https; only then is HSTS set. */
export function pageHeaders(https: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': 'no-store',
    // Nothing to other sites. `no-referrer` would also hide the origin of our forms from us, which old browsers send instead of Fetch Metadata.
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': PERMISSIONS_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(https ? STRICT_TRANSPORT : {}),
  }
}

/**
 * Koa middleware: sets the page headers first, so that a style sheet can still set its own `Cache-Control`.
 * Errors must be rendered inside this middleware: Koa's own error handler drops every header that is already set.
 */
export function securityHeaders(config: { https: boolean }): Middleware {
  const headers = pageHeaders(config.https)
  return async (ctx, next) => {
    ctx.set(headers)
    await next()
  }
}

/** Koa middleware for a site on https: every answer, those of the API among them, has HSTS. */
export const strictTransport: Middleware = (ctx, next) => {
  ctx.set(STRICT_TRANSPORT)
  return next()
}
