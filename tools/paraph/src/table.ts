// Aligned columns of text for a terminal. Pure.

/** A row; the optional note is a third column. */
export type TableRow = readonly [name: string, value: string, note?: string]

/** Formats rows in aligned columns, indented by two spaces. */
export function formatTable(rows: readonly TableRow[]): string {
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  // Notes share one column.
  const valueWidth = Math.max(...rows.filter(([, , note]) => note).map(([, value]) => value.length), 0)
  return rows
    .map(([name, value, note]) =>
      `  ${name.padEnd(nameWidth)}  ${note ? `${value.padEnd(valueWidth)}  ${note}` : value}`.trimEnd(),
    )
    .join('\n')
}

/** One row per property; nested values as JSON. */
export const rowsOf = (data: object): TableRow[] =>
  Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])

/** Escapes untrusted text, so that no character moves the cursor, colours the screen or reverses a line. */
export const forTerminal = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })

/** Indents every line of `text` by four spaces. */
export const indented = (text: string): string => text.replace(/^/gm, '    ')
