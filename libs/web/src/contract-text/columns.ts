// Finds lines in columns, which must keep their alignment: tables, signature blocks. Pure. [ceremony: plain text rule 6]
// They are shown in a fixed pitch without wrapping; no table is built.
import type { LineShape } from './line-shape.js'
import { badgeText, type Run } from './runs.js'

/** A wider line is prose that contains a tab; in columns its end would be hidden beyond the right edge. */
const COLUMNS_MAX = 100
/** A wider run of blanks aligns nothing on a sheet of 80 columns; it pushes a clause away from its table. */
const BLANK_COLUMNS_MAX = 48
/** Up to this many blank lines between two lines in columns are space for signatures; more end the block. */
const BLANK_LINES_MAX = 3
/** A single line up to this width, between two lines in columns, belongs to the block, such as a title below one name. */
const SINGLE_CELL_COLUMNS_MAX = 60
const RULER = /^[-=_+|.:~*\s]{3,}$/

interface ColumnBlock {
  /** Index of the first line; `last` is the index of the last line. */
  first: number
  last: number
  /** Width of the widest line. */
  columns: number
}

/** The blocks of at least two lines that contain a tab or three spaces, in order. */
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

/** The space after the marker of an item or the number of a heading does not make a column. */
function isInColumns({ runs, text, item, heading }: LineShape): boolean {
  const words = text.slice(item?.markerLength ?? heading?.numberLength ?? 0).trim()
  return /\t|\p{Zs}{3}/u.test(words) && fits(measureLine(runs), COLUMNS_MAX)
}

const isRuler = ({ runs, text }: LineShape): boolean => RULER.test(text.trim()) && fits(measureLine(runs), COLUMNS_MAX)

const isSingleCell = ({ runs, item, heading }: LineShape): boolean =>
  !item && !heading?.isNumbered && fits(measureLine(runs), SINGLE_CELL_COLUMNS_MAX)

/** Indent, tabs and badges count: in a frame that scrolls, they push the rest of the line to the right. */
const fits = ({ columns, widestBlank }: LineWidth, columnsMax: number): boolean =>
  columns <= columnsMax && widestBlank <= BLANK_COLUMNS_MAX

// Overestimates the width of a line, because a line that is wider than its measure could end out of sight.

const TAB_COLUMNS = 8
/** The padding of a badge. */
const BADGE_COLUMNS = 2

interface LineWidth {
  /** Width up to the last visible character; blanks at the end of a line do not count. */
  columns: number
  /** The widest run of blanks before a visible character. */
  widestBlank: number
}

/** One column: every font of a fixed pitch has Latin, Greek, Cyrillic, Armenian, punctuation, currencies and boxes. */
const ONE = /[\u0021-\u058F\u1E00-\u206F\u20A0-\u20CF\u2500-\u259F]/u
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u
/** Two columns: right-to-left, East Asian, emoji, which are nearly as wide as high. */
const TWO =
  /[\u0590-\u08FF\u3000-\u30FF\uFB1D-\uFDCF\uFE70-\uFEFC\uFF00-\uFFEF\p{Script=Han}\p{Script=Hangul}\p{Emoji_Presentation}]/u
/** Characters that show a whole phrase or picture. */
const VERY_WIDE = /[\u2E3A\u2E3B\uFDF0-\uFDFF\p{Script=Cuneiform}\p{Script=Egyptian_Hieroglyphs}]/u

/** Measures a line as `readHidden` returns it. */
function measureLine(runs: readonly Run[]): LineWidth {
  let at = 0
  let inked = 0
  let widestBlank = 0
  const ink = (columns: number) => {
    widestBlank = Math.max(widestBlank, at - inked)
    at += columns
    inked = at
  }
  for (const run of runs) {
    if (typeof run === 'object') ink(badgeText(run).length + BADGE_COLUMNS)
    else {
      for (const character of run) {
        if (character === '\t') at += TAB_COLUMNS - (at % TAB_COLUMNS)
        else if (isBlank(character)) at += blankColumns(character)
        else ink(inkColumns(character))
      }
    }
  }
  return { columns: inked, widestBlank }
}

/** The width of a blank character in columns; for a tab, the maximum. */
export const blankColumns = (character: string): number =>
  character === '\t' ? TAB_COLUMNS : character === '\u3000' ? 2 : 1

const isBlank = (character: string): boolean => character === ' ' || (character > '\u007F' && /\p{Zs}/u.test(character))

function inkColumns(character: string): number {
  if (character < '\u0300') return 1
  if (NONE.test(character)) return 0
  if (ONE.test(character)) return 1
  if (VERY_WIDE.test(character)) return 16
  return TWO.test(character) ? 2 : 3
}
