// The page at /. On a local start it leads to what that start shows of itself; the key there is no business of this service.
import type { Middleware } from 'koa'
import { VERSION } from '@paraph/protocol/version'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { renderPage } from '@paraph/web/render'
import { pageHeaders } from '@paraph/web/security-headers'
import { localeOf, rememberLocale } from '../page-locale.js'
import { pathOfTarget } from '../router.js'
import { HomePage } from './home-page.js'

/** @param localHomeUrl where a local start shows its key and its addresses; undefined in production */
export function createHome({
  styleHref,
  https,
  statusUrl,
  localHomeUrl,
}: {
  styleHref: string
  https: boolean
  statusUrl: string | undefined
  localHomeUrl: string | undefined
}): Middleware {
  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    noteRoute(path)
    ctx.set(pageHeaders(https))
    if (localHomeUrl !== undefined) return ctx.redirect(localHomeUrl)
    rememberLocale(ctx, https)
    const facts = { locale: localeOf(ctx, https), styleHref, version: VERSION, statusHref: statusUrl }
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = renderPage(<HomePage {...facts} />)
  }
}
