// Replaces characters that are invisible, or that reorder visible text, by badges. Pure. [ceremony: hidden and bidi characters]
// Owns which characters get a badge. The stored text and its hash keep all characters.
// Spaces of any width stay, unless a run of spaces is so wide that it pushes a clause out of sight.
import { elementAt } from '@paraph/protocol/element-at'
import { blankColumns } from './columns.js'
import type { Run } from './runs.js'

/**
 * Controls except the tab (lines are already split); Unicode's default ignorable characters (SHY, CGJ, Hangul fillers, zero
 * widths, bidi controls, variation selectors, tags ...); other format characters except the Arabic number signs, which are visible;
 * lone surrogates and noncharacters; private use, whose look depends on the font, so that two parties would not read the same text;
 * and symbols or letters without ink: the empty Braille pattern, the object replacement, the null notehead, blanks among
 * hieroglyphs, the Khitan filler.
 */
const HIDDEN =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]--[\t\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]]/v

/** Stackers, joiners and selectors of single scripts: invisible characters that shape the letter before them. */
const SHAPING =
  /[\u1039\u17D2\u1A60\u2D7F\uAAF6\u{10A3F}\u{1107F}\u{11133}\u{113D0}\u{1193E}\u{11A47}\u{11A99}\u{11D45}\u{11D97}\u{11F42}\u{13440}\u{1BC9D}\u{1DA9B}-\u{1DA9F}\u{1DAA1}-\u{1DAAF}]/u
/** Letters, marks and signs of the scripts with such characters; no Latin letters, ASCII digits or Arabic. */
const SHAPED =
  /(?=[\p{L}\p{M}\p{So}\p{N}])[\u1000-\u109F\u1780-\u17FF\u1A20-\u1AAF\u2D30-\u2D7F\uA9E0-\uA9FF\uAA60-\uAA7F\uAAE0-\uABFF\u{10A00}-\u{11FFF}\u{13000}-\u{1345F}\u{1BC00}-\u{1BC9F}\u{1D800}-\u{1DAAF}]/u

/** Letters and vowel signs that ZWJ or ZWNJ shapes. */
const JOINING =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]/u
const LETTER_OR_MARK = /[\p{L}\p{M}]/u
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]/u
/** Characters with a text style and an emoji style; a digit has them only as a keycap. */
const TWO_LOOKS = /(?!\p{N})[\p{Emoji}\p{So}]/u
const KEYCAP_BASE = /[\d#*]/
const KEYCAP = '\u20E3'

/** A run of blanks up to this width is layout; a wider run pushes text out of sight. A sheet of paper is narrower. */
const BLANK_COLUMNS_MAX = 120
/** Fewer than 16 blanks cannot be wider than BLANK_COLUMNS_MAX. */
const MANY_BLANKS = /[\t\p{Zs}]{16,}/gu

const NAMES: Record<number, string> = {
  0x0009: 'TAB',
  0x0020: 'SPACE',
  0x00a0: 'NBSP',
  0x00ad: 'SHY',
  0x034f: 'CGJ',
  0x061c: 'ALM',
  0x115f: 'HCF',
  0x1160: 'HJF',
  0x180e: 'MVS',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0x3164: 'HF',
  0xfeff: 'BOM',
  0xffa0: 'HWHF',
  0xfff9: 'IAA',
  0xfffa: 'IAS',
  0xfffb: 'IAT',
}

/** One line with its hidden characters replaced by badges. Linear in its length; never throws. */
export function readHidden(line: string): Run[] {
  const blanks = wideBlanks(line)
  if (blanks.length === 0 && !HIDDEN.test(line) && !SHAPING.test(line)) return [line]
  const runs: Run[] = []
  let visibleFrom = 0
  let before = ''
  let nextBlank = 0
  for (let at = 0; at < line.length;) {
    const character = String.fromCodePoint(line.codePointAt(at)!)
    while (nextBlank < blanks.length && at >= endOf(elementAt(blanks, nextBlank))) nextBlank += 1
    const isBlank = nextBlank < blanks.length && at >= elementAt(blanks, nextBlank).index
    if (
      isBlank ||
      ((HIDDEN.test(character) || SHAPING.test(character)) && !isInContext(character, { before, line, at }))
    ) {
      if (visibleFrom < at) runs.push(line.slice(visibleFrom, at))
      addBadge(runs, character, visibleFrom < at)
      visibleFrom = at + character.length
      before = ''
    } else before = character
    at += character.length
  }
  if (visibleFrom < line.length) runs.push(line.slice(visibleFrom))
  return runs
}

/** True if the character has its regular function in its own script, and so hides nothing. */
function isInContext(character: string, { before, line, at }: { before: string; line: string; at: number }): boolean {
  const code = character.codePointAt(0)!
  // ZWNJ and ZWJ: after a letter that they shape, or within an emoji.
  if (code === 0x200c || code === 0x200d) {
    return EMOJI.test(before) || (JOINING.test(before) && LETTER_OR_MARK.test(before))
  }
  if (code === 0x200e || code === 0x200f || code === 0x061c) return isMarkInContext(line, at)
  if (code === 0xfe0e || code === 0xfe0f) {
    return TWO_LOOKS.test(before) || (KEYCAP_BASE.test(before) && line[at + 1] === KEYCAP)
  }
  if (SHAPING.test(character)) return SHAPED.test(before)
  // Variation selectors: after a Han character, and after a Mongolian letter.
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before)
  if ((code >= 0x180b && code <= 0x180d) || code === 0x180f) return /(?=\p{L})\p{Script=Mongolian}/u.test(before)
  return false
}

