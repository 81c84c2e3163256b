// Lines of a contract's text, whichever line break its author's machine wrote. PURE. [ceremony: plain text rule 1]

const LINE_BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/

/** The lines without their breaks. A break at the very end closes the last line; it does not begin another. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
