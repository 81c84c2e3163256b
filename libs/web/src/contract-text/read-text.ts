// Parses a contract's plain text into blocks, which the page and the PDF show. Pure. [ceremony: plain text]
// The stored bytes are the contract. Reading loses nothing, moves nothing and interprets no markup.
import { type Block, type Heading, readBlocks } from './blocks.js'
import { readHidden } from './hidden-characters.js'
import { type Badge, plainText } from './runs.js'

export interface ContentsEntry {
  /** The id of the heading. */
  id: number
  level: 2 | 3 | 4
  /** '' without a number. */
  number: string
  words: string
}

export interface ReadableText {
  blocks: readonly Block[]
  /** Empty if the text has fewer than four headings. */
  contents: readonly ContentsEntry[]
  /** The number of hidden characters, and the label of the first as an example. */
  hidden: { count: number; example: string }
  counts: Counts
  /** '' if unknown. */
  language: 'en' | 'fr' | ''
}

const HEADINGS_MIN = 4

/** Reads `text` as stored. Linear in its length; accepts any string. */
export function readText(text: string): ReadableText {
  const lines = splitLines(text).map(readHidden)
  const blocks = readBlocks(lines)
  const badges = lines.flatMap((line) => line.filter((run): run is Badge => typeof run === 'object'))
  return {
    blocks,
    contents: contentsOf(blocks.filter((block) => block.kind === 'heading')),
    hidden: { count: badges.reduce((sum, badge) => sum + badge.count, 0), example: badges[0]?.label ?? '' },
    counts: countText(text),
    language: guessLanguage(text),
  }
}

/** The headings except the title, which is at the top anyway. [ceremony: plain text rule 9] */
function contentsOf(headings: readonly Heading[]): ContentsEntry[] {
  if (headings.length < HEADINGS_MIN) return []
  return headings
    .filter((heading) => !heading.isTitle)
    .map(({ id, level, number, words }) => ({
      id,
      level,
      number: plainText(number).trim(),
      words: plainText(words).trim(),
    }))
}

export interface Counts {
  lines: number
  words: number
  /** Bytes of UTF-8, as stored and hashed. */
  bytes: number
}

/** Lines, words and bytes, for the line that marks the end of the text; every kind of line break counts. [ceremony: plain text rule 9] */
function countText(text: string): Counts {
  return {
    lines: splitLines(text).length,
    words: text.split(/\s+/u).filter((word) => word !== '').length,
    bytes: Buffer.byteLength(text),
  }
}

/** Every kind of line break. [ceremony: plain text rule 1] */
const LINE_BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/

/** The lines without their breaks. A break at the end of the text does not start another line. */
function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Frequent words that neither the other language nor related languages share: "de" or "in" would prove nothing. */
const STOP_WORDS = {
  en: new Set('the of and shall this that with by from any which to not its'.split(' ')),
  fr: new Set('le les des du et est une dans pour par qui aux sur cette au'.split(' ')),
}

/** With fewer hits the language is unknown, as for a title alone. */
const HITS_MIN = 3
/** Minimum share of these words. Text in the language has 20 to 40 %, text in a related language below 5 %. */
const SHARE_MIN = 0.08

/** The value for `lang`, by which a screen reader chooses its voice; '' (unknown) is better than a wrong language. [WCAG 3.1.2] */
export function guessLanguage(text: string): 'en' | 'fr' | '' {
  let words = 0
  const hits = { en: 0, fr: 0 }
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
    words += 1
    if (STOP_WORDS.en.has(word)) hits.en += 1
    else if (STOP_WORDS.fr.has(word)) hits.fr += 1
  }
  const likely = hits.en > hits.fr ? 'en' : 'fr'
  const other = likely === 'en' ? 'fr' : 'en'
  const isClear = hits[likely] >= HITS_MIN && hits[likely] >= words * SHARE_MIN && hits[likely] > 3 * hits[other]
  return isClear ? likely : ''
}
