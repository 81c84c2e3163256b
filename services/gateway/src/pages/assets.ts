// The style sheets of the gateway's own pages, at paths with their hashes. [ceremony: headers]
import type { Middleware } from 'koa'
import { recordRoute } from '@paraph/telemetry/tracing-seam'
import { pageHeaders } from '@paraph/web/security-headers'
import { loadStyleSheet, sendStyleSheet } from '@paraph/web/style-sheet'
import { pathOfTarget } from '../edge/endpoints.js'

/**
 * Loads the sheets once.
 * @param sheets name → the parts that follow the shared sheet
 * @param https whether people reach the site by https
 * @returns the path of each sheet by its name, and the middleware that serves them
 */
export function createPageAssets<Name extends string>(
  sheets: Readonly<Record<Name, readonly URL[]>>,
  { https }: { https: boolean },
) {
  const loaded = Object.entries<readonly URL[]>(sheets).map(([name, parts]) => {
    const sheet = loadStyleSheet(parts)
    return { name, sheet, href: `/assets/gateway/${sheet.hash}.css` }
  })
  const byHref = new Map(loaded.map(({ href, sheet }) => [href, sheet]))
  const middleware: Middleware = async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    const sheet = byHref.get(path)
    if (!sheet || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    recordRoute('/assets/gateway/{file}')
    ctx.set(pageHeaders(https))
    sendStyleSheet(ctx, sheet)
  }
  return { middleware, hrefs: Object.fromEntries(loaded.map(({ name, href }) => [name, href])) as Record<Name, string> }
}
