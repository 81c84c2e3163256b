import { describe, expect, it } from 'vitest'
import { renderPage } from '@paraph/web/render'
import { LOCALES, type Locale } from '@paraph/web/locale'
import committed from '../../../../docs/openapi.json' with { type: 'json' }
import { HomePage } from '../home/home-page.js'
import type { OpenApiDocument } from '../openapi.js'
import { ENTRIES } from './contents.js'
import { DOCUMENT_FRENCH } from './document-french.js'
import type { Block } from './guide.js'
import { InlineText } from './inline-text.js'
import { jsonText } from './json-text.js'
import { readOperation } from './operation.js'
import type { PageProps } from './page-props.js'
import { ReferencePage } from './reference-page.js'
import { CODE_LANGUAGES, type CodeLanguage } from './samples.js'

const document = committed as unknown as OpenApiDocument
const pageOf = (path: string, locale: Locale, more: Partial<PageProps> = {}): string => {
  const props: PageProps = {
    ...{ locale, styleHref: '/assets/gateway/x.css', path, codeLanguage: 'curl' as CodeLanguage, document },
    ...{ baseUrl: 'https://sign.test', ...more },
  }
  return renderPage(<ReferencePage page={props} entry={ENTRIES.find((entry) => entry.path === path)!} />)
}
const home = (locale: Locale) => renderPage(<HomePage locale={locale} styleHref="/x.css" version="2.0.0" />)
const everyPage = (locale: Locale) => [home(locale), ...ENTRIES.map(({ path }) => pageOf(path, locale))]

const guides = ENTRIES.flatMap((entry) => ('guide' in entry ? [entry] : []))
const operations = ENTRIES.flatMap((entry) => ('endpoint' in entry ? [entry] : []))

/** What a block is, without its words. */
const shapeOf = (block: Block): unknown => {
  if (typeof block === 'string') return 'paragraph'
  if ('heading' in block) return block.id
  if ('items' in block) return block.items.length
  if ('columns' in block) return block.rows.map((row) => [row.length, block.columns.length])
  if ('steps' in block) return block.steps.map((parts) => parts.map(shapeOf))
  return 'sample' in block ? block.sample : 'every error'
}
/** Code, and where links lead, in their order. */
const marksOf = (text: string): string[] => [...text.matchAll(/`[^`]+`|\]\([^)]+\)/g)].map(([mark]) => mark).sort()

describe.each(guides)('the guide at $path', ({ guide }) => {
  it('has the same parts in French as in English [D25]', () => {
    expect(guide.fr.blocks.map(shapeOf)).toEqual(guide.en.blocks.map(shapeOf))
  })

  it('leaves code and addresses as they are in French [D25]', () => {
    expect(marksOf(JSON.stringify(guide.fr))).toEqual(marksOf(JSON.stringify(guide.en)))
  })
})

it('has French for every sentence of the document that it shows, and for no other [D25]', () => {
  const shown = operations.flatMap(({ method, endpoint }) => {
    const { summary, description, ...operation } = readOperation(document, method, endpoint, 'en')
    const { pathFields, headerFields, bodyFields, answerFields, answerHeaders } = operation
    const fields = [pathFields, headerFields, bodyFields, answerFields, answerHeaders].flat()
    return [summary, description, ...fields.map((field) => field.description ?? '')]
  })
  expect(Object.keys(DOCUMENT_FRENCH).sort()).toEqual([...new Set(shown)].filter((each) => each !== '').sort())
})

it('writes Canadian French: a no-break space before a colon and inside quotation marks, none before ? and ! [D25]', () => {
  for (const html of everyPage('fr')) {
    const text = html.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, 'code').replace(/<[^>]+>/g, '')
    expect(text).not.toMatch(/[^\u00A0]:|[ \u00A0][?!]|« | »/)
  }
})

it('carries no script and no inline style, for the policy forbids both [CSP]', () => {
  for (const html of LOCALES.flatMap(everyPage)) expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/)
})

it('leads to pages and places that are there [Endpoints]', () => {
  const places = new Set(ENTRIES.flatMap(({ path }) => [path, ...anchorsOf(path)]))
  for (const html of LOCALES.flatMap(everyPage)) {
    const hrefs = [...html.matchAll(/href="(\/docs[^"]*)"/g)].map(([, href]) => href!.replace(/\?[^#]*/, ''))
    for (const href of hrefs) expect(places).toContain(href)
  }

  function anchorsOf(path: string): string[] {
    return [...pageOf(path, 'en').matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${path}#${id}`)
  }
})

it('puts what shows the reader their own key where a key goes, and nothing where nobody is known [Authentication]', () => {
  expect(pageOf('/docs', 'en')).toContain('export PARAPH_KEY=paraph_test_…\n')
  expect(pageOf('/docs', 'en', { reader: { testKey: 'paraph_test_…k3v9' } })).toContain(
    'export PARAPH_KEY=paraph_test_…k3v9\n',
  )
})

it.each(CODE_LANGUAGES)('keeps the samples in $name from page to page, and offers the others as links', ({ id }) => {
  const html = pageOf('/docs/create-contract', 'en', { codeLanguage: id })
  const isDefault = id === 'curl'
  expect(html.includes('href="/docs/polling?code=')).toBe(!isDefault)
  expect(html).toMatch(new RegExp(`<a href="/docs/create-contract\\?code=${id}#create-contract" aria-current="true">`))
  for (const { id: other } of CODE_LANGUAGES) expect(html).toContain(`?code=${other}#create-contract"`)
})

it('shows as text whatever a sentence holds, but for code and links', () => {
  const html = renderPage(<InlineText text="a <b> `x<y>` [here](/docs) & `z`" />)
  expect(html).toBe('<!doctype html>a &lt;b> <code>x&lt;y></code> <a href="/docs">here</a> &amp; <code>z</code>')
})

it.each([[{}], [[]], [{ a: 1 }], [{ a: [], b: { c: ['x: {', null] }, d: ['y'.repeat(80), { e: true }] }]])(
  'writes %j so that it can be read back',
  (value) => {
    expect(JSON.parse(jsonText(value))).toEqual(value)
  },
)

it('puts what fits on a line on one', () => {
  expect(jsonText({ a: { b: 1, c: [2] }, d: 'x' })).toBe('{\n  "a": { "b": 1, "c": [2] },\n  "d": "x"\n}')
})
