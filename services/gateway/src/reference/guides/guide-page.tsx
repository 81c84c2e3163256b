// A guide page of the reference: renders the blocks of a guide as elements.
import type { MarkedToken } from 'marked'
import { ERROR_CODES } from '../../openapi/error-catalogue.js'
import { errorRows } from '../error-messages.js'
import { CodePanel } from '../frame/code-panel.js'
import { OnThisPage, PageTitle, SectionTitle } from '../frame/heading.js'
import { InlineParagraph, InlineText, Table } from '../frame/inline-text.js'
import { SamplePanel } from '../frame/sample-panel.js'
import { referenceMessages } from '../messages.js'
import type { PageProps } from '../page-props.js'
import { readHeading, type Guide } from './guide.js'

/** The content of `main`, or of a section of the page with all pages. */
export function GuidePage({ page, guide }: { page: PageProps; guide: Guide }) {
  const { title, lead, blocks } = guide[page.locale]
  const sections = blocks.flatMap((block) => (block.type === 'heading' ? [readHeading(block.text)] : []))
  return (
    <div class="reference-guide">
      <div class="reference-text">
        <PageTitle page={page} text={title} />
        <InlineParagraph class="lead" text={lead} />
        <Blocks page={page} blocks={blocks} />
      </div>
      {page.place.level === 1 && <OnThisPage sections={sections} title={referenceMessages(page.locale).onThisPage} />}
    </div>
  )
}

function Blocks({ page, blocks }: { page: PageProps; blocks: readonly MarkedToken[] }) {
  return blocks.map((block, at) => <BlockView key={at} page={page} block={block} />)
}

/** @throws Error for Markdown that no guide uses */
function BlockView({ page, block }: { page: PageProps; block: MarkedToken }) {
  switch (block.type) {
    case 'space':
      return null
    case 'text':
      return <InlineText text={block.text} />
    case 'paragraph':
      return <Paragraph page={page} text={block.text} />
    case 'heading':
      return <SectionTitle page={page} section={readHeading(block.text)} />
    case 'table': {
      const [columns, ...rows] = [block.header, ...block.rows].map((row) => row.map(({ text }) => text))
      return <Table columns={columns!} rows={rows.map((cells) => ({ cells }))} />
    }
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Blocks page={page} blocks={item.tokens as MarkedToken[]} />
        </li>
      ))
      return block.ordered ? <ol class="reference-steps">{items}</ol> : <ul>{items}</ul>
    }
    case 'code':
      return <Example page={page} code={block.text} title={block.lang!.replace(/^json /, '')} />
    default:
      throw new Error(`The guides have no element for the Markdown token ${block.type}`)
  }
}

/** A fenced block of JSON, whose first line names it: a guide has one at most. */
function Example({ page, code, title }: { page: PageProps; code: string; title: string }) {
  const text = referenceMessages(page.locale)
  const copy = { label: text.copy, done: text.copied }
  return <CodePanel id={page.place.id('example')} title={page.place.label(title)} code={code} isJson copy={copy} />
}

/** A paragraph that is one marker. */
export const SAMPLE_MARKER = /^\{\{sample ([\w-]+): (.+)\}\}$/
export const KEY_MARKER = '{{readers-key}}'
export const ERRORS_MARKER = '{{every-error}}'

/**
 * Renders a paragraph. If the paragraph is one marker, renders the part of a page for that marker: `{{sample NAME: TITLE}}`,
 * `{{readers-key}}` (the reader's sandbox key, or how to get one) or `{{every-error}}` (the table of error codes).
 */
function Paragraph({ page, text }: { page: PageProps; text: string }) {
  const [, sample, title] = SAMPLE_MARKER.exec(text) ?? []
  if (sample !== undefined) return <SamplePanel page={page} sample={sample} title={title!} />
  if (text === ERRORS_MARKER) return <EveryError page={page} />
  return <InlineParagraph text={text === KEY_MARKER ? keyOfReader(page) : text} />
}

function keyOfReader({ reader, locale }: PageProps): string {
  const text = referenceMessages(locale)
  if (!reader) return text.keyOfNobody
  if (reader.testKey === undefined) return text.keyOfNone
  return reader.isDemo ? text.keyOfDemo : text.keyOfReader(reader.testKey)
}

function EveryError({ page }: { page: PageProps }) {
  const text = referenceMessages(page.locale)
  const rows = errorRows(ERROR_CODES, page.locale)
  return (
    <Table
      columns={[text.code, text.statusColumn, text.when, text.todo]}
      rows={rows.map(({ code, status, when, todo }) => ({
        id: page.place.id(code),
        cells: [`\`${code}\``, String(status), when, todo],
      }))}
    />
  )
}
