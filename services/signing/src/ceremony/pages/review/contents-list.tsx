// The contract's headings as links: a rail beside the paper, on a phone a disclosure that is closed.
// [ceremony 5, ceremony: plain text rule 9]
// One list for both: the style sheet holds it open where there is room for a rail, so that nobody meets the links twice.
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { ContentsEntry, ReadableText } from '../contract-text/read-text.js'
import { headingId } from './contract-text-view.js'
import { words } from './dictionary.js'

/** More help nobody, and would stand between the keyboard and the text. */
const ENTRIES_MAX = 100

/** The title is ours, the entries are the contract's, in its language. */
export function ContentsList({ text, locale }: { text: ReadableText; locale: Locale }) {
  if (text.contents.length === 0) return null
  const title = words(locale).contents
  const shown = highestFirst(text.contents)
  const more = text.contents.length - shown.length
  return (
    <>
      <p class="contents-title">{title}</p>
      <details class="disclosure contents">
        <summary>
          <span>{title}</span>
        </summary>
        <ol lang={text.language}>
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
          {more > 0 && (
            <li class="more" lang={LANGUAGE_TAG[locale]}>
              {words(locale).moreHeadings(more)}
            </li>
          )}
        </ol>
      </details>
    </>
  )
}

/** The entries that are listed, in the order of the text: of too many the deep ones give way first, then the late ones. */
function highestFirst(contents: readonly ContentsEntry[]): readonly ContentsEntry[] {
  if (contents.length <= ENTRIES_MAX) return contents
  const kept = new Set(contents.toSorted((one, other) => one.level - other.level).slice(0, ENTRIES_MAX))
  return contents.filter((entry) => kept.has(entry))
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
