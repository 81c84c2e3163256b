// The paths that the gateway answers to browsers by itself: /, the reference, the icon, and the style sheets of its pages. [ceremony: headers]
import type { Context, Middleware } from 'koa'
import { recordRoute } from '@paraph/telemetry/tracing-facade'
import { ICON_HREF, sendIcon } from '@paraph/web/icon'
import { pageHeaders } from '@paraph/web/security-headers'
import { loadStyleSheet, sendStyleSheet } from '@paraph/web/style-sheet'
import { pathOfTarget } from '../edge/endpoints.js'

export interface SiteRoute {
  path: string
  /** The name of the route in metrics and spans. */
  template: string
  answer: (ctx: Context) => void | Promise<void>
}

/** Serves the shared style sheet followed by `part`, at a path that contains the content hash. */
export function styleSheetRoute(part: URL): SiteRoute {
  const sheet = loadStyleSheet([part])
  const path = `/assets/gateway/${sheet.hash}.css`
  return { path, template: '/assets/gateway/{file}', answer: (ctx) => sendStyleSheet(ctx, sheet) }
}

/** The icon of all pages, and the same at the path that browsers request for a response without a link to an icon. */
export const ICON_ROUTES: readonly SiteRoute[] = [
  { path: ICON_HREF, template: '/assets/{file}', answer: sendIcon },
  { path: '/favicon.ico', template: '/favicon.ico', answer: sendIcon },
]

/** Handles GET and HEAD of `routes`; passes every other request on. @param https whether people reach the site by https */
export function serveSite(routes: readonly SiteRoute[], https: boolean): Middleware {
  const byPath = new Map(routes.map((route) => [route.path, route]))
  return async (ctx, next) => {
    const route = byPath.get(pathOfTarget(ctx.req.url ?? ''))
    if (!route || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    recordRoute(route.template)
    ctx.set(pageHeaders(https))
    await route.answer(ctx)
  }
}
