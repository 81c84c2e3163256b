// Lays out the plain-text part of a mail: line breaks, and names in running text. Pure.
// A line has at most 72 columns, so that it stays under 78 when quoted [RFC 5322 2.1.1]; links are not wrapped.
import { isMailAddress } from '@paraph/protocol/text-rules'

const COLUMNS_MAX = 72
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'
const WORD_JOINER = '\u2060'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Characters that take two columns in a fixed-width font. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u
/** Text in which each character is one grapheme of one column. Most text is of this form, and needs no segmenter. */
const PLAIN = /^[ -~\u00A0-\u00FF\u2010-\u2027]*$/
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** A dot or an @ between letters or digits, also full-width, by which mail programs recognise host names and addresses. */
const LINK_JOINT = /(?<=[\p{L}\p{N}])[.@\u3002\uFF0E\uFF20\uFF61](?=[\p{L}\p{N}])/gu

/** External text in plain text: collapses white space as HTML does, and isolates right-to-left text. */
export function textLine(text: string): string {
  const line = text.replace(/[\s\p{Zs}]+/gu, ' ').trim()
  return RIGHT_TO_LEFT.test(line) ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}` : line
}

/**
 * An external name in plain text. After a dot within a word stands a word joiner, which is invisible, allows no line break and belongs to
 * no host name, so that `Booking.com B.V.` becomes no link. [D14]
 */
export const textName = (name: string): string => textLine(name).replace(LINK_JOINT, `$&${WORD_JOINER}`)

/** Placeholder → external name. */
export type Names = Readonly<Record<string, string>>

/** Splits our own sentence at its placeholders, such as `{by}`; every second piece is the key of a placeholder. */
export const splitAtPlaces = (sentence: string): string[] => sentence.split(/\{(\w+)\}/)

/** An owner may copy an address from a mail, so it stays as it is. */
const textValue = (value: string): string => (isMailAddress(value) ? textLine(value) : textName(value))

/** Inserts the names in one pass, so that braces in a name are no placeholders. For plain text, before wrapping. */
export const fillText = (sentence: string, names: Names): string =>
  splitAtPlaces(sentence)
    .map((piece, index) => (index % 2 ? textValue(names[piece] ?? '') : piece))
    .join('')

/** Breaks a paragraph at spaces, and a word wider than a line between characters. @param indent of all lines but the first */
export function wrap(text: string, indent = 0): string {
  const columnsMax = COLUMNS_MAX - indent
  const columnsOf = PLAIN.test(text) ? lengthOf : countColumns
  const lines: string[] = []
  let line = ''
  for (const word of text
    .split(' ')
    .flatMap((each) => (columnsOf(each) <= columnsMax ? [each] : chop(each, columnsMax)))) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && columnsOf(longer) > columnsMax) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return keepIsolated([...lines, line]).join(`\n${' '.repeat(indent)}`)
}

/** `  Label     value`, one row per line; further lines of a long value are aligned under its first line. */
export function rowLines(rows: { label: string; text: string }[]): string {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 3
  return rows.map(({ label, text }) => `  ${label.padEnd(width)}${wrap(text, width + 2)}`).join('\n')
}

/** Sections with a blank line between them. */
export const sections = (parts: string[]): string => `${parts.join('\n\n')}\n`

function chop(word: string, columnsMax: number): string[] {
  const pieces = ['']
  for (const { segment } of graphemes.segment(word)) {
    const piece = pieces.at(-1) ?? ''
    if (piece !== '' && countColumns(piece + segment) > columnsMax) pieces.push(segment)
    else pieces[pieces.length - 1] = piece + segment
  }
  return pieces
}

const lengthOf = (text: string): number => text.length

function countColumns(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    if (![FIRST_STRONG_ISOLATE, POP_ISOLATE, WORD_JOINER].includes(segment)) columns += WIDE.test(segment) ? 2 : 1
  }
  return columns
}

/** Closes and reopens an isolate that continues on the next line, because a line break ends an isolate. [UAX 9, P1] */
function keepIsolated(lines: string[]): string[] {
  let isOpen = false
  return lines.map((line) => {
    const whole = isOpen ? FIRST_STRONG_ISOLATE + line : line
    isOpen = whole.lastIndexOf(FIRST_STRONG_ISOLATE) > whole.lastIndexOf(POP_ISOLATE)
    return isOpen ? whole + POP_ISOLATE : whole
  })
}
