// The contract's text on paper, word for word. Owns how blocks become markup; everything is escaped, nothing is linked.
// Lean on purpose: one short element per block and chip, because 50 KB may hold 51,200 of either. [ceremony: plain text]
import type { Locale } from '@paraph/web/locale'
import { LANGUAGE_TAG } from '@paraph/web/locale'
import type { Block, Item } from '../contract-text/blocks.js'
import { cutLongClusters } from '../contract-text/long-clusters.js'
import type { ReadableText } from '../contract-text/read-text.js'
import { chipText, plainText, type Run } from '../contract-text/runs.js'
import { words } from './dictionary.js'

/** Up to so many blank lines are shown as they are. More are a way to push a clause out of sight. [ceremony: plain text rule 8] */
const BLANK_LINES_MAX = 10
/** So many columns fit the narrowest phone, 320 px, with some room for a wider font. */
const PHONE_COLUMNS = 30
/** So many fit the paper where a contents list may stand beside it; the style sheet says from which width on. */
const PAPER_COLUMNS = 78

/** The blocks in the text's own language; where that is not known, `lang=""` says so. [WCAG 3.1.2] */
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
        // The marker's own dir: a Latin (a) does not turn an Arabic item around.
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
        // Scrolls sideways, so that it must be reached by keyboard and have a name.
        return (
          <>
            {block.columns > PHONE_COLUMNS && showScrollLine(block.columns)}
            <pre tabindex={0} role="region" aria-label={words(locale).inColumns((columns += 1))} dir="auto">
              {showRuns(block.words)}
            </pre>
          </>
        )
      case 'gap':
        return showGap(block.lines)
    }
  }

  /** Phones and Macs hide scroll bars, and a frame that cuts between two columns looks whole. [ceremony: plain text rule 6] */
  function showScrollLine(width: number) {
    return (
      <p class={width > PAPER_COLUMNS ? 'scrolls' : 'scrolls fits-paper'} lang={LANGUAGE_TAG[locale]}>
        {words(locale).scrollSideways}
      </p>
    )
  }

  function showGap(lines: number) {
    if (lines === 1) return null
    if (lines <= BLANK_LINES_MAX) return <div class="gap">{'\n'.repeat(lines - 1)}</div>
    return (
      <p class="gap-line" lang={LANGUAGE_TAG[locale]}>
        {words(locale).blankLines(lines)}
      </p>
    )
  }
}

/** `flow`: line breaks mean nothing. `tight`: no blank line parts it from the block before. */
function classes(item: string, reflows: boolean, before: Block | undefined): string | undefined {
  const isTight = before !== undefined && before.kind !== 'gap' && before.kind !== 'heading'
  return [item, reflows && 'flow', isTight && 'tight'].filter(Boolean).join(' ') || undefined
}

const isBullet = ({ marker }: Item): boolean => plainText(marker).trim().length === 1

/** A counter, never text: nothing that a contract says can name an element of the page. */
export const headingId = (id: number): string => `c${id}`

/** What stands for hidden characters, within a sentence of ours. */
export function HiddenLabel({ label }: { label: string }) {
  return <bdi class="chip">{label}</bdi>
}

function showRuns(runs: readonly Run[]) {
  // A chip is isolated (bdi), so that its letters have no say in a line's direction.
  return runs.map((run) => (typeof run === 'string' ? showWords(run) : <bdi>{chipText(run)}</bdi>))
}

function showWords(text: string) {
  const [first, ...others] = cutLongClusters(text)
  if (others.length === 0) return first
  return [first, ...others.flatMap((piece) => [<wbr />, piece])]
}
