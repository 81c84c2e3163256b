// What the search of the reference finds: every section, field and error code with its text. Built once from the pages. Pure.
import type { MarkedToken } from 'marked'
import type { Locale } from '@paraph/web/locale'
import { ERRORS_PATH } from '../../edge/endpoints.js'
import { ERROR_CODES } from '../../openapi/error-catalogue.js'
import type { OpenApiDocument } from '../../openapi/openapi.js'
import { DOCS_PATH, ENTRIES, nameOf, type Entry } from '../contents.js'
import { anchorOf, flatten } from '../endpoint/fields.js'
import { sectionsOf } from '../endpoint/operation-page.js'
import { readOperation } from '../endpoint/operation.js'
import { errorRows } from '../error-messages.js'
import { readHeading } from '../guides/guide.js'

/** Address, name of the page, title, text. */
export type Found = readonly [href: string, page: string, title: string, text: string]

export const searchIndexPath = (locale: Locale): string => `${DOCS_PATH}/search.${locale}.js`

/** The script that holds the index: the content security policy allows scripts of this site, and no requests by scripts. */
export const searchIndexScript = (document: OpenApiDocument, locale: Locale): string =>
  `globalThis.referenceIndex = ${JSON.stringify(searchIndex(document, locale))}\n`

/** Every place that the search finds, in the order of the pages. */
export function searchIndex(document: OpenApiDocument, locale: Locale): Found[] {
  return ENTRIES.flatMap((entry) => {
    const found = 'guide' in entry ? inGuide(entry, locale) : inOperation(entry, document, locale)
    return entry.path === ERRORS_PATH ? [...found, ...codes(entry, locale)] : found
  })
}

function inGuide(entry: Extract<Entry, { guide: unknown }>, locale: Locale): Found[] {
  const { name, title, lead, blocks } = entry.guide[locale]
  const sections: { href: string; title: string; text: string[] }[] = [{ href: entry.path, title, text: [plain(lead)] }]
  for (const block of blocks) {
    if (block.type === 'heading') {
      const heading = readHeading(block.text)
      sections.push({ href: `${entry.path}#${heading.id}`, title: heading.title, text: [] })
    } else sections.at(-1)?.text.push(textOf(block))
  }
  return sections.map((section) => [section.href, name, section.title, section.text.join(' ')])
}

function inOperation(entry: Extract<Entry, { endpoint: string }>, document: OpenApiDocument, locale: Locale): Found[] {
  const operation = readOperation(document, entry.method, entry.endpoint, locale)
  const name = nameOf(entry, locale)
  const fields = sectionsOf(operation, locale).flatMap((section) =>
    flatten(section.fields).map((field): Found => {
      const text = [section.title, field.type, field.description ?? '', ...field.values].join(' ')
      return [`${entry.path}#${anchorOf(section.id, field)}`, name, field.path, plain(text)]
    }),
  )
  return [[entry.path, name, operation.summary, plain(operation.description)], ...fields]
}

const codes = (entry: Entry, locale: Locale): Found[] =>
  errorRows(ERROR_CODES, locale).map(({ code, status, when, todo }) => [
    `${entry.path}#${code}`,
    nameOf(entry, locale),
    code,
    plain(`${status} ${when} ${todo}`),
  ])

/** The text of a block, without markers. */
function textOf(block: MarkedToken): string {
  if (block.type === 'table')
    return plain(
      [block.header, ...block.rows]
        .flat()
        .map(({ text }) => text)
        .join(' '),
    )
  return plain(block.raw.replace(/\{\{(?:sample [\w-]+: )?(.+?)\}\}/g, '$1'))
}

/** Markdown as plain text. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
