// A contract's plain text, ready to be shown: what the page and the PDF are made of. PURE. [ceremony: plain text]
// The bytes are the contract, this is how they are read: nothing is lost, nothing moves, nothing is marked up by its author.
import { readBlocks, type Block, type Heading } from './blocks.js'
import { countText, type Counts } from './counts.js'
import { readHidden } from './hidden-characters.js'
import { guessLanguage } from './language.js'
import { splitLines } from './lines.js'
import { plainText, type Chip } from './runs.js'

export interface ContentsEntry {
  /** Of the heading. */
  id: number
  level: 2 | 3 | 4
  /** '' without a number. */
  number: string
  words: string
}

export interface ReadableText {
  blocks: readonly Block[]
  /** Empty where the text has so few headings that a list would help nobody. */
  contents: readonly ContentsEntry[]
  /** How many characters chips stand for, and the first of them as an example. */
  hidden: { count: number; example: string }
  counts: Counts
  /** '' is not known. */
  language: 'en' | 'fr' | ''
}

const HEADINGS_MIN = 4

/** Reads `text` as stored. Linear in its length; takes any string. */
export function readText(text: string): ReadableText {
  const lines = splitLines(text).map(readHidden)
  const blocks = readBlocks(lines)
  const chips = lines.flatMap((line) => line.filter((run): run is Chip => typeof run === 'object'))
  return {
    blocks,
    contents: contentsOf(blocks.filter((block) => block.kind === 'heading')),
    hidden: { count: chips.reduce((sum, chip) => sum + chip.count, 0), example: chips[0]?.label ?? '' },
    counts: countText(text),
    language: guessLanguage(text),
  }
}

/** The title stands at the top anyway. [ceremony: plain text rule 9] */
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