/** A run of the same character is one badge: 17,000 badges would be 300 KB of markup. */
function addBadge(runs: Run[], character: string, isAfterText: boolean): void {
  const label = labelOf(character.codePointAt(0)!)
  const last = runs.at(-1)
  if (!isAfterText && typeof last === 'object' && last.label === label) last.count += 1
  else runs.push({ label, count: 1 })
}

function labelOf(code: number): string {
  const name = NAMES[code] ?? groupOf(code)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${name === '' ? '' : ` ${name}`}`
}

function groupOf(code: number): string {
  if (code >= 0xfe00 && code <= 0xfe0f) return `VS${code - 0xfe00 + 1}`
  if (code >= 0xe0100 && code <= 0xe01ef) return `VS${code - 0xe0100 + 17}`
  if (code >= 0xe0000 && code <= 0xe007f) return 'TAG'
  return ''
}

/** The runs of blanks that push text out of sight. Blanks at the end of a line are harmless, and common in padded reports. */
const wideBlanks = (line: string): RegExpExecArray[] =>
  [...line.matchAll(MANY_BLANKS)].filter((match) => endOf(match) < line.length && columnsOf(match) > BLANK_COLUMNS_MAX)

const columnsOf = ([blanks]: RegExpExecArray): number =>
  [...blanks].reduce((columns, blank) => columns + blankColumns(blank), 0)

const endOf = (match: RegExpExecArray): number => match.index + match[0].length

// Direction marks (LRM, RLM, ALM). The bidi algorithm treats such a mark as an invisible letter. Beside a digit it moves the digit to its
// other side, so that "5.10" reads as "510" and "5 ... 7" as "57". A left-to-right mark between two right-to-left words swaps them.

const RTL_LETTER = /(?=\p{L})[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

const NUMBER = /\p{N}/u
const PART_OF_NUMBER = /[\p{N}\p{Sc}.,:/+%#°'’\u2030\u2212\u066A-\u066C\p{Pd}]/u
const LETTER_OR_NUMBER = /[\p{L}\p{N}]/u
const WITHOUT_INK = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** A letter farther away is not beside the mark. The limit also keeps the search linear. */
const REACH = 16
const LRM = 0x200e

/**
 * True if the mark at `at` cannot move a number or a word. Reads the nearest letter or number on both sides, past stops and blanks: one
 * must be a right-to-left letter, and none a number. A left-to-right mark also needs a letter before it, because at the start of a line it
 * would turn the whole line, and a right-to-left letter on one side only.
 */
function isMarkInContext(line: string, at: number): boolean {
  const before = neighbourOf(line, at, -1)
  const after = neighbourOf(line, at, 1)
  if ([before, after].some((side) => PART_OF_NUMBER.test(side.next) || NUMBER.test(side.letter))) return false
  const isRtl = [before, after].map((side) => RTL_LETTER.test(side.letter))
  if (line.charCodeAt(at) !== LRM) return isRtl.includes(true)
  return before.letter !== '' && isRtl[0] !== isRtl[1]
}

/** The nearest visible character or blank, and the nearest letter or number; '' if none is within REACH. */
function neighbourOf(line: string, from: number, step: 1 | -1): { next: string; letter: string } {
  let next = ''
  let at = from
  for (let steps = 0; steps < REACH; steps += 1) {
    at += step
    if (at < 0 || at >= line.length) break
    // Backwards, the search meets the second half of a surrogate pair first.
    if (step < 0 && at > 0 && line.codePointAt(at - 1)! > 0xffff) at -= 1
    const character = String.fromCodePoint(line.codePointAt(at)!)
    if (step > 0) at += character.length - 1
    if (WITHOUT_INK.test(character)) continue
    next ||= character
    if (LETTER_OR_NUMBER.test(character)) return { next, letter: character }
  }
  return { next, letter: '' }
}
