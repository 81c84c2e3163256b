// The pages of the reference as Markdown, for programs that read documentation. Pure.
import { ERROR_CODES } from '../../openapi/error-catalogue.js'
import { ALL_PATH, DOCS_PATH, ENTRIES, GROUPS, nameOf, type Entry } from '../contents.js'
import { flatten, type Field } from '../endpoint/fields.js'
import { costOf, sectionsOf } from '../endpoint/operation-page.js'
import { readOperation } from '../endpoint/operation.js'
import { errorRows } from '../error-messages.js'
import { ERRORS_MARKER, KEY_MARKER, SAMPLE_MARKER } from '../guides/guide-page.js'
import { referenceMessages } from '../messages.js'
import type { PageProps } from '../page-props.js'
import { CODE_LANGUAGES, sampleFor } from '../samples.js'

type Basis = Pick<PageProps, 'locale' | 'document' | 'baseUrl'>

/** The path of a page as Markdown. */
export const markdownPath = (path: string): string => `${path}.md`

/** The samples of a page have no reader's key, since these pages are the same for everyone. */
export function pageAsMarkdown(entry: Entry, basis: Basis): string {
  const text =
    'guide' in entry ? guideAsMarkdown(entry.guide[basis.locale].source, basis) : operationAsMarkdown(entry, basis)
  return `${text.replaceAll('](/', `](${basis.baseUrl}/`).trim()}\n`
}

export const allAsMarkdown = (basis: Basis): string =>
  ENTRIES.map((entry) => pageAsMarkdown(entry, basis)).join('\n---\n\n')

function guideAsMarkdown(source: string, basis: Basis): string {
  const text = referenceMessages(basis.locale)
  return source.replace(/ \{#[\w-]+\}$/gm, '').replace(/^( *)(\{\{.+\}\})$/gm, (_, indent: string, marker: string) => {
    const [, sample] = SAMPLE_MARKER.exec(marker) ?? []
    if (marker === KEY_MARKER) return `${indent}${text.keyOfNobody}`
    const block = marker === ERRORS_MARKER ? errorTable(basis) : sampleBlocks(sample ?? '', basis)
    return block.replace(/^(?=.)/gm, indent)
  })
}

function operationAsMarkdown(entry: Extract<Entry, { endpoint: string }>, basis: Basis): string {
  const { locale, document } = basis
  const text = referenceMessages(locale)
  const operation = readOperation(document, entry.method, entry.endpoint, locale)
  const example = (title: string, { status, body }: typeof operation.response) =>
    `## ${title}: ${status}\n\n\`\`\`json\n${body}\n\`\`\``
  return [
    `# ${operation.summary}`,
    `\`${operation.method} ${operation.path}\``,
    operation.description,
    costOf(operation, locale),
    ...sectionsOf(operation, locale).map(
      ({ title, fields }) =>
        `## ${title}\n\n${flatten(fields)
          .map((field) => fieldLine(field, basis))
          .join('\n')}`,
    ),
    `## ${text.request}\n\n${sampleBlocks(entry.sample, basis)}`,
    example(text.response, operation.response),
    example(text.fails, operation.failure),
    `## ${text.errors}\n\n${errorTable(basis, operation.errors)}`,
  ].join('\n\n')
}

function fieldLine({ path, type, isRequired, description = '', values }: Field, { locale }: Basis): string {
  const facts = [type, isRequired ? referenceMessages(locale).required : ''].filter(Boolean).join(', ')
  const list = values.length > 0 ? ` ${values.map((value) => `\`${value}\``).join(', ')}.` : ''
  return `- \`${path}\`${facts === '' ? '' : ` (${facts})`}: ${description}${list}`
}

function sampleBlocks(sample: string, { baseUrl }: Basis): string {
  const codes = sampleFor(sample, { baseUrl })
  return CODE_LANGUAGES.flatMap(({ id, fence }) =>
    codes[id] === undefined ? [] : [`\`\`\`${fence}\n${codes[id]}\n\`\`\``],
  ).join('\n\n')
}

function errorTable({ locale }: Basis, codes = ERROR_CODES): string {
  const text = referenceMessages(locale)
  const rows = errorRows(codes, locale).map(({ code, status, when, todo }) => [`\`${code}\``, status, when, todo])
  return [[text.code, text.statusColumn, text.when, text.todo], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/** The index for language models, at /llms.txt. [llmstxt.org] */
export function llmsText(basis: Basis): string {
  const { locale, baseUrl, document } = basis
  const text = referenceMessages(locale)
  const groups = GROUPS.map(({ title, entries }) => {
    const lines = (entries as readonly Entry[]).map((entry) => {
      const about =
        'guide' in entry
          ? entry.guide[locale].lead
          : readOperation(document, entry.method, entry.endpoint, locale).summary
      return `- [${nameOf(entry, locale)}](${baseUrl}${markdownPath(entry.path)}): ${about}`
    })
    return `## ${text[title]}\n\n${lines.join('\n')}`
  })
  const whole = [
    `- [${text.all}](${baseUrl}${markdownPath(ALL_PATH)})`,
    `- [OpenAPI 3.1](${baseUrl}/openapi.json)`,
    `- [HTML](${baseUrl}${DOCS_PATH})`,
  ]
  const parts = ['# Paraph', `> ${document.info.summary}`, ...groups, `## ${text.whole}`, whole.join('\n')]
  return `${parts.join('\n\n').replaceAll('](/', `](${baseUrl}/`)}\n`
}
