// Recognises headings and the end of their numbers. Pure. [ceremony: plain text rule 3]
// A lone "IBM" counts as a heading, which harms nobody. A disclaimer in capitals must not.

export interface HeadingShape {
  /** Length of indent, number and the space after it, in characters; 0 without a number. */
  numberLength: number
  /** "1." is 1, "1.1" is 2; Roman numbers, letters and no number are 1. */
  depth: number
  isNumbered: boolean
}

const LENGTH_MIN = 3
const LENGTH_MAX = 120
const CAPITALS_MIN = 3
/** A line of this length that ends in a full stop is a sentence. */
const SENTENCE_LENGTH_MIN = 60

const KEYWORD =
  'ARTICLE|SECTION|CLAUSE|PART|CHAPTER|TITLE|SCHEDULE|ANNEX|APPENDIX|EXHIBIT|ADDENDUM|PARTIE|CHAPITRE|TITRE|ANNEXE|APPENDICE|AVENANT'
const NUMBER = new RegExp(
  '^(?:' +
    [
      // ARTICLE 1 -, ARTICLE 1er, SECTION 2.1, SCHEDULE A:, ANNEXE IV
      `(?:${KEYWORD})\\s{1,9}(?:\\d{1,3}(?:\\.\\d{1,3}){0,5}(?:er|re)?|[IVXLCDM]{1,7}|[A-Z])(?:\\s{0,9}[-–—:.)]|(?=\\s|$))`,
      // 1.1 and 1.1., 1. and 1 -, IV., A.
      '\\d{1,3}(?:\\.\\d{1,3}){1,5}\\.?(?=\\s)',
      '\\d{1,3}(?:\\.|\\s{1,9}[-–—])(?=\\s)',
      '(?:[IVXLCDM]{1,7}|[A-Z])\\.(?=\\s)',
    ].join('|') +
    ')',
)

/** The shape of a line that may be a heading; `isHeading` decides from its place. */
export function readHeading(line: string): HeadingShape | undefined {
  const trimmed = line.trim()
  if (trimmed.length < LENGTH_MIN || trimmed.length > LENGTH_MAX || /[;,]$/.test(trimmed)) return undefined
  const number = NUMBER.exec(trimmed)?.[0]
  const words = trimmed.slice(number?.length ?? 0).trimStart()
  // "ARTICLE 1" needs no further words.
  if (words !== '' && !isCapitals(words)) return undefined
  const indent = line.length - line.trimStart().length
  return {
    numberLength: number === undefined ? 0 : indent + trimmed.length - words.length,
    depth: /\d+(?:\.\d+)*/.exec(number ?? '')?.[0].split('.').length ?? 1,
    isNumbered: number !== undefined,
  }
}

/**
 * True if a line is a heading in its place. A numbered heading can be anywhere. Another one has no text directly above it and no
 * further line in capitals directly below it (`next`), and is not a long sentence.
 */
export function isHeading(
  heading: HeadingShape,
  line: string,
  { isBelowText, next }: { isBelowText: boolean; next: HeadingShape | undefined },
): boolean {
  if (heading.isNumbered) return true
  const trimmed = line.trim()
  if (trimmed.length >= SENTENCE_LENGTH_MIN && trimmed.endsWith('.')) return false
  return !isBelowText && (next === undefined || next.isNumbered)
}

/** No lowercase letter, at least three capitals, and at least half of the letters: Arabic with "CAD" in it does not pass. */
function isCapitals(words: string): boolean {
  if (/\p{Ll}/u.test(words)) return false
  const capitals = words.match(/\p{Lu}/gu)?.length ?? 0
  return capitals >= CAPITALS_MIN && capitals >= (words.match(/\p{L}/gu)?.length ?? 0) / 2
}
