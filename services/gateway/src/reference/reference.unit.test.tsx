import type { MarkedToken } from 'marked'
import { describe, expect, it } from '@jest/globals'
import { frenchTypographyFaults, textsOf } from '@paraph/testing/french-typography'
import { renderPage } from '@paraph/web/page-answer'
import { LOCALES, type Locale } from '@paraph/web/locale'
import committed from '../../../../docs/openapi.json' with { type: 'json' }
import { HomePage } from '../home/home.js'
import { ERROR_CODES } from '../openapi/error-catalogue.js'
import type { OpenApiDocument } from '../openapi/openapi.js'
import { ALL_PATH, ENTRIES } from './contents.js'
import { DOCUMENT_FRENCH } from './endpoint/document-french.js'
import { flatten } from './endpoint/fields.js'
import { jsonText } from './endpoint/json-text.js'
import { readOperation } from './endpoint/operation.js'
import { InlineText, markdown } from './frame/inline-text.js'
import { fieldMessages, referenceMessages } from './messages.js'
import { ON_ITS_OWN, type PageProps } from './page-props.js'
import { AllPages, ReferencePage } from './reference-page.js'
import { CODE_LANGUAGES, type CodeLanguage } from './samples.js'

const document = committed as unknown as OpenApiDocument
const propsOf = (path: string, locale: Locale, more: Partial<PageProps> = {}): PageProps => ({
  locale,
  styleHref: '/assets/gateway/x.css',
  scripts: ['/assets/gateway/x.js'],
  path,
  place: ON_ITS_OWN,
  codeLanguage: 'curl' as CodeLanguage,
  document,
  baseUrl: 'https://sign.test',
  ...more,
})
const pageOf = (path: string, locale: Locale, more: Partial<PageProps> = {}): string => {
  const page = propsOf(path, locale, more)
  if (path === ALL_PATH) return renderPage(<AllPages page={page} />)
  return renderPage(<ReferencePage page={page} entry={ENTRIES.find((entry) => entry.path === path)!} />)
}
const PATHS = [...ENTRIES.map(({ path }) => path), ALL_PATH]
const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
const home = (locale: Locale) => renderPage(<HomePage locale={locale} styleHref="/x.css" version="2.0.0" />)
const everyPage = (locale: Locale) => [home(locale), ...PATHS.map((path) => pageOf(path, locale))]

const guides = ENTRIES.flatMap((entry) => ('guide' in entry ? [entry] : []))
const operations = ENTRIES.flatMap((entry) => ('endpoint' in entry ? [entry] : []))

