// One line of a CSV file. [RFC 4180] Pure.

/** A spreadsheet runs a cell that begins so as a formula, also after spaces; the wide signs too. [CWE-1236] */
const FORMULA = /^\s*[=+\-@＝＋－＠\t\r]/

/** Each cell is quoted; an apostrophe before a text that a spreadsheet would run makes it text. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : quoted(cell ?? ''))).join(',')}\r\n`

const quoted = (text: string): string => `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`
