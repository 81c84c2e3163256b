// Recognises hard-wrapped prose, which a phone may wrap differently. Pure. [ceremony: plain text rule 5]
import type { LineShape } from './line-shape.js'

const LENGTH_MIN = 50
const LENGTH_MAX = 110
const LINES_MIN = { paragraph: 3, item: 2 }

/**
 * True if every line except the last is about as long as a printed line. A paragraph needs three lines and no indent, because two
 * lines may be an address. An item needs two lines, and the second may be indented below its marker.
 */
export function isProse(lines: readonly LineShape[], kind: 'paragraph' | 'item'): boolean {
  if (lines.length < LINES_MIN[kind]) return false
  return lines.every(({ text }, index) => {
    if (kind === 'paragraph' && /^\s/.test(text)) return false
    const { length } = text.trim()
    return length <= LENGTH_MAX && (length >= LENGTH_MIN || index === lines.length - 1)
  })
}
