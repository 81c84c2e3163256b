// The contract's text on paper, word for word. Owns how blocks become markup; everything is escaped, nothing is linked.
// Lean on purpose: one short element per block and chip, because 50 KB may hold 51,200 of either. [ceremony: plain text]
import type { Locale } from '@paraph/web/locale'
import { LANGUAGE_TAG } from '@paraph/web/locale'
import type { Block, Item } from '../contract-text/blocks.js'
import type { ReadableText } from '../contract-text/read-text.js'
import { plainText, type Chip, type Run } from '../contract-text/runs.js'
import { words } from './dictionary.js'

/** Up to so many blank lines are shown as they are. More are a way to push a clause out of sight. [plain text rule 8] */
const BLANK_LINES_MAX = 10

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
          <pre tabindex={0} role="region" aria-label={words(locale).inColumns((columns += 1))} dir="auto">
            {showRuns(block.words)}
          </pre>
        )
      case 'gap':
        return showGap(block.lines)
    }
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
  return runs.map((run) => (typeof run === 'string' ? run : <bdi>{chipText(run)}</bdi>))
}

const chipText = ({ label, count }: Chip): string => (count === 1 ? label : `${label} ×${count}`)
