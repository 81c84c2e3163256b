// Serves the reference at /docs: selects the page and the language. The pages own their content.
import type { Context, Middleware } from 'koa'
import { recordRoute } from '@paraph/telemetry/tracing-seam'
import { sendPage } from '@paraph/web/page-answer'
import { pageHeaders } from '@paraph/web/security-headers'
import type { OpenApiDocument } from '../openapi/openapi.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import { writePlainPage } from '../pages/plain-page.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { DOCS_PATH, ENTRIES } from './contents.js'
import type { DocsReader } from './page-props.js'
import { ReferencePage } from './reference-page.js'
import { CODE_LANGUAGES } from './samples.js'

interface DocsDeps {
  /** Rejects while a service that owns a part of the document is unavailable; the reader then gets a page that says so. */
  readDocument: () => Promise<OpenApiDocument>
  styleHref: string
  /** Public origin of this installation, without a path. */
  baseUrl: string
  https: boolean
  statusUrl: string | undefined
  /** The signed-in reader. If it rejects, the page is the one for a reader who is not signed in. */
  readerOf: (ctx: Context) => Promise<DocsReader | undefined>
}

/** Handles GET and HEAD of the pages of the reference; passes every other request on. */
export function createReference({ readDocument, readerOf, https, statusUrl, ...site }: DocsDeps): Middleware {
  const entries = new Map(ENTRIES.map((entry) => [entry.path, entry]))

  return async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    const entry = entries.get(path)
    if (!entry || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    recordRoute(path === DOCS_PATH ? path : `${DOCS_PATH}/{page}`)
    const document = await readDocument().catch(() => undefined)
    if (!document) return writePlainPage(ctx, 'referenceAway', { https })
    const codeLanguage = new URLSearchParams(ctx.querystring).get('code')
    const page = {
      ...site,
      locale: localeOf(ctx, https),
      path,
      document,
      statusHref: statusUrl,
      codeLanguage: (CODE_LANGUAGES.find(({ id }) => id === codeLanguage) ?? CODE_LANGUAGES[0]).id,
      reader: await readerOf(ctx).catch(() => undefined),
    }
    ctx.set(pageHeaders(https))
    setLocaleCookie(ctx, https)
    sendPage(ctx, 200, <ReferencePage page={page} entry={entry} />)
  }
}
