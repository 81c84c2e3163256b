// A whole page of the reference: the contents at the side, a guide or an endpoint beside them. Pure.
import { ReferenceShell, type ReferenceLink } from '@paraph/web/reference-shell'
import type { FootProps } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { GROUPS, type Entry } from './contents.js'
import { GuidePage } from './guide-page.js'
import { OperationPage } from './operation-page.js'
import { readOperation } from './operation.js'
import type { PageProps } from './page-props.js'
import { CODE_LANGUAGES } from './samples.js'
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

/** The foot of a page about this server. @param before links before those of every such page */
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
