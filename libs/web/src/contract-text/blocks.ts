// Groups lines into blocks: headings, items, paragraphs, lines in columns, gaps. Pure. [ceremony: plain text rules 2 to 6]
// Owns the order in which the rules apply. Every line is in exactly one block, complete, and lines keep their order.
import { elementAt } from '@paraph/protocol/element-at'
import { findColumns } from './columns.js'
import {
  createItemDepths,
  type HeadingShape,
  isHeading,
  type ItemShape,
  type LineShape,
  readShape,
} from './line-shape.js'
import { cutRuns, joinLines, type Run } from './runs.js'

export interface Heading {
  kind: 'heading'
  /** At most one deeper than the previous heading. */
  level: 2 | 3 | 4
  /** Counts from 1 in the order of the text. */
  id: number
  /** The title of the text: a heading without a number, before all other blocks. */
  isTitle: boolean
  /** Indent, number such as "1." and the space after it; empty without a number. */
  number: Run[]
  words: Run[]
}

export interface Item {
  kind: 'item'
  /** 1 to 4. */
  depth: number
  /** Indent, marker such as "(a)" and the space after it. */
  marker: Run[]
  words: Run[]
  reflows: boolean
}

interface Paragraph {
  kind: 'paragraph'
  words: Run[]
  /** Hard-wrapped prose: its line breaks have no meaning. */
  reflows: boolean
}

/** Lines in columns: shown in a fixed pitch, without wrapping. */
interface Aligned {
  kind: 'aligned'
  words: Run[]
  /** Width of the widest line, in characters of a fixed pitch. */
  columns: number
}

/** Blank lines between two blocks; one is the normal distance. */
interface Gap {
  kind: 'gap'
  lines: number
}

export type Block = Heading | Item | Paragraph | Aligned | Gap

/** Groups lines, as `readHidden` returns them, into blocks. */
export function readBlocks(runsOfLines: readonly Run[][]): Block[] {
  const lines = runsOfLines.map(readShape)
  const columns = findColumns(lines)
  const depths = createItemDepths()
  const blocks: Block[] = []
  let nextColumns = 0
  let level = 2
  let id = 0

  for (let at = 0; at < lines.length;) {
    const from = at
    const { isBlank, heading, item } = elementAt(lines, from)
    if (isBlank) {
      while (lines[at]?.isBlank) at += 1
      blocks.push({ kind: 'gap', lines: at - from })
    } else if (columns[nextColumns]?.first === from) {
      const { last, columns: width } = elementAt(columns, nextColumns)
      at = last + 1
      nextColumns += 1
      blocks.push({ kind: 'aligned', words: runsOf(lines.slice(from, at)), columns: width })
    } else if (heading && isHeadingAt(from, heading)) {
      at += 1
      blocks.push(readHeadingBlock(elementAt(lines, from), heading))
    } else {
      at = endOfBlock(from)
      const own = lines.slice(from, at)
      blocks.push(item ? readItemBlock(own, item) : readParagraph(own))
    }
  }
  return blocks

  function isHeadingAt(number: number, heading: HeadingShape): boolean {
    const above = blocks.at(-1)?.kind
    const isBelowText = above !== undefined && above !== 'gap' && above !== 'heading'
    return isHeading(heading, elementAt(lines, number).text, { isBelowText, next: lines[number + 1]?.heading })
  }

  /** The index after the text block that starts at `from`. A blank line, numbered heading, item or block in columns ends the block. */
  function endOfBlock(from: number): number {
    let end = from + 1
    for (; end < lines.length; end += 1) {
      const { isBlank, heading, item } = elementAt(lines, end)
      if (isBlank || columns[nextColumns]?.first === end || heading?.isNumbered) break
      if (item && (!item.isWeak || elementAt(lines, from).item?.isWeak)) break
    }
    return end
  }

  function readHeadingBlock({ runs }: LineShape, { depth, isNumbered, numberLength }: HeadingShape): Heading {
    const isTitle = id === 0 && !isNumbered && blocks.every((block) => block.kind === 'gap')
    const [number, words] = cutRuns(runs, numberLength)
    level = Math.min(depth + 1, level + 1, 4)
    id += 1
    depths.reset()
    return { kind: 'heading', level: level as Heading['level'], id, isTitle, number, words }
  }

  function readItemBlock(own: readonly LineShape[], item: ItemShape): Item {
    const [marker, words] = cutRuns(elementAt(own, 0).runs, item.markerLength)
    const reflows = isProse(own, 'item')
    return {
      kind: 'item',
      depth: depths.depthOf(item),
      marker,
      words: joinLines([words, ...own.slice(1).map(toRuns)]),
      reflows,
    }
  }
}

const readParagraph = (own: readonly LineShape[]): Paragraph => ({
  kind: 'paragraph',
  words: runsOf(own),
  reflows: isProse(own, 'paragraph'),
})

const toRuns = ({ runs }: LineShape): Run[] => runs
const runsOf = (lines: readonly LineShape[]): Run[] => joinLines(lines.map(toRuns))

const PROSE_LENGTH_MIN = 50
const PROSE_LENGTH_MAX = 110
const PROSE_LINES_MIN = { paragraph: 3, item: 2 }

/**
 * Recognises hard-wrapped prose, which a phone may wrap differently: every line except the last is about as long as a printed line. A
 * paragraph needs three lines and no indent, because two lines may be an address. An item needs two lines, and the second may be indented
 * below its marker. [ceremony: plain text rule 5]
 */
function isProse(lines: readonly LineShape[], kind: 'paragraph' | 'item'): boolean {
  if (lines.length < PROSE_LINES_MIN[kind]) return false
  return lines.every(({ text }, index) => {
    if (kind === 'paragraph' && /^\s/.test(text)) return false
    const { length } = text.trim()
    return length <= PROSE_LENGTH_MAX && (length >= PROSE_LENGTH_MIN || index === lines.length - 1)
  })
}
