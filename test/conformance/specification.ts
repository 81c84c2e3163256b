// The sentences of docs/internal/specification.md by number, and the citations of these numbers. `[S4.2]` cites the second sentence below the
// fourth heading. A unit is a sentence of prose or of a bullet, or a row of a table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Sentence {
  /** The number of the heading and the place below this heading, such as `S4.2`. */
  number: string
  /** The nearest heading above, without backquotes. */
  heading: string
  /** The literal text; for a row its cells, joined by ` | `. */
  text: string
}

/** All units in the order of the document. Omits the headers of tables, which promise nothing. */
export function sentencesOf(markdown: string): Sentence[] {
  const sentences: Sentence[] = []
  let [heading, section, place] = ['', 0, 0]
  let isBelowTableHeader = false
  const add = (text: string) => sentences.push({ number: `S${section}.${(place += 1)}`, heading, text })
  for (const line of markdown.split('\n')) {
    const [, title] = /^#+ (.+)$/.exec(line) ?? []
    if (title !== undefined) [heading, section, place] = [title.replaceAll('`', ''), section + 1, 0]
    else if (line.startsWith('|')) {
      if (/^[|\s:-]+$/.test(line)) isBelowTableHeader = true
      else if (isBelowTableHeader) add(cellsOf(line).join(' | '))
    } else {
      isBelowTableHeader = false
      sentencesOfProse(line.replace(/^- /, '')).forEach(add)
    }
  }
  return sentences
}

const cellsOf = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** Splits after each full stop that white space and the possible start of a sentence follow. */
const sentencesOfProse = (line: string): string[] => line.split(/(?<=\.)\s+(?=[A-Z`])/).filter((text) => text !== '')

export const SENTENCES: readonly Sentence[] = sentencesOf(
  readFileSync(join(ROOT, 'docs/internal/specification.md'), 'utf8'),
)

/** The numbers that a text cites in brackets: S4.1, S4.2 and S7.3 for `[S4.1-2, S7.3, D5]`. */
export const citedIn = (text: string): string[] =>
  [...text.matchAll(/\[([^[\]]+)\]/g)]
    .flatMap(([, bracket = '']) => [...bracket.matchAll(/\bS(\d+)\.(\d+)(?:-(\d+))?/g)])
    .flatMap(([, section, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `S${section}.${Number(from) + n}`),
    )
