// Measures a line in columns of a fixed pitch, tabs and indent included, and its widest blank. Pure.
// Owns the width of a character; it errs on the wide side, because text measured too narrow could end out of sight.
import { badgeText, type Run } from './runs.js'

const TAB_COLUMNS = 8
/** The padding of a badge. */
const BADGE_COLUMNS = 2

export interface LineWidth {
  /** Up to the last visible character; blanks at the end of a line do not count. */
  columns: number
  /** The widest run of blanks before a visible character. */
  widestBlank: number
}

/** Every font of a fixed pitch has Latin, Greek, Cyrillic, Armenian, punctuation, currencies and boxes. */
const ONE = /[\u0021-\u058F\u1E00-\u206F\u20A0-\u20CF\u2500-\u259F]/u
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u
/** Right-to-left, East Asian, emoji: nearly as wide as high. */
const TWO =
  /[\u0590-\u08FF\u3000-\u30FF\uFB1D-\uFDCF\uFE70-\uFEFC\uFF00-\uFFEF\p{Script=Han}\p{Script=Hangul}\p{Emoji_Presentation}]/u
/** Characters that hold a whole phrase or picture. */
const VERY_WIDE = /[\u2E3A\u2E3B\uFDF0-\uFDFF\p{Script=Cuneiform}\p{Script=Egyptian_Hieroglyphs}]/u

/** The width of a line from `readHidden`. */
export function measureLine(runs: readonly Run[]): LineWidth {
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

/** Columns of a blank anywhere in a line; a tab counts with its maximum. */
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
