// The contract's text, word for word. Converts blocks into markup; escapes all text and makes no links in it.
// Each block and each badge is one short element, because a text of 50 KB can contain 51,200 badges. [ceremony: plain text]
import { LANGUAGE_TAG, type Locale } from '../text/locale.js'
import type { Block, Item } from './blocks.js'
import { cutLongClusters } from './long-clusters.js'
import type { ContentsEntry, ReadableText } from './read-text.js'
import { badgeText, plainText, type Run } from './runs.js'
import { textMessages } from './messages.js'

/** More blank lines, which could push a clause out of sight, become one line with their number. [ceremony: plain text rule 8] */
const BLANK_LINES_MAX = 10
/** Columns that fit the narrowest phone (320 px), with a margin for a wider font. */
const PHONE_COLUMNS = 30
/** Columns that fit beside the table of contents on a wide screen, where the style sheet hides the notice (`fits-paper`). */
const PAPER_COLUMNS = 78

/** The blocks, marked with the language of the text; `lang=""` if the language is unknown. [WCAG 3.1.2] */
export function ContractTextView({ text, locale }: { text: ReadableText; locale: Locale }) {
  let columns = 0
  return (
    <div class="contract-text" lang={text.language}>
      {text.blocks.map((block, index) => show(block, text.blocks[index - 1]))}
    </div>
  )

  function show(block: Block, before: Block | undefined) {
    switch (block.kind) {
      case 'heading': {
        const Tag = `h${block.level}` as const
        return (
          <Tag id={headingId(block.id)} class={block.isTitle ? 'title' : undefined} dir="auto">
            {showRuns(block.number)}
            {showRuns(block.words)}
          </Tag>
        )
      }
      case 'item':
        // The marker has its own dir, so that a Latin (a) does not reverse an Arabic item.
        return (
          <p class={classes(`i${block.depth}${isBullet(block) ? ' bullet' : ''}`, block.reflows, before)} dir="auto">
            <span dir="auto">{showRuns(block.marker)}</span>
            {showRuns(block.words)}
          </p>
        )
      case 'paragraph':
        return (
          <p class={classes('', block.reflows, before)} dir="auto">
            {showRuns(block.words)}
          </p>
        )
      case 'aligned':
        // The element scrolls sideways, so it must be focusable and have a name.
        return (
          <>
            {block.columns > PHONE_COLUMNS && showScrollLine(block.columns)}
            <pre tabindex={0} role="region" aria-label={textMessages(locale).inColumns((columns += 1))} dir="auto">
              {showRuns(block.words)}
            </pre>
          </>
        )
      case 'gap':
        return showGap(block.lines)
    }
  }

  /** A notice: phones and Macs hide scroll bars, and a frame cut between two columns looks complete. [ceremony: plain text rule 6] */
  function showScrollLine(width: number) {
    return (
      <p class={width > PAPER_COLUMNS ? 'scrolls' : 'scrolls fits-paper'} lang={LANGUAGE_TAG[locale]}>
        {textMessages(locale).scrollSideways}
      </p>
    )
  }

  function showGap(lines: number) {
    if (lines === 1) return null
    if (lines <= BLANK_LINES_MAX) return <div class="gap">{'\n'.repeat(lines - 1)}</div>
    return (
      <p class="gap-line" lang={LANGUAGE_TAG[locale]}>
        {textMessages(locale).blankLines(lines)}
      </p>
    )
  }
}

/** `flow`: line breaks have no meaning. `tight`: no blank line separates the block from the previous one. */
function classes(item: string, reflows: boolean, before: Block | undefined): string | undefined {
  const isTight = before !== undefined && before.kind !== 'gap' && before.kind !== 'heading'
  return [item, reflows && 'flow', isTight && 'tight'].filter(Boolean).join(' ') || undefined
}

const isBullet = ({ marker }: Item): boolean => plainText(marker).trim().length === 1

/** Uses a counter, never text, so that a contract cannot choose the id of an element. */
const headingId = (id: number): string => `c${id}`

/** The badge of a hidden character in a sentence of the page. */
export function HiddenLabel({ label }: { label: string }) {
  return <bdi class="badge">{label}</bdi>
}

function showRuns(runs: readonly Run[]) {
  // A badge is isolated (bdi), so that its letters do not affect the direction of the line.
  return runs.map((run) => (typeof run === 'string' ? showWords(run) : <bdi>{badgeText(run)}</bdi>))
}

function showWords(text: string) {
  const [first, ...others] = cutLongClusters(text)
  if (others.length === 0) return first
  return [first, ...others.flatMap((piece) => [<wbr />, piece])]
}

/** With more links, a keyboard user would have to tab through too many before the text. */
const ENTRIES_MAX = 100

/**
 * The headings as links in a closed <details>, which the style sheet opens beside the text on a wide screen. There is only one list, so
 * that a screen reader reads the links once. The title is in the page's language. [ceremony 5, ceremony: plain text rule 9]
 */
export function ContentsList({ text, locale }: { text: ReadableText; locale: Locale }) {
  if (text.contents.length === 0) return null
  const title = textMessages(locale).contents
  const shown = highestFirst(text.contents)
  const more = text.contents.length - shown.length
  return (
    <>
      <p class="contents-title">{title}</p>
      <details class="disclosure contents">
        <summary>
          <span>{title}</span>
        </summary>
        <ul lang={text.language}>
          {shown.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
          {more > 0 && (
            <li class="more" lang={LANGUAGE_TAG[locale]}>
              {textMessages(locale).moreHeadings(more)}
            </li>
          )}
        </ul>
      </details>
    </>
  )
}

/** The listed entries in the order of the text. Beyond the maximum, omits the deepest entries first, and of equal depth the last. */
function highestFirst(contents: readonly ContentsEntry[]): readonly ContentsEntry[] {
  if (contents.length <= ENTRIES_MAX) return contents
  const listed = new Set(contents.toSorted((one, other) => one.level - other.level).slice(0, ENTRIES_MAX))
  return contents.filter((entry) => listed.has(entry))
}

/** Keeps the text of the heading; the style sheet shows words in lower case, but not a number such as "IV.". */
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
