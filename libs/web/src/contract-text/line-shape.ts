// Reads the shape of a single line: whether it may be a heading or an item, and where its number or marker ends. blocks.ts decides by the
// neighbouring lines. Pure. [ceremony: plain text rules 3 and 4] A lone "IBM" counts as a heading, which is harmless; a disclaimer in
// capitals must not. A marker is part of the text: it is separated for the hanging indent, never generated.
import { plainText, type Run } from './runs.js'

export interface LineShape {
  runs: Run[]
  /** The visible text: hidden characters neither make nor hide a heading. */
  text: string
  /** True if the line shows nothing; a line of badges is not blank. */
  isBlank: boolean
  heading: HeadingShape | undefined
  item: ItemShape | undefined
}

/** Reads the shape of a line. @param runs the line as `readHidden` returns it */
export function readShape(runs: Run[]): LineShape {
  const text = plainText(runs)
  const isBlank = text.trim() === '' && runs.every((run) => typeof run === 'string')
  return { runs, text, isBlank, heading: readHeading(text), item: readItem(text) }
}

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

/** The shape of a line that may be a heading; `isHeading` decides by the neighbouring lines. */
function readHeading(line: string): HeadingShape | undefined {
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
 * True if a line is a heading among its neighbours. A numbered heading can be anywhere. A heading without a number has no text directly
 * above it and no further line in capitals directly below it (`next`), and is not a long sentence.
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

/** True if at least three letters and at least half are capitals, and none is lowercase: false for Arabic with "CAD" in it. */
function isCapitals(words: string): boolean {
  if (/\p{Ll}/u.test(words)) return false
  const capitals = words.match(/\p{Lu}/gu)?.length ?? 0
  return capitals >= CAPITALS_MIN && capitals >= (words.match(/\p{L}/gu)?.length ?? 0) / 2
}

type ItemKind = `dotted ${number}` | 'number' | 'letter' | 'capital' | 'roman' | 'bullet'

export interface ItemShape {
  kind: ItemKind
  /** Length of indent, marker and the space after it, in characters. */
  markerLength: number
  /** The letters or digits of the marker; '' for a bullet. */
  value: string
  /** True if the marker counts only at the start of a block: "A. Smith" inside a paragraph is a name. */
  isWeak: boolean
}

// One group for the value of each form: (a)  a)  2.1  1.  A.  or a bullet. A marker without words is no item.
const MARKER =
  /^(?:\(([a-zA-Z]{1,6}|\d{1,3})\)|([a-zA-Z]{1,5}|\d{1,3})\)|(\d{1,3}(?:\.\d{1,3}){1,5})\.?|(\d{1,3})\.|([a-zA-Z]{1,5})\.|[-–—•‣◦▪▫■□●○·*+])(?=\s)/
/** One letter, a doubled letter, or a number: "(or)" starts no item. */
const ENUMERATOR = /^(?:([a-zA-Z])\1?|[ivxl]+|[IVXL]+|[\d.]+)$/
const ROMAN = /^[ivxIVX]+$/

/** The shape of a line that starts with a marker and continues with words. */
function readItem(line: string): ItemShape | undefined {
  const text = line.trimStart()
  const match = MARKER.exec(text)
  if (!match) return undefined
  const [marker, inBrackets, beforeBracket, dotted, number, beforeStop] = match
  const value = inBrackets ?? beforeBracket ?? dotted ?? number ?? beforeStop ?? ''
  const words = text.slice(marker.length).trimStart()
  // A row of dashes or stars separates two blocks and is no item.
  if (value === '' ? !/[^-–—•*_=+.\s]/.test(words) : words === '' || !ENUMERATOR.test(value)) return undefined
  return { kind: kindOf(value), markerLength: line.length - words.length, value, isWeak: beforeStop !== undefined }
}

function kindOf(value: string): ItemKind {
  if (value === '') return 'bullet'
  if (value.includes('.')) return `dotted ${value.split('.').length}`
  if (/^\d/.test(value)) return 'number'
  if (ROMAN.test(value)) return 'roman'
  return /^[A-Z]/.test(value) ? 'capital' : 'letter'
}

const DEPTH_MAX = 4

/** Derives the depths of successive items, 1 to 4, from the kinds of their markers, not from indentation. Call `reset` at a heading. */
export function createItemDepths() {
  let open: { kind: ItemKind; value: string }[] = []
  return {
    reset: () => void (open = []),
    depthOf(item: ItemShape): number {
      const kind = kindAmong(open, item)
      const known = open.findIndex((outer) => outer.kind === kind)
      open = [...open.slice(0, known < 0 ? open.length : known), { kind, value: item.value }]
      return Math.min(open.length, DEPTH_MAX)
    },
  }
}

/** (i) is a letter directly after (h), otherwise a Roman number; likewise v after u and x after w. */
function kindAmong(open: readonly { kind: ItemKind; value: string }[], item: ItemShape): ItemKind {
  if (item.kind !== 'roman' || item.value.length > 1) return item.kind
  const before = String.fromCharCode(item.value.charCodeAt(0) - 1)
  return open.find((outer) => outer.value === before)?.kind ?? item.kind
}
