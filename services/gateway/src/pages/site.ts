// The paths that the gateway answers to browsers by itself: /, the reference, the icon, the style sheets and scripts of its pages. [ceremony:
// headers]
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Context, Middleware } from 'koa'
import { setRoute } from '@paraph/http/failed-request'
import { ICON_HREF, sendIcon } from '@paraph/web/icon'
import { pageHeaders } from '@paraph/web/security-headers'
import { loadStyleSheet, sendAsset } from '@paraph/web/style-sheet'
import { pathOfTarget } from '../edge/endpoints.js'
import { publicBody, sendPublicBody } from './public-body.js'

export interface SiteRoute {
  path: string
  /** The name of the route in metrics and spans. */
  template: string
  answer: (ctx: Context) => void | Promise<void>
}

const ASSET = '/assets/gateway/{file}'

/** Serves the shared style sheet followed by `parts`, at a path that contains the content hash. */
export function styleSheetRoute(...parts: readonly URL[]): SiteRoute {
  const sheet = loadStyleSheet(parts)
  const path = `/assets/gateway/${sheet.hash}.css`
  return { path, template: ASSET, answer: (ctx) => sendAsset(ctx, sheet) }
}

/** Serves a script, at a path that contains the content hash. */
export function scriptRoute(file: URL): SiteRoute {
  const script = readFileSync(file, 'utf8')
  const path = `/assets/gateway/${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`
  const body = publicBody('text/javascript; charset=utf-8', script)
  return { path, template: ASSET, answer: (ctx) => sendPublicBody(ctx, body, 'public, max-age=31536000, immutable') }
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
    setRoute(ctx, route.template)
    ctx.set(pageHeaders(https))
    await route.answer(ctx)
  }
}
