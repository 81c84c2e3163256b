// The contract's headings as links: a rail beside the paper, on a phone a disclosure that is closed. [ceremony 5, plain text rule 9]
// One list for both: the style sheet holds it open where there is room for a rail, so that nobody meets the links twice.
import type { ContentsEntry, ReadableText } from '../contract-text/read-text.js'
import { headingId } from './contract-text-view.js'

/** `title` is ours, the entries are the contract's, in its language. */
export function ContentsList({ text, title }: { text: ReadableText; title: string }) {
  if (text.contents.length === 0) return null
  return (
    <>
      <p class="contents-title">{title}</p>
      <details class="disclosure contents">
        <summary>
          <span>{title}</span>
        </summary>
        <ol lang={text.language}>
          {text.contents.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      </details>
    </>
  )
}

/** The letters are the heading's own; only their look is lower-case, and a figure such as "IV." keeps its look. */
function Entry({ entry: { id, level, number, words } }: { entry: ContentsEntry }) {
  const [, keyword, figure] = /^(?:(\p{L}{4,})\s+)?(.*)$/su.exec(number)!
  return (
    <li class={level > 2 ? `l${level}` : undefined}>
      <a href={`#${headingId(id)}`} dir="auto">
        {number !== '' && (
          <span>
            {keyword && <b>{keyword}</b>}
            {keyword && ' '}
            {`${figure} `}
          </span>
        )}
        {words !== '' && <b>{words}</b>}
      </a>
    </li>
  )
}
