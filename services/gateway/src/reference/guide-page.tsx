// A guide page of the reference: renders the blocks of a guide as elements.
import type { MarkedToken } from 'marked'
import { ERROR_CODES } from '../openapi/error-catalogue.js'
import { errorRows } from './error-messages.js'
import type { Guide } from './guide.js'
import { InlineParagraph, InlineText, Table } from './inline-text.js'
import { referenceMessages } from './messages.js'
import type { PageProps } from './page-props.js'
import { SamplePanel } from './sample-panel.js'

/** The content of `main`. */
export function GuidePage({ page, guide }: { page: PageProps; guide: Guide }) {
  const { title, lead, blocks } = guide[page.locale]
  return (
    <div class="reference-text">
      <h1>{title}</h1>
      <InlineParagraph class="lead" text={lead} />
      <Blocks page={page} blocks={blocks} />
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
    case 'heading': {
      const [, text, id] = /^(.+) \{#([\w-]+)\}$/.exec(block.text) ?? []
      return <h2 id={id}>{text ?? block.text}</h2>
    }
    case 'table': {
      const [columns, ...rows] = [block.header, ...block.rows].map((row) => row.map(({ text }) => text))
      return <Table columns={columns!} rows={rows} />
    }
    case 'list': {
      const items = block.items.map((item, at) => (
        <li key={at}>
          <Blocks page={page} blocks={item.tokens as MarkedToken[]} />
        </li>
      ))
      return block.ordered ? <ol class="reference-steps">{items}</ol> : <ul>{items}</ul>
    }
    default:
      throw new Error(`The guides have no element for the Markdown token ${block.type}`)
  }
}

/**
 * Renders a paragraph. If the paragraph is one marker, renders the part of a page for that marker: `{{sample NAME: TITLE}}`,
 * `{{readers-key}}` (the reader's test key, or how to get one) or `{{every-error}}` (the table of error codes).
 */
function Paragraph({ page, text }: { page: PageProps; text: string }) {
  const [, sample, title] = /^\{\{sample ([\w-]+): (.+)\}\}$/.exec(text) ?? []
  if (sample !== undefined) return <SamplePanel page={page} sample={sample} title={title!} />
  if (text === '{{every-error}}') return <EveryError page={page} />
  return <InlineParagraph text={text === '{{readers-key}}' ? keyOfReader(page) : text} />
}

function keyOfReader({ reader, locale }: PageProps): string {
  const text = referenceMessages(locale)
  if (!reader) return text.keyOfNobody
  return reader.testKey === undefined ? text.keyOfNone : text.keyOfReader(reader.testKey)
}

function EveryError({ page }: { page: PageProps }) {
  const text = referenceMessages(page.locale)
  const rows = errorRows(ERROR_CODES, page.locale)
  return (
    <Table
      columns={[text.code, text.statusColumn, text.when, text.todo]}
      rows={rows.map(({ code, status, when, todo }) => [`\`${code}\``, String(status), when, todo])}
    />
  )
}
