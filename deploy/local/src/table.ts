// What the terminal shows when everything answers. Pure.

export interface TableRow {
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
