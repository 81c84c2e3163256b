// Generates docs/internal/conformance.md: every sentence of the specification, and the test files that cite its number in a title.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DECISIONS, GAPS, PROMISE_NOTHING } from './notes.js'
import { citedIn, ROOT, SENTENCES } from './specification.js'

/** A string that is the first argument of a call: the title of `it`, `describe` or `it.each(…)`. */
const TITLE = /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs

/** The numbers that the titles of a test file cite; a number appears once for each citing title. */
export const citedByTitles = (source: string): string[] =>
  [...source.matchAll(TITLE)].flatMap(([, , title = '']) => citedIn(title))

/** Number → the test files that cite it; a file appears once for each citing title. */
const filesByNumber = new Map<string, string[]>()
const SEARCH = ['grep', '-lE', '--untracked', 'S[0-9]+\\.[0-9]', '--', '*.test.ts', '*.test.tsx', ':!test/conformance']
for (const file of execFileSync('git', SEARCH, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')) {
  for (const number of citedByTitles(readFileSync(join(ROOT, file), 'utf8'))) {
    filesByNumber.set(number, [...(filesByNumber.get(number) ?? []), file])
  }
}

/** The test files that cite the sentence; a file appears once for each citing title. */
export const filesCiting = (number: string): readonly string[] => filesByNumber.get(number) ?? []

const count = (notes: object) => Object.keys(notes).length
const [all, nothing, open] = [SENTENCES.length, count(PROMISE_NOTHING), count(DECISIONS)]

const INTRODUCTION = `# Conformance

Every sentence of [the specification](specification.md) by number, and the test files that show it. A number names a heading and a place
below it. A test cites the numbers of the sentences that it shows in its title: \`[S4.2]\`, \`[S4.1-3, D5]\`. \`npm run update -- conformance\`
writes this page from the titles. A sentence that no title cites fails the unit tests. A cited test that did not pass fails \`npm test\`.

${all} sentences and rows: ${all - nothing - open} shown, of which ${count(GAPS)} with a gap; ${open} left open by the specification and
decided; ${nothing} that promise nothing.`

/** @returns the whole document */
export function conformancePage(): string {
  const lines = [INTRODUCTION]
  let last = ''
  for (const { number, heading, text } of SENTENCES) {
    if (heading !== last) lines.push(`\n## ${heading}\n`, '| Number | Sentence | Shown by |', '| --- | --- | --- |')
    last = heading
    lines.push(`| ${number} | ${cell(text)} | ${shownBy(number)} |`)
  }
  return `${lines.join('\n')}\n`
}

/** The notes on a sentence, and its test files with the number of titles if there are several. */
function shownBy(number: string): string {
  const lines: string[] = []
  const [reason, decisions, gap] = [PROMISE_NOTHING[number], DECISIONS[number], GAPS[number]]
  if (reason) lines.push(`Promises nothing. ${reason}`)
  if (decisions) lines.push(`Decided: ${decisions.map((id) => `[${id}](decisions/${id}.md)`).join(', ')}`)
  const citing = filesCiting(number)
  for (const file of new Set(citing)) {
    const titles = citing.filter((each) => each === file).length
    const link = `[${basename(file).replace(/\.test\.tsx?$/, '')}](../../${file})`
    lines.push(titles > 1 ? `${link}, ${titles} titles` : link)
  }
  if (gap) lines.push(`Gap: ${gap}`)
  return lines.join('<br>')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('[', '\\[')
