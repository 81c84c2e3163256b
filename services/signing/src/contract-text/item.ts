// Which line begins an item, and where its marker ends. PURE. [ceremony: plain text rule 4]
// The marker is contract text: it is told apart so that the words can hang beside it, and never made anew.

export type ItemKind = `dotted ${number}` | 'number' | 'letter' | 'capital' | 'roman' | 'bullet'

export interface ItemShape {
  kind: ItemKind
  /** Characters of the line up to the words: indent, marker and the space behind it. */
  markerLength: number
  /** The letters or figures inside the marker; '' in a bullet. */
  value: string
  /** "A. Smith" inside a paragraph is a name: such a marker counts only where a block begins. */
  isWeak: boolean
}

// A group for the value of each form: (a)  a)  2.1  1.  A.  or a bullet. A marker alone, without words, is none.
const MARKER =
  /^(?:\(([a-zA-Z]{1,6}|\d{1,3})\)|([a-zA-Z]{1,5}|\d{1,3})\)|(\d{1,3}(?:\.\d{1,3}){1,5})\.?|(\d{1,3})\.|([a-zA-Z]{1,5})\.|[-–—•‣◦▪▫■□●○·*+])(?=\s)/
/** One letter, a doubled one, or a Roman number: "(or)" begins no item. */
const COUNTS = /^(?:([a-zA-Z])\1?|[ivxl]+|[IVXL]+|[\d.]+)$/
const ROMAN = /^[ivxIVX]+$/

/** The shape of a line that begins with an item's marker and goes on with words. */
export function readItem(line: string): ItemShape | undefined {
  const text = line.trimStart()
  const match = MARKER.exec(text)
  if (!match) return undefined
  const [marker, inBrackets, beforeBracket, dotted, number, beforeStop] = match
  const value = inBrackets ?? beforeBracket ?? dotted ?? number ?? beforeStop ?? ''
  const words = text.slice(marker.length).trimStart()
  // A row of dashes or stars parts two blocks; it lists nothing.
  if (value === '' ? !/[^-–—•*_=+.\s]/.test(words) : words === '' || !COUNTS.test(value)) return undefined
  return {
    kind: kindOf(value),
    markerLength: line.length - words.length,
    value,
    isWeak: beforeStop !== undefined,
  }
}

function kindOf(value: string): ItemKind {
  if (value === '') return 'bullet'
  if (value.includes('.')) return `dotted ${value.split('.').length}`
  if (/^\d/.test(value)) return 'number'
  if (ROMAN.test(value)) return 'roman'
  return /^[A-Z]/.test(value) ? 'capital' : 'letter'
}
