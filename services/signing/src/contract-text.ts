// The contract's text, counted. PURE. Counted over the stored text; only line breaks of any kind are taken alike.

const LINE_BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/

/** Lines, words and bytes of UTF-8, as the end line of the page shows them. */
export function countText(content: string): { lines: number; words: number; bytes: number } {
  const lines = content.split(LINE_BREAK)
  // A break at the very end closes the last line; it does not begin another.
  if (lines.at(-1) === '') lines.pop()
  return {
    lines: lines.length,
    words: content.split(/\s+/u).filter((word) => word !== '').length,
    bytes: Buffer.byteLength(content),
  }
}
