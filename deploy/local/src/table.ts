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
