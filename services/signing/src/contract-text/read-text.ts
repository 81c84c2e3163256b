// Reads a contract's plain text into the form that page and PDF show. Pure. [ceremony: plain text]
// The stored bytes are the contract. Reading loses nothing, moves nothing and interprets no markup.
import { readBlocks, type Block, type Heading } from './blocks.js'
import { countText, type Counts } from './counts.js'
import { readHidden } from './hidden-characters.js'
import { guessLanguage } from './language.js'
import { splitLines } from './lines.js'
import { plainText, type Badge } from './runs.js'

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

/** Reads `text` as stored. Linear in its length; takes any string. */
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
