// The reference at /docs: the page of each path, with the contents at the side and a guide or an endpoint beside them.
import type { Context } from 'koa'
import { sendPage } from '@paraph/web/page-answer'
import { ReferenceShell, type ReferenceLink } from '@paraph/web/reference-shell'
import type { FootProps } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import type { OpenApiDocument } from '../openapi/openapi.js'
import { localeOf, setLocaleCookie } from '../pages/locale.js'
import type { SendPlainPage } from '../pages/plain-page.js'
import type { SiteRoute } from '../pages/site.js'
import { DOCS_PATH, ENTRIES, GROUPS, type Entry } from './contents.js'
import { GuidePage } from './guide-page.js'
import { OperationPage } from './operation-page.js'
import { readOperation } from './operation.js'
import type { PageProps } from './page-props.js'
import { CODE_LANGUAGES, type DocsReader } from './samples.js'
import { referenceMessages } from './messages.js'

export function ReferencePage({ page, entry }: { page: PageProps; entry: Entry }) {
  const { locale, document } = page
  const text = referenceMessages(locale)
  const operation = 'endpoint' in entry ? readOperation(document, entry.method, entry.endpoint, locale) : undefined
  return (
    <ReferenceShell
      locale={locale}
      title={'guide' in entry ? entry.guide[locale].title : operation!.summary}
      styleHref={page.styleHref}
      homeHref="/"
      otherLanguageHref={pathInLocale(withCode(page, page.path), otherLocale(locale))}
      skip={text.skip}
      contents={{
        title: text.contents,
        groups: GROUPS.map(({ title, entries }) => ({
          title: text[title],
          links: [
            ...(entries as readonly Entry[]).map((each) => linkTo(each, page)),
            ...(title === 'endpoints'
              ? [{ href: '/openapi.json', text: text.download, download: 'openapi.json' }]
              : []),
          ],
        })),
      }}
      foot={serverFoot(locale, document.info.version, page.statusHref, [{ href: '/', text: text.home }])}
    >
      {'guide' in entry ? (
        <GuidePage page={page} guide={entry.guide} />
      ) : (
        <OperationPage page={page} operation={operation!} sample={entry.sample} />
      )}
    </ReferenceShell>
  )
}

function linkTo(entry: Entry, page: PageProps): ReferenceLink {
  const common = { href: withCode(page, entry.path), isHere: entry.path === page.path }
  return 'guide' in entry
    ? { ...common, text: entry.guide[page.locale].name }
    : { ...common, text: `${entry.method.toUpperCase()} ${entry.endpoint}`, isCode: true }
}

/** Adds the sample language to `path`, so that links keep the reader's choice. */
const withCode = ({ codeLanguage }: PageProps, path: string): string =>
  codeLanguage === CODE_LANGUAGES[0].id ? path : `${path}?code=${codeLanguage}`

/** The foot of a page about this server. @param before links before the links that all such pages have */
export function serverFoot(
  locale: Locale,
  version: string,
  statusHref: string | undefined,
  before: FootProps['links'] = [],
): FootProps {
  const text = referenceMessages(locale)
  const status = statusHref === undefined ? [] : [{ href: statusHref, text: text.status }]
  const links = [...before, { href: '/help', text: text.help }, { href: '/privacy', text: text.privacy }, ...status]
  return { note: `Paraph ${version}`, label: text.footLabel, links }
}

interface DocsDeps {
  /** Rejects while a service that owns a part of the document is unavailable; the reader then gets an error page. */
  readDocument: () => Promise<OpenApiDocument>
  styleHref: string
  /** Public origin of this installation, without a path. */
  baseUrl: string
  https: boolean
  statusUrl: string | undefined
  /** The signed-in reader. If it rejects, the page is the one for a reader who is not signed in. */
  readerOf: (ctx: Context) => Promise<DocsReader | undefined>
  sendPlainPage: SendPlainPage
}

/** The pages of the reference. */
export function createReference({
  readDocument,
  readerOf,
  sendPlainPage,
  https,
  statusUrl,
  ...site
}: DocsDeps): SiteRoute[] {
  async function answer(ctx: Context, entry: Entry): Promise<void> {
    const document = await readDocument().catch(() => undefined)
    if (!document) return sendPlainPage(ctx, 'referenceAway')
    const codeLanguage = new URLSearchParams(ctx.querystring).get('code')
    const page = {
      ...site,
      locale: localeOf(ctx, https),
      path: entry.path,
      document,
      statusHref: statusUrl,
      codeLanguage: (CODE_LANGUAGES.find(({ id }) => id === codeLanguage) ?? CODE_LANGUAGES[0]).id,
      reader: await readerOf(ctx).catch(() => undefined),
    }
    setLocaleCookie(ctx, https)
    sendPage(ctx, 200, <ReferencePage page={page} entry={entry} />)
  }

  return ENTRIES.map((entry) => {
    const template = entry.path === DOCS_PATH ? DOCS_PATH : `${DOCS_PATH}/{page}`
    return { path: entry.path, template, answer: (ctx) => answer(ctx, entry) }
  })
}