/** A guide without its text: the type of each block, anchors, markers and the sizes of lists and tables. */
const shapeOf = (block: MarkedToken): unknown => {
  if (block.type === 'list')
    return [block.ordered, block.items.map(({ tokens }) => (tokens as MarkedToken[]).map(shapeOf))]
  if (block.type === 'table') return block.rows.map(({ length }) => length)
  const markerOrAnchor = /(?:\{\{.+?[:}]|\{#.+\})/.exec(block.raw)
  return [block.type, markerOrAnchor?.[0]]
}
/** Code and link targets, sorted. */
const marksOf = (text: string): string[] =>
  [...text.replaceAll(/```json.+?\\n/g, '```').matchAll(/```.+?```|`[^`]+`|\]\([^)]+\)/g)].map(([mark]) => mark).sort()

describe.each(guides)('the guide at $path', ({ guide }) => {
  it('has the same headings, markers, lists and tables in both languages [D25]', () => {
    expect(guide.fr.blocks.map(shapeOf)).toEqual(guide.en.blocks.map(shapeOf))
  })

  it('has the same code and link targets in both languages [D25]', () => {
    expect(marksOf(JSON.stringify(guide.fr))).toEqual(marksOf(JSON.stringify(guide.en)))
  })

  it('has an anchor at each heading, so that a link can lead there', () => {
    for (const block of guide.en.blocks) if (block.type === 'heading') expect(block.text).toMatch(/ \{#[\w-]+\}$/)
  })
})

it('the French dictionary has every sentence of the document that a page shows, and no other [D25]', () => {
  const sentences = operations.flatMap(({ method, endpoint }) => {
    const { summary, description, ...operation } = readOperation(document, method, endpoint, 'en')
    const { pathFields, headerFields, bodyFields, responseFields, responseHeaders } = operation
    const fields = [pathFields, headerFields, bodyFields, responseFields, responseHeaders].flat()
    return [summary, description, ...flatten(fields).map((field) => field.description ?? '')]
  })
  expect(Object.keys(DOCUMENT_FRENCH).sort()).toEqual([...new Set(sentences)].filter((each) => each !== '').sort())
})

it('the French of the reference follows the typography of Canadian French [D25]', () => {
  const pages = everyPage('fr').map((html) =>
    html.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, 'code').replace(/<[^>]+>/g, '|'),
  )
  // Attributes and other variants of a page, which the pages above do not show.
  const messages = textsOf([referenceMessages('fr'), fieldMessages('fr')])
  expect([...pages, ...messages].flatMap(frenchTypographyFaults)).toEqual([])
})

it('the reference has no inline script and no inline style [CSP]', () => {
  for (const html of LOCALES.flatMap(everyPage))
    expect(html.replace(/<script src="[^"]+" defer><\/script>/g, '')).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})

it('the reference links only to pages and anchors that exist [Endpoints]', () => {
  const htmlOf = (path: string, locale: Locale) => (path === '/' ? home(locale) : pageOf(path, locale))
  const paths = ['/', ...PATHS]
  const targets = new Set(paths.flatMap((path) => [path, ...idsOf(htmlOf(path, 'en')).map((id) => `${path}#${id}`)]))
  for (const locale of LOCALES)
    for (const path of paths) {
      const hrefs = [...htmlOf(path, locale).matchAll(/href="((?:\/docs|#)[^"]*)"/g)].map(([, href]) =>
        href!.replace(/\?[^#]*/, ''),
      )
      for (const href of hrefs) expect(targets).toContain(href.startsWith('#') ? `${path}${href}` : href)
    }
})

it('every id is unique, also on the page with all pages', () => {
  for (const path of PATHS) {
    const ids = idsOf(pageOf(path, 'en'))
    expect([path, ids]).toEqual([path, [...new Set(ids)]])
  }
})

it('every field and every error code keeps its anchor, because links outside of this repository lead there [Errors]', () => {
  const post = idsOf(pageOf('/docs/create-contract', 'fr'))
  const get = idsOf(pageOf('/docs/get-contract', 'fr'))
  expect(idsOf(pageOf('/docs/errors', 'fr'))).toEqual(expect.arrayContaining(ERROR_CODES))
  const ofRequest = ['header-Idempotency-Key', 'body-parties-email', 'body-content', 'body-metadata']
  expect(post).toEqual(expect.arrayContaining([...ofRequest, 'response-contract-shareUrl', 'response-header-Location']))
  expect(get).toEqual(expect.arrayContaining(['path-id', 'response-contract-signatures-signedAt']))
})

it('the samples contain the hint of the reader’s key, and a placeholder if nobody is signed in [Authentication]', () => {
  expect(pageOf('/docs', 'en')).toContain('export PARAPH_KEY=paraph_test_…\n')
  expect(pageOf('/docs', 'en', { reader: { testKey: 'paraph_test_…k3v9' } })).toContain(
    'export PARAPH_KEY=paraph_test_…k3v9\n',
  )
})

it.each(CODE_LANGUAGES)(
  'the samples in $name stay selected on every page, which links to the other languages',
  ({ id }) => {
    const html = pageOf('/docs/create-contract', 'en', { codeLanguage: id })
    const isDefault = id === 'curl'
    expect(html.includes('href="/docs/polling?code=')).toBe(!isDefault)
    expect(html).toMatch(
      new RegExp(`<a href="/docs/create-contract\\?code=${id}#sample-create-contract" aria-current="true">`),
    )
    for (const { id: other } of CODE_LANGUAGES) expect(html).toContain(`?code=${other}#sample-create-contract"`)
  },
)

it('a guide contains no raw HTML: tags stay text', () => {
  const types = markdown.lexer('<script>a()</script>\n\n<p>b</p>\n').map(({ type }) => type)
  expect(types).toEqual(['paragraph', 'space', 'paragraph'])
})

it('a sentence is shown as plain text except for code and links', () => {
  const html = renderPage(<InlineText text="a <b> `x<y>` [here](/docs) & `z`" />)
  expect(html).toBe('<!doctype html>a &lt;b> <code>x&lt;y></code> <a href="/docs">here</a> &amp; <code>z</code>')
})

it.each([[{}], [[]], [{ a: 1 }], [{ a: [], b: { c: ['x: {', null] }, d: ['y'.repeat(80), { e: true }] }]])(
  'the formatted %j is JSON with the same value',
  (value) => {
    expect(JSON.parse(jsonText(value))).toEqual(value)
  },
)

it('a formatted JSON value stays on one line if it fits', () => {
  expect(jsonText({ a: { b: 1, c: [2] }, d: 'x' })).toBe('{\n  "a": { "b": 1, "c": [2] },\n  "d": "x"\n}')
})
