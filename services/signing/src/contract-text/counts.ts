// Counts the stored text of a contract. Pure.
import { splitLines } from './lines.js'

export interface Counts {
  lines: number
  words: number
  /** Bytes of UTF-8, as stored and hashed. */
  bytes: number
}

/** Lines, words and bytes for the end line of the page; every kind of line break counts. [ceremony: plain text rule 9] */
export function countText(text: string): Counts {
  return {
    lines: splitLines(text).length,
    words: text.split(/\s+/u).filter((word) => word !== '').length,
    bytes: Buffer.byteLength(text),
  }
}
