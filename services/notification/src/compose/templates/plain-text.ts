// Lays out the plain-text part of a mail. Pure. Owns: where lines break, names in running text. Does not own the words.
// A line is at most 72 columns wide, so that it stays under 78 when it is quoted [RFC 5322 2.1.1]; links never come in here.

const COLUMNS_MAX = 72
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Takes two columns in a terminal or a fixed font. */
const WIDE =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303F\uFF01-\uFF60]/u
/** Each character is one grapheme of one column: most text by far, and no segmenter is needed to see it. */
const PLAIN = /^[ -~\u00A0-\u00FF]*$/
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** A name from outside as it stands in text: white space is one space, as in HTML; a right-to-left name is isolated. */
export function textName(name: string): string {
  const line = name.replace(/[\s\p{Zs}]+/gu, ' ').trim()
  return RIGHT_TO_LEFT.test(line) ? `${FIRST_STRONG_ISOLATE}${line}${POP_ISOLATE}` : line
}

/** Breaks a paragraph at spaces, and a word that is wider than a line between its characters. @param indent of all lines but the first */
export function wrap(text: string, indent = 0): string {
  const columnsMax = COLUMNS_MAX - indent
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ').flatMap((each) => chop(each, columnsMax))) {
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

/** `  Label     value`, one fact to a line; what a value needs more stays under it. */
export function factLines(rows: { label: string; text: string }[]): string {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 3
  return rows.map(({ label, text }) => `  ${label.padEnd(width)}${wrap(text, width + 2)}`).join('\n')
}

/** Sections with a blank line between them. */
export const sections = (parts: string[]): string => `${parts.join('\n\n')}\n`

function chop(word: string, columnsMax: number): string[] {
  if (columnsOf(word) <= columnsMax) return [word]
  const pieces = ['']
  for (const { segment } of graphemes.segment(word)) {
    const piece = pieces.at(-1) ?? ''
    if (piece !== '' && columnsOf(piece + segment) > columnsMax) pieces.push(segment)
    else pieces[pieces.length - 1] = piece + segment
  }
  return pieces
}

function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) {
    if (segment !== FIRST_STRONG_ISOLATE && segment !== POP_ISOLATE) columns += WIDE.test(segment) ? 2 : 1
  }
  return columns
}

/** An isolate ends with its line [UAX 9, P1]: one that goes on is closed and opened again. */
function keepIsolated(lines: string[]): string[] {
  let isOpen = false
  return lines.map((line) => {
    const whole = isOpen ? FIRST_STRONG_ISOLATE + line : line
    isOpen = whole.lastIndexOf(FIRST_STRONG_ISOLATE) > whole.lastIndexOf(POP_ISOLATE)
    return isOpen ? whole + POP_ISOLATE : whole
  })
}
