// The contract's text on paper, word for word. Owns how stored text becomes markup; everything is escaped, nothing is linked.
// The bytes are the contract, this is a rendering of them: line breaks stay in the document, the hash is over the original.

const LINE_BREAK = /\r\n|[\r\u000B\u000C\u0085\u2028\u2029]/g
const BLANK_LINES = /\n(?:[^\S\n]*\n)+/

/** Paragraphs split at blank lines. `lang` is left open: a contract may be in another language than the page. [WCAG 3.1.2] */
export function ContractTextView({ content }: { content: string }) {
  const paragraphs = content.replace(LINE_BREAK, '\n').split(BLANK_LINES)
  return (
    <div class="contract-text" lang="">
      {paragraphs.map((paragraph, index) =>
        paragraph.trim() === '' ? null : (
          <p key={index} dir="auto">
            {paragraph.replace(/^\n+|\n+$/g, '')}
          </p>
        ),
      )}
    </div>
  )
}
