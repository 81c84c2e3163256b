// Splits docs/specification.md into units: a sentence of prose or of a bullet, or a row of a table. Pure.
// The claim "every sentence has a test" becomes countable; entries-*.ts map the units to tests.

export interface Sentence {
  /** The nearest heading above, without backquotes. */
  heading: string
  /** The literal text; for a row its cells, joined by ` | `. */
  text: string
}

/** All units in the order of the document. The header of a table promises nothing and is left out. */
export function sentencesOf(markdown: string): Sentence[] {
  const sentences: Sentence[] = []
  let heading = ''
  let isBelowTableHeader = false
  for (const line of markdown.split('\n')) {
    const [, title] = /^#+ (.+)$/.exec(line) ?? []
    if (title !== undefined) heading = title.replaceAll('`', '')
    else if (line.startsWith('|')) {
      if (/^[|\s:-]+$/.test(line)) isBelowTableHeader = true
      else if (isBelowTableHeader) sentences.push({ heading, text: cellsOf(line).join(' | ') })
    } else {
      isBelowTableHeader = false
      for (const text of sentencesOfProse(line.replace(/^- /, ''))) sentences.push({ heading, text })
    }
  }
  return sentences
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** A full stop, then a space, then the possible start of a sentence. */
const sentencesOfProse = (line: string): string[] => line.split(/(?<=\.)\s+(?=[A-Z`])/).filter((text) => text !== '')
