// The contract's text, counted. PURE. Counted over the stored text; only line breaks of any kind are taken alike.
import { splitLines } from './lines.js'

export interface Counts {
  lines: number
  words: number
  /** Of UTF-8, as stored and hashed. */
  bytes: number
}

/** Lines, words and bytes, as the end line of the page shows them. [ceremony: plain text rule 9] */
export function countText(text: string): Counts {
  return {
    lines: splitLines(text).length,
    words: text.split(/\s+/u).filter((word) => word !== '').length,
    bytes: Buffer.byteLength(text),
  }
}
