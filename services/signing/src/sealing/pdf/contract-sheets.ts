// Draws the contract's text: the same blocks as on the web page, word for word. [ceremony: plain text, evidence 6]
import type { Block, Heading } from '@paraph/web/contract-text/blocks'
import type { ReadableText } from '@paraph/web/contract-text/read-text'
import { badgeText, plainText, type Run } from '@paraph/web/contract-text/runs'
import type { Glyphs, Style } from './fonts.js'
import { COLOUR, TEXT_WIDTH, type Look } from './look.js'
import type { PdfMessages } from './messages.js'
import type { Placing, Sheets } from './sheets.js'

const BODY: Look = { style: 'serif', size: 10.5, colour: COLOUR.ink, leading: 1.5 }
const OURS: Look = { style: 'sans', size: 9, colour: COLOUR.soft, leading: 1.45 }
const HEADING_SIZE = { 2: 13, 3: 11.5, 4: 10.5 } as const
const TITLE_SIZE = 16
/** The column of numbers and bullets is as wide as the widest of its depth, within these limits. */
const MARKER_WIDTH = { min: 18, max: 72 }
const DEPTHS = [1, 2, 3, 4] as const
const GAP = 8
const MONO_SIZE = 9
const MONO_SIZE_MIN = 5
const TAB_COLUMNS = 8
/** As on the web page: more blank lines could push a clause out of sight. [ceremony: plain text rule 8] */
const BLANK_LINES_MAX = 10

/** Draws the warnings, the whole text, the line that marks its end, and its hash. */
export function drawContract(sheets: Sheets, text: ReadableText, messages: PdfMessages, sha256: string): void {
  const missing = countMissing(text.blocks, sheets.glyphs)
  const columns = measureMarkers(text.blocks, sheets)
  const levelOf = createOutline(text.blocks)
  if (text.hidden.count > 0) drawOurs(messages.hidden(text.hidden.count, text.hidden.example))
  if (missing.count > 0) drawOurs(messages.missing(missing.count, missing.example))
  text.blocks.forEach((block, index) => draw(block, text.blocks[index - 1]))
  sheets.move(GAP)
  drawOurs(messages.endOfContract(text.counts))
  drawOurs(`SHA-256 ${sha256.match(/.{8}/g)!.join(' ')}`, 'mono')

  function drawOurs(line: string, style: Style = 'sans'): void {
    const look = { ...OURS, style }
    sheets.lines('P', sheets.break([line], look), look)
    sheets.move(4)
  }

  function draw(block: Block, before: Block | undefined): void {
    if (block.kind === 'gap') return drawGap(block.lines)
    if (before && before.kind !== 'gap') sheets.move(2)
    switch (block.kind) {
      case 'heading': {
        const look: Look = {
          ...BODY,
          style: 'serifBold',
          size: block.isTitle ? TITLE_SIZE : HEADING_SIZE[block.level],
          leading: 1.35,
        }
        sheets.move(block.isTitle ? 0 : 4)
        const lines = sheets.break([...block.number, ...block.words], look)
        sheets.lines(`H${levelOf(block)}`, lines, look, { keepWith: 30 })
        return sheets.move(2)
      }
      case 'item': {
        const { reflows } = block
        const left = columns.slice(0, block.depth - 1).reduce((sum, column) => sum + column, 0)
        const [line, ...more] = sheets.break(block.marker, BODY, { left })
        // A marker full of labels may take several lines.
        if (!line || more.length > 0) return drawText([...block.marker, ...block.words], { left, reflows })
        return drawText(block.words, { left, reflows, marker: { line, column: columns[block.depth - 1]! } })
      }
      case 'paragraph':
        return drawText(block.words, { reflows: block.reflows })
      case 'aligned': {
        // A column is 0.6 of the font size wide. The size shrinks until the widest line fits, but not below a readable size.
        const size = Math.max(MONO_SIZE_MIN, Math.min(MONO_SIZE, TEXT_WIDTH / ((block.columns + 1) * 0.6)))
        const look: Look = { ...BODY, style: 'mono', size, leading: 1.35 }
        return sheets.lines('P', sheets.break(expandTabs(block.words), look), look)
      }
    }
  }

  function drawText(runs: readonly Run[], placing: Placing): void {
    sheets.lines('P', sheets.break(runs, BODY, placing), BODY, placing)
  }

  function drawGap(lines: number): void {
    if (lines > BLANK_LINES_MAX) {
      sheets.move(GAP)
      drawOurs(messages.blankLines(lines))
      return sheets.move(GAP / 2)
    }
    sheets.move(GAP + (lines - 1) * BODY.size * BODY.leading!)
  }
}

/** The width of the column of markers at each depth, so that the words of all items of a depth begin at one edge. */
function measureMarkers(blocks: readonly Block[], sheets: Sheets): number[] {
  const items = blocks.filter((block) => block.kind === 'item')
  return DEPTHS.map((depth) => {
    const markers = items.filter((item) => item.depth === depth).flatMap(({ marker }) => sheets.break(marker, BODY))
    const widest = Math.max(0, ...markers.map((line) => sheets.widthOfLine(line, BODY.size)))
    return Math.min(MARKER_WIDTH.max, Math.max(MARKER_WIDTH.min, widest))
  })
}

/** The levels of headings for screen readers: the first is H1, and none is skipped. [PDF/UA-1 7.4.2] */
function createOutline(blocks: readonly Block[]): (heading: Heading) => number {
  const hasTitle = blocks.some((block) => block.kind === 'heading' && block.isTitle)
  let open = 0
  return ({ isTitle, level }) => (open = Math.min(isTitle ? 1 : hasTitle ? level : level - 1, open + 1))
}

/** Expands tabs to columns of eight, as the web page does. */
function expandTabs(runs: readonly Run[]): Run[] {
  let at = 0
  return runs.map((run) => {
    if (typeof run === 'object') {
      at += badgeText(run).length + 2
      return run
    }
    let text = ''
    for (const character of run) {
      const shown = character === '\t' ? ' '.repeat(TAB_COLUMNS - (at % TAB_COLUMNS)) : character
      at = character === '\n' ? 0 : at + shown.length
      text += shown
    }
    return text
  })
}

function countMissing(blocks: readonly Block[], glyphs: Glyphs): { count: number; example: string } {
  const all = blocks.flatMap((block) => {
    if (block.kind === 'gap') return []
    const style: Style = block.kind === 'aligned' ? 'mono' : block.kind === 'heading' ? 'serifBold' : 'serif'
    const runs =
      block.kind === 'heading'
        ? [...block.number, ...block.words]
        : block.kind === 'item'
          ? [...block.marker, ...block.words]
          : block.words
    return [glyphs.countMissing(plainText(runs), style)]
  })
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    example: all.find(({ count }) => count > 0)?.example ?? '',
  }
}
