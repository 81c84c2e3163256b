// Which lines are set in columns and must keep their alignment: tables, signature blocks. PURE. [ceremony: plain text rule 6]
// No table is invented: only a fixed pitch and no wrapping.
import type { LineShape } from './line-shape.js'
import { measureLine, type LineWidth } from './line-width.js'

/** A wider line fits no sheet: it is prose with a tab in it, and its end would be hidden beyond the right edge. */
const COLUMNS_MAX = 100
/** Wider blanks align nothing on a sheet of 80 columns: they push a clause away from the table that it stands in. */
const BLANK_COLUMNS_MAX = 48
/** Up to so many blank lines between two lines in columns are room to sign, not the end of the block. */
const BLANK_LINES_MAX = 3
/** One line without columns between two with them belongs to them, such as a title below one name only. */
const SINGLE_CELL_COLUMNS_MAX = 60
const RULER = /^[-=_+|.:~*\s]{3,}$/

/** First and last line of a block in columns, both included, by number. */
interface ColumnBlock {
  first: number
  last: number
  /** Of its widest line. */
  columns: number
}

/** The blocks of at least two lines with a tab or three spaces inside, in order. */
export function findColumns(lines: readonly LineShape[]): ColumnBlock[] {
  const blocks: ColumnBlock[] = []
  let open = { first: 0, last: 0, rows: 0 }
  let blanks = 0
  let singles = 0
  const close = () => {
    if (open.rows < 2) return
    const { first, last } = open
    const widths = lines.slice(first, last + 1).map(({ runs }) => measureLine(runs).columns)
    blocks.push({ first, last, columns: Math.max(...widths) })
  }
  lines.forEach((line, number) => {
    if (line.isBlank) blanks += 1
    else if (isInColumns(line)) {
      const goesOn = open.rows > 0 && (singles === 0 ? blanks <= BLANK_LINES_MAX : singles === 1 && blanks === 0)
      if (!goesOn) close()
      open = goesOn ? { ...open, last: number, rows: open.rows + 1 } : { first: number, last: number, rows: 1 }
      blanks = singles = 0
    } else if (open.rows > 0 && !isRuler(line)) singles += isSingleCell(line) ? 1 : 2
  })
  close()
  return blocks
}

/** The space behind the marker of an item or the number of a heading is no column. */
function isInColumns({ runs, text, item, heading }: LineShape): boolean {
  const words = text.slice(item?.markerLength ?? heading?.numberLength ?? 0).trim()
  return /\t|\p{Zs}{3}/u.test(words) && fits(measureLine(runs), COLUMNS_MAX)
}

const isRuler = ({ runs, text }: LineShape): boolean => RULER.test(text.trim()) && fits(measureLine(runs), COLUMNS_MAX)

const isSingleCell = ({ runs, item, heading }: LineShape): boolean =>
  !item && !heading?.isNumbered && fits(measureLine(runs), SINGLE_CELL_COLUMNS_MAX)

/** Indent, tabs and labels count: in a frame that scrolls, all of them push what follows to the right. */
const fits = ({ columns, widestBlank }: LineWidth, columnsMax: number): boolean =>
  columns <= columnsMax && widestBlank <= BLANK_COLUMNS_MAX
