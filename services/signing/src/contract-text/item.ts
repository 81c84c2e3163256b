// Recognises the first line of an item and the end of its marker. Pure. [ceremony: plain text rule 4]
// The marker is part of the contract's text; it is separated for the hanging indent, never generated.

export type ItemKind = `dotted ${number}` | 'number' | 'letter' | 'capital' | 'roman' | 'bullet'

export interface ItemShape {
  kind: ItemKind
  /** Length of indent, marker and the space after it, in characters. */
  markerLength: number
  /** The letters or digits of the marker; '' for a bullet. */
  value: string
  /** The marker counts only at the start of a block: "A. Smith" inside a paragraph is a name. */
  isWeak: boolean
}

// One group for the value of each form: (a)  a)  2.1  1.  A.  or a bullet. A marker without words is no item.
const MARKER =
  /^(?:\(([a-zA-Z]{1,6}|\d{1,3})\)|([a-zA-Z]{1,5}|\d{1,3})\)|(\d{1,3}(?:\.\d{1,3}){1,5})\.?|(\d{1,3})\.|([a-zA-Z]{1,5})\.|[-–—•‣◦▪▫■□●○·*+])(?=\s)/
/** One letter, a doubled letter, or a number: "(or)" starts no item. */
const ENUMERATOR = /^(?:([a-zA-Z])\1?|[ivxl]+|[IVXL]+|[\d.]+)$/
const ROMAN = /^[ivxIVX]+$/

/** The shape of a line that starts with a marker and continues with words. */
export function readItem(line: string): ItemShape | undefined {
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

/** Gives the depths of successive items, 1 to 4, from the kinds of markers since the last heading, not from indentation; call `reset` at a heading. */
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
