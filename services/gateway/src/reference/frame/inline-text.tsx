// Sentences and tables in Markdown. Only our own texts are parsed; nothing that a user wrote reaches the parser.
import { Marked, type MarkedToken } from 'marked'
import { Anchor } from './heading.js'

/** Parses Markdown without raw HTML: tags stay text. */
export const markdown = new Marked({ tokenizer: { html: () => undefined, tag: () => undefined } })

/** The sentence as elements: code and links. Any other markup appears as written; the renderer escapes it. */
export function InlineText({ text }: { text: string }) {
  const tokens = markdown.Lexer.lexInline(text, markdown.defaults) as MarkedToken[]
  return (
    <>
      {tokens.map((token, at) => {
        if (token.type === 'codespan') return <code key={at}>{token.text}</code>
        if (token.type !== 'link') return token.raw
        return (
          <a key={at} href={token.href}>
            <InlineText text={token.text} />
          </a>
        )
      })}
    </>
  )
}

/** A paragraph of one sentence in Markdown. */
export const InlineParagraph = ({ text, ...attributes }: { text: string; class?: string }) => (
  <p {...attributes}>
    <InlineText text={text} />
  </p>
)

interface Row {
  /** With an id, the first cell is a link to its row. */
  id?: string
  cells: readonly string[]
}

export function Table({ columns, rows }: { columns: readonly string[]; rows: readonly Row[] }) {
  return (
    <table class="reference-table">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, cells }) => (
          <tr key={cells.join('|')} id={id}>
            {cells.map((cell, at) => {
              const Cell = at === 0 ? 'th' : 'td'
              const text = <InlineText text={cell} />
              return (
                <Cell key={at} scope={at === 0 ? 'row' : undefined} data-label={columns[at]}>
                  <span>{at === 0 && id !== undefined ? <Anchor id={id}>{text}</Anchor> : text}</span>
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
