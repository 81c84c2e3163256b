// The reference at /docs: which page a path is, in which language. Does not own what the pages say.
import type { Context, Middleware } from 'koa'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { renderPage } from '@paraph/web/render'
import { pageHeaders } from '@paraph/web/security-headers'
import type { OpenApiDocument } from '../openapi.js'
import { localeOf, rememberLocale } from '../page-locale.js'
import { writePlainPage } from '../plain-page.js'
import { pathOfTarget } from '../router.js'
import { ENTRIES } from './contents.js'
import type { DocsReader } from './page-props.js'
import { ReferencePage } from './reference-page.js'
import { CODE_LANGUAGES } from './samples.js'

/**
 * @param readDocument the OpenAPI document; rejects while a part of it is away, which a page says in words
 * @param baseUrl where clients reach this installation, without a path
 * @param readerOf who asks; where it rejects, the page is that of anybody
 */
export function createDocs({
  readDocument,
  styleHref,
  baseUrl,
  https,
  statusUrl,
  readerOf,
}: {
  readDocument: () => Promise<OpenApiDocument>
  styleHref: string
  baseUrl: string
  https: boolean
  statusUrl: string | undefined
  readerOf: (ctx: Context) => Promise<DocsReader | undefined>
}): Middleware {
  const entries = new Map(ENTRIES.map((entry) => [entry.path, entry]))

  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    const entry = entries.get(path)
    if (!entry || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    noteRoute(path)
    const document = await readDocument().catch(() => undefined)
    if (!document) return writePlainPage(ctx, 'referenceAway', { https })
    const asked = new URLSearchParams(ctx.querystring).get('code')
    const page = {
      ...{ locale: localeOf(ctx, https), styleHref, path, document, baseUrl, statusHref: statusUrl },
      codeLanguage: (CODE_LANGUAGES.find(({ id }) => id === asked) ?? CODE_LANGUAGES[0]).id,
      reader: await readerOf(ctx).catch(() => undefined),
    }
    ctx.set(pageHeaders(https))
    rememberLocale(ctx, https)
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = renderPage(<ReferencePage page={page} entry={entry} />)
  }
}
