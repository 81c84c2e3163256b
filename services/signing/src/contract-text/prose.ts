// Which lines are prose that its author's machine wrapped, and may be wrapped anew on a phone. PURE. [ceremony: plain text rule 5]
import type { LineShape } from './line-shape.js'

const LENGTH_MIN = 50
const LENGTH_MAX = 110
const LINES_MIN = { paragraph: 3, item: 2 }

/**
 * True where every line but the last is about as long as a line of print. A paragraph has three of them or more and no indent: two
 * may be an address. An item's second line proves it already, and may hang below its marker.
 */
export function isProse(lines: readonly LineShape[], kind: 'paragraph' | 'item'): boolean {
  if (lines.length < LINES_MIN[kind]) return false
  return lines.every(({ text }, index) => {
    if (kind === 'paragraph' && /^\s/.test(text)) return false
    const { length } = text.trim()
    return length <= LENGTH_MAX && (length >= LENGTH_MIN || index === lines.length - 1)
  })
}
