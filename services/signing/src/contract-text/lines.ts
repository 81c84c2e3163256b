// Splits a text into lines at every kind of line break. Pure. [ceremony: plain text rule 1]

const LINE_BREAK = /\r\n|[\n\r\u000B\u000C\u0085\u2028\u2029]/

/** The lines without their breaks. A break at the end of the text does not start another line. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
