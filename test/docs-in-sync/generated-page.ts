// Builds the generated parts of documents: no long cells, and no citations, which help only readers of the code.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MARK = /^<!-- Below this line:.*-->\n/m
/** The longest cell that a table of a document may have. */
export const CELL_WORDS_MAX = 25

/** The number of words of a text. */
export const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

/** `text` without citations such as `[D16]`, `(P9)` or `[D30, H13]`. */
export const withoutCitations = (text: string): string =>
  text.replaceAll(/ ?[([](?:[DFHIP]\d+(?:-[DFHIP]?\d+)?(?:, )?)+[)\]]/g, '')

/** Turns names of documents, such as `docs/reference/limits.md`, into links from `page`. Both paths begin at the root. */
export const withLinks = (text: string, page: string): string =>
  text.replaceAll(
    /(?<![\w`/])docs\/[\w./-]+\.md/g,
    (target) => `[${target.split('/').at(-1)!}](${relative(dirname(page), target)})`,
  )

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A table that Prettier leaves unpadded. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  ['<!-- prettier-ignore -->', row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

/**
 * A table, with a list below it of what does not fit into cells of 25 words. Each item begins with the first cell of its row.
 * @throws Error if the first sentence of a cell is too long
 */
export function tableWithNotes(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const notes: string[] = []
  const cells = rows.map((each) =>
    each.map((text) => {
      const [start, rest] = split(text)
      if (rest !== '') notes.push(`- ${each[0]!}: ${rest}`)
      return start
    }),
  )
  return [table(heads, cells), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
}

/** The sentences that fit into a cell, and the others. */
function split(text: string): [start: string, rest: string] {
  if (wordsIn(text) <= CELL_WORDS_MAX) return [text, '']
  const sentences = text.split(/(?<=[.!?])\s+(?=[A-Z`])/)
  let count = sentences.length
  while (count > 0 && wordsIn(sentences.slice(0, count).join(' ')) > CELL_WORDS_MAX) count--
  if (count === 0) throw new Error(`Shorten the first sentence to ${CELL_WORDS_MAX} words: ${text}`)
  return [sentences.slice(0, count).join(' '), sentences.slice(count).join(' ')]
}

/**
 * Checks that `sections` follow the mark of `page`, a path from the root. `npm run update -- NAME` writes them instead.
 * @param name the name of the command
 */
export async function expectGenerated(page: string, name: string, sections: readonly string[]): Promise<void> {
  const path = `${ROOT}${page}`
  const text = readFileSync(path, 'utf8')
  const head = text.slice(0, text.search(MARK)) + MARK.exec(text)![0]
  const config = await resolveConfig(path)
  const wanted = await format([head, ...sections].join('\n\n'), { ...config, proseWrap: 'always', filepath: path })
  if (process.env[`UPDATE_${name.toUpperCase()}`] !== undefined) writeFileSync(path, wanted)
  expectWithMessage(readFileSync(path, 'utf8'), `Run \`npm run update -- ${name}\`.`).toBe(wanted)
}
