// A page of the reference: the frame around a guide, an endpoint, all of them on one page, or the page for a wrong address.
import { ReferenceShell, type ReferenceLink } from './frame/shell.js'
import type { FootProps } from '@paraph/web/layout'
import { otherLocale, pathInLocale, type Locale } from '@paraph/web/locale'
import { ALL_PATH, ENTRIES, GROUPS, nameOf, slugOf, type Entry } from './contents.js'
import { OperationPage } from './endpoint/operation-page.js'
import { readOperation } from './endpoint/operation.js'
import { OnThisPage } from './frame/heading.js'
import { GuidePage } from './guides/guide-page.js'
import { referenceMessages } from './messages.js'
import { partOfAll, withCode, type PageProps } from './page-props.js'
import { searchIndexPath } from './text/search-index.js'

/** The title of a page. */
export const titleOf = (entry: Entry, { document, locale }: Pick<PageProps, 'document' | 'locale'>): string =>
  'guide' in entry ? entry.guide[locale].title : readOperation(document, entry.method, entry.endpoint, locale).summary

export function ReferencePage({ page, entry }: { page: PageProps; entry: Entry }) {
  const at = ENTRIES.indexOf(entry)
  const [before, after] = [ENTRIES[at - 1], ENTRIES[at + 1]]
  const text = referenceMessages(page.locale)
  const link = (rel: 'prev' | 'next', label: string, to: Entry | undefined) =>
    to ? [{ rel, label, href: withCode(page, to.path), text: nameOf(to, page.locale) }] : []
  const neighbours = {
    title: text.neighbours,
    links: [...link('prev', text.previous, before), ...link('next', text.next, after)],
  }
  return (
    <Frame page={page} title={titleOf(entry, page)} neighbours={neighbours}>
      <Content page={page} entry={entry} />
    </Frame>
  )
}

/** Every page on one, for reading, printing and the search of the browser. */
export function AllPages({ page }: { page: PageProps }) {
  const text = referenceMessages(page.locale)
  const parts = ENTRIES.map((entry) => ({ id: slugOf(entry), title: nameOf(entry, page.locale), entry }))
  return (
    <Frame page={page} title={text.all}>
      <h1>{text.all}</h1>
      <OnThisPage sections={parts} title={text.onThisPage} />
      {parts.map(({ id, title, entry }) => (
        <section class="reference-part" id={id} key={id}>
          <Content page={{ ...page, place: partOfAll(id, title) }} entry={entry} />
        </section>
      ))}
    </Frame>
  )
}

/** The page for a wrong address below /docs. */
export function NotFoundPage({ page }: { page: PageProps }) {
  const text = referenceMessages(page.locale)
  return (
    <Frame page={page} title={text.notFoundTitle}>
      <h1>{text.notFoundTitle}</h1>
      <p class="lead">{text.notFound}</p>
    </Frame>
  )
}

function Content({ page, entry }: { page: PageProps; entry: Entry }) {
  if ('guide' in entry) return <GuidePage page={page} guide={entry.guide} />
  const operation = readOperation(page.document, entry.method, entry.endpoint, page.locale)
  return <OperationPage page={page} operation={operation} sample={entry.sample} />
}

type FrameProps = { page: PageProps } & Pick<Parameters<typeof ReferenceShell>[0], 'title' | 'children' | 'neighbours'>

function Frame({ page, ...props }: FrameProps) {
  const { locale } = page
  const text = referenceMessages(locale)
  const groups = GROUPS.map(({ title, entries }) => ({
    title: text[title],
    links: (entries as readonly Entry[]).map((entry) => linkTo(entry, page)),
  }))
  const whole = {
    title: text.whole,
    links: [
      { href: withCode(page, ALL_PATH), text: text.all, isHere: page.path === ALL_PATH },
      { href: '/openapi.json', text: text.download, download: 'openapi.json' },
    ],
  }
  return (
    <ReferenceShell
      {...props}
      locale={locale}
      styleHref={page.styleHref}
      scripts={page.scripts}
      homeHref="/"
      otherLanguageHref={pathInLocale(withCode(page, page.path), otherLocale(locale))}
      search={{ label: text.search, found: text.found, none: text.noneFound, indexHref: searchIndexPath(locale) }}
      contents={{ title: text.contents, groups: [...groups, whole] }}
      foot={serverFoot(locale, page.document.info.version, page.statusHref, [{ href: '/', text: text.home }])}
    />
  )
}

function linkTo(entry: Entry, page: PageProps): ReferenceLink {
  const href = withCode(page, entry.path)
  return { href, text: nameOf(entry, page.locale), isHere: entry.path === page.path, isCode: 'endpoint' in entry }
}

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
