// The contract's headings as links: a rail beside the paper, a closed disclosure on a phone.
// [ceremony 5, ceremony: plain text rule 9]
// Both are one list, so that a screen reader reads the links once; the style sheet opens it on a wide screen.
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import type { ContentsEntry, ReadableText } from '../../../contract-text/read-text.js'
import { headingId } from './contract-text-view.js'
import { ceremonyMessages } from '../frame/messages.js'

/** With more, a keyboard user has too many stops before the text. */
const ENTRIES_MAX = 100

/** The title is in the page's language, the entries in the contract's. */
export function ContentsList({ text, locale }: { text: ReadableText; locale: Locale }) {
  if (text.contents.length === 0) return null
  const title = ceremonyMessages(locale).contents
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
              {ceremonyMessages(locale).moreHeadings(more)}
            </li>
          )}
        </ol>
      </details>
    </>
  )
}

/** The listed entries in the order of the text. Beyond the maximum, the deepest are dropped first, then the last. */
function highestFirst(contents: readonly ContentsEntry[]): readonly ContentsEntry[] {
  if (contents.length <= ENTRIES_MAX) return contents
  const listed = new Set(contents.toSorted((one, other) => one.level - other.level).slice(0, ENTRIES_MAX))
  return contents.filter((entry) => listed.has(entry))
}

/** The text is the heading's own; the style sheet shows it in lower case, except a number such as "IV.". */
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
