// The addresses of the reference: its pages, the same as Markdown, the index of the search, /llms.txt.
// A page for a reader with a key is never stored or indexed; for everyone else it is one public body. [ceremony: headers]
import type { Context, Middleware } from 'koa'
import type { VNode } from 'preact'
import { setRoute } from '@paraph/http/failed-request'
import { LANGUAGE_TAG, LOCALES, pathInLocale, type Locale } from '@paraph/web/locale'
import { renderPage, sendPage } from '@paraph/web/page-answer'
import { pageHeaders } from '@paraph/web/security-headers'
import { pathOfTarget } from '../edge/endpoints.js'
import type { OpenApiDocument } from '../openapi/openapi.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import type { SendPlainPage } from '../pages/plain-page.js'
import { publicBody, sendPublicBody, type PublicBody } from '../pages/public-body.js'
import type { SiteRoute } from '../pages/site.js'
import { ALL_PATH, DOCS_PATH, ENTRIES } from './contents.js'
import { ON_ITS_OWN, type PageProps } from './page-props.js'
import { AllPages, NotFoundPage, ReferencePage } from './reference-page.js'
import { CODE_LANGUAGES, type DocsReader } from './samples.js'
import { allAsMarkdown, llmsText, markdownPath, pageAsMarkdown } from './text/markdown.js'
import { searchIndexPath, searchIndexScript } from './text/search-index.js'

const TEMPLATE = `${DOCS_PATH}/{page}`
const MAX_AGE = 'max-age=300'

interface DocsDeps {
  /** Rejects while a service that owns a part of the document is unavailable; the reader then gets an error page. */
  readDocument: () => Promise<OpenApiDocument>
  styleHref: string
  scripts: readonly string[]
  /** Public origin of this installation, without a path. */
  baseUrl: string
  https: boolean
  statusUrl: string | undefined
  /** The reader, if they have a key to show. If it rejects, the page shows none, and nobody stores it. */
  readerOf: (ctx: Context) => Promise<DocsReader | undefined>
  sendPlainPage: SendPlainPage
}

type Render = (page: PageProps) => VNode
type Write = (basis: Pick<PageProps, 'locale' | 'document' | 'baseUrl'>) => string

export function createReference(deps: DocsDeps) {
  const { readDocument, readerOf, https, statusUrl, styleHref, scripts, baseUrl, sendPlainPage } = deps
  /** At most one body for each page, language and language of the samples. */
  const bodies = new Map<string, PublicBody>()

  function sharedBody(key: string, contentType: string, write: () => string): PublicBody {
    const body = bodies.get(key) ?? publicBody(contentType, write())
    bodies.set(key, body)
    return body
  }

  /** Lets everyone store and index the answer, which depends on nothing but its address and language. */
  function sendPublic(ctx: Context, path: string, locale: Locale, body: PublicBody): void {
    ctx.vary('Cookie, Accept-Language')
    ctx.remove('X-Robots-Tag')
    ctx.set('Link', linksOf(baseUrl, path, locale))
    const scope = ctx.res.hasHeader('Set-Cookie') ? 'private' : 'public'
    sendPublicBody(ctx, body, `${scope}, ${MAX_AGE}`)
  }

  const documentOr503 = async (ctx: Context): Promise<OpenApiDocument | undefined> => {
    const document = await readDocument().catch(() => undefined)
    if (!document) sendPlainPage(ctx, 'referenceAway')
    return document
  }

  async function answerPage(ctx: Context, path: string, render: Render, status: 200 | 404 = 200): Promise<void> {
    const document = await documentOr503(ctx)
    if (!document) return
    const [locale, codeLanguage] = [localeOf(ctx, https), codeLanguageOf(ctx)]
    const reader = await readerOf(ctx).catch(() => 'unknown' as const)
    setLocaleCookie(ctx, https)
    const site = { locale, styleHref, scripts, path, place: ON_ITS_OWN, codeLanguage, document, baseUrl }
    const page = { ...site, statusHref: statusUrl, reader: reader === 'unknown' ? undefined : reader }
    if (status === 404 || reader !== undefined) return sendPage(ctx, status, render(page))
    const key = `${path} ${locale} ${codeLanguage}`
    sendPublic(
      ctx,
      path,
      locale,
      sharedBody(key, 'text/html; charset=utf-8', () => renderPage(render(page))),
    )
  }

  async function answerText(ctx: Context, path: string, write: Write): Promise<void> {
    const document = await documentOr503(ctx)
    if (!document) return
    const locale = localeOf(ctx, https)
    const body = sharedBody(`${ctx.path} ${locale}`, 'text/markdown; charset=utf-8', () =>
      write({ locale, document, baseUrl }),
    )
    sendPublic(ctx, path, locale, body)
  }

  async function answerIndex(ctx: Context, locale: Locale): Promise<void> {
    const document = await documentOr503(ctx)
    if (!document) return
    const body = sharedBody(ctx.path, 'text/javascript; charset=utf-8', () => searchIndexScript(document, locale))
    sendPublicBody(ctx, body, `public, ${MAX_AGE}`)
  }

  const pages = ENTRIES.map((entry) => ({
    path: entry.path,
    render: (page: PageProps) => <ReferencePage page={page} entry={entry} />,
    write: (basis: Parameters<Write>[0]) => pageAsMarkdown(entry, basis),
  }))
  const all = { path: ALL_PATH, render: (page: PageProps) => <AllPages page={page} />, write: allAsMarkdown }

  const routes: SiteRoute[] = [
    ...[...pages, all].flatMap(({ path, render, write }): SiteRoute[] => [
      { path, template: path === DOCS_PATH ? DOCS_PATH : TEMPLATE, answer: (ctx) => answerPage(ctx, path, render) },
      { path: markdownPath(path), template: TEMPLATE, answer: (ctx) => answerText(ctx, path, write) },
    ]),
    ...LOCALES.map((locale) => ({
      path: searchIndexPath(locale),
      template: TEMPLATE,
      answer: (ctx: Context) => answerIndex(ctx, locale),
    })),
    { path: '/llms.txt', template: '/llms.txt', answer: (ctx) => answerText(ctx, DOCS_PATH, llmsText) },
  ]

  /** Answers every other address below /docs with the contents. */
  const notFound: Middleware = async (ctx, next) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (!path.startsWith(`${DOCS_PATH}/`) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    setRoute(ctx, TEMPLATE)
    ctx.set(pageHeaders(https))
    await answerPage(ctx, path, (page) => <NotFoundPage page={page} />, 404)
  }

  return { routes, notFound }
}

function codeLanguageOf(ctx: Context): PageProps['codeLanguage'] {
  const asked = new URLSearchParams(ctx.querystring).get('code')
  return (CODE_LANGUAGES.find(({ id }) => id === asked) ?? CODE_LANGUAGES[0]).id
}

/** The same page for search engines: its address, the other languages, its Markdown. [RFC 8288] */
function linksOf(baseUrl: string, path: string, locale: Locale): string {
  const link = (target: string, attributes: string) => `<${baseUrl}${target}>; ${attributes}`
  return [
    link(pathInLocale(path, locale), 'rel="canonical"'),
    ...LOCALES.map((each) => link(pathInLocale(path, each), `rel="alternate"; hreflang="${LANGUAGE_TAG[each]}"`)),
    link(pathInLocale(markdownPath(path), locale), 'rel="alternate"; type="text/markdown"'),
  ].join(', ')
}
