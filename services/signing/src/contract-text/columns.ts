// Which lines are set in columns and must keep their alignment: tables, signature blocks. PURE. [ceremony: plain text rule 6]
// No table is invented: only a fixed pitch and no wrapping.
import type { LineShape } from './line-shape.js'

/** A longer line fits no sheet: it is prose with a tab in it, and its end would be hidden beyond the right edge. */
const LENGTH_MAX = 160
/** Up to so many blank lines between two lines in columns are room to sign, not the end of the block. */
const BLANK_LINES_MAX = 3
/** One line without columns between two with them belongs to them, such as a title below one name only. */
const SINGLE_CELL_LENGTH_MAX = 60
const RULER = /^[-=_+|.:~*\s]{3,}$/

/** First and last line of a block in columns, both included, by number. */
export interface ColumnBlock {
  first: number
  last: number
}

/** The blocks of at least two lines with a tab or three spaces inside, in order. */
export function findColumns(lines: readonly LineShape[]): ColumnBlock[] {
  const blocks: ColumnBlock[] = []
  let open = { first: 0, last: 0, rows: 0 }
  let blanks = 0
  let singles = 0
  const close = () => void (open.rows >= 2 && blocks.push({ first: open.first, last: open.last }))
  lines.forEach((line, number) => {
    const text = line.text.trim()
    if (text === '') blanks += 1
    else if (isInColumns(line)) {
      const goesOn = open.rows > 0 && (singles === 0 ? blanks <= BLANK_LINES_MAX : singles === 1 && blanks === 0)
      if (!goesOn) close()
      open = goesOn ? { ...open, last: number, rows: open.rows + 1 } : { first: number, last: number, rows: 1 }
      blanks = singles = 0
    } else if (!RULER.test(text)) singles += isSingleCell(line) ? 1 : 2
  })
  close()
  return blocks
}

/** The space behind the marker of an item or the number of a heading is no column. */
function isInColumns({ text, item, heading }: LineShape): boolean {
  const words = text.slice(item?.markerLength ?? heading?.numberLength ?? 0).trim()
  return words.length <= LENGTH_MAX && /\t|\p{Zs}{3}/u.test(words)
}

const isSingleCell = ({ text, item, heading }: LineShape): boolean =>
  text.length <= SINGLE_CELL_LENGTH_MAX && !item && !heading?.isNumbered
