// Facts as text for a terminal, in aligned columns. Pure.

interface TableRow {
  name: string
  value: string
  /** What it is good for, in a few words. */
  note?: string
}

/** Rows in aligned columns, two spaces in. */
export function formatTable(rows: readonly TableRow[]): string {
  const nameWidth = Math.max(...rows.map(({ name }) => name.length))
  // Notes stand in one column unless a value is unusually long.
  const valueWidth = Math.max(...rows.filter(({ note }) => note).map(({ value }) => value.length), 0)
  return rows
    .map(({ name, value, note }) =>
      `  ${name.padEnd(nameWidth)}  ${note ? `${value.padEnd(valueWidth)}  ${note}` : value}`.trimEnd(),
    )
    .join('\n')
}

/** Every fact of an object as a row; what is nested, as JSON. */
export function factsOf(facts: object): TableRow[] {
  return Object.entries(facts).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}

/** A stranger's words: no character of theirs may move the cursor, colour the screen or turn a line around. */
export const forTerminal = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
