// The page at /. A local start redirects it to the launcher's home page, which shows the demo key.
import type { Middleware } from 'koa'
import { VERSION } from '@paraph/protocol/version'
import { recordRoute } from '@paraph/telemetry/tracing-seam'
import { renderPage } from '@paraph/web/render'
import { pageHeaders } from '@paraph/web/security-headers'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { HomePage } from './home-page.js'

interface HomeDeps {
  styleHref: string
  https: boolean
  statusUrl: string | undefined
  /** The launcher's home page of a local start; undefined in production. */
  localHomeUrl: string | undefined
}

export function createHome({ styleHref, https, statusUrl, localHomeUrl }: HomeDeps): Middleware {
  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    recordRoute(path)
    ctx.set(pageHeaders(https))
    if (localHomeUrl !== undefined) return ctx.redirect(localHomeUrl)
    setLocaleCookie(ctx, https)
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = renderPage(
      <HomePage locale={localeOf(ctx, https)} styleHref={styleHref} version={VERSION} statusHref={statusUrl} />,
    )
  }
}
