// Text for people at a terminal: aligned columns, styles, instants, and untrusted text made harmless.
import { stripVTControlCharacters, styleText } from 'node:util'

/** The cells of one line. */
export type TableRow = readonly string[]

// styleText leaves the style out unless standard output is a terminal, and where NO_COLOR is set.
export const bold = (text: string): string => styleText('bold', text)
export const dim = (text: string): string => styleText('dim', text)
export const underlined = (text: string): string => styleText('underline', text)

const widthOf = (cell: string): number => stripVTControlCharacters(cell).length

/** Formats rows in aligned columns, indented by two spaces. Cells may have styles. The last cell of a row widens no column. */
export function formatTable(rows: readonly TableRow[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, widthOf(cell))
  const pad = (cell: string, at: number) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell))
  return rows
    .map((row) => {
      const start = `  ${row.slice(0, -1).map(pad).join('  ')}${row.length > 1 ? '  ' : ''}`
      // The lines of a long text stay below each other.
      return `${start}${(row.at(-1) ?? '').replaceAll('\n', `\n${' '.repeat(widthOf(start))}`)}`.trimEnd()
    })
    .join('\n')
}

/** A list below bold heads, or the sentence `none` if there are no rows. The cells are untrusted; null is shown as a hyphen. */
export const formatList = (
  heads: TableRow,
  rows: readonly (readonly (string | null | undefined)[])[],
  none: string,
): string =>
  rows.length === 0
    ? none
    : formatTable([heads.map(bold), ...rows.map((row) => row.map((cell) => onOneLine(cell ?? '-')))])

/** The fields of one object, each after its bold name. The values are untrusted; fields without a value are left out. */
export const formatRecord = (fields: Readonly<Record<string, string | null | undefined>>): string =>
  formatTable(
    Object.entries(fields).flatMap(([name, value]) => (value ? [[bold(name), forTerminal(value)] as const] : [])),
  )

type Instant = string | Date | null | undefined

/** An instant in UTC, to the second: `2026-11-26 22:21:09`. Null without an instant. */
export const secondOf = (instant: Instant): string | null =>
  instant ? new Date(instant).toISOString().slice(0, 19).replace('T', ' ') : null

/** An instant in UTC, to the minute: `2026-11-26 22:21`. Null without an instant. */
export const minuteOf = (instant: Instant): string | null => secondOf(instant)?.slice(0, 16) ?? null

/** Escapes untrusted text, so that no character moves the cursor, colours the screen or reverses a line. */
export const forTerminal = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })

const onOneLine = (text: string): string => forTerminal(text).replaceAll('\n', ' ')

/** Indents every line of `text` by four spaces. */
export const indented = (text: string): string => text.replace(/^/gm, '    ')
