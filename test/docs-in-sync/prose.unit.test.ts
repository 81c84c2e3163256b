// The writing rules of CONTRIBUTING.md that a machine can check: length of lines and table cells, and the worst habits.
// document-links.unit.test.ts checks links and anchors.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { CELL_WORDS_MAX, wordsIn } from './generated-page.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COLUMNS_MAX = 120
/** Generated tables with sentences of the specification, the specification itself, and records of single runs. */
const RECORDS = /^docs\/internal\/(conformance|specification|fault-runs|chart-rules|asvs|invariants)\.md$/
const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'charts/paraph/README.md',
  'examples/README.md',
  'charts/paraph-trial/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].filter((page) => !RECORDS.test(page))

interface Line {
  place: string
  text: string
}
const isTable = ({ text }: Line): boolean => /^ *\|/.test(text)

/** The lines of a page outside code blocks. */
function linesOf(page: string): Line[] {
  let isCode = false
  return readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .flatMap((text, index) => {
      const isFence = /^ *```/.test(text)
      if (isFence) isCode = !isCode
      return isCode || isFence ? [] : [{ place: `${page}:${index + 1}`, text }]
    })
}

/** Without addresses of links and generated marks, which cannot be wrapped. */
const withoutTargets = (text: string): string => text.replaceAll(/\]\([^)]*\)/g, ']()').replaceAll(/<!--.*-->/g, '')

/** For readers outside the project. */
const isForUsers = (page: string): boolean => !/^(docs\/internal\/|CHANGELOG|CONTRIBUTING)/.test(page)
const HABITS =
  /\b(whoever|works? no more|(is|are) (told|asked|answered)|stands\b(?! for)|for ever|of chance|e-mails?)\b/i
const CITATION = /[([](?:[DFHIP]\d+(?:, )?)+[)\]]/

it(`no line of prose has more than ${COLUMNS_MAX} columns`, () => {
  const long = PAGES.flatMap(linesOf).filter(
    (line) => !isTable(line) && [...withoutTargets(line.text)].length > COLUMNS_MAX,
  )
  expect(long).toEqual([])
})

it(`no cell of a table has more than ${CELL_WORDS_MAX} words`, () => {
  const long = PAGES.filter(isForUsers)
    .flatMap(linesOf)
    .filter(isTable)
    .filter(({ text }) => text.split(/(?<!\\)\|/).some((cell) => wordsIn(cell) > CELL_WORDS_MAX))
  expect(long).toEqual([])
})

it('no page for users has a phrase that reads like a translation', () => {
  expect(
    PAGES.filter(isForUsers)
      .flatMap(linesOf)
      .filter(({ text }) => HABITS.test(text)),
  ).toEqual([])
})

it('no page for users, except an explanation, cites a number of a decision or a rule', () => {
  const pages = PAGES.filter((page) => isForUsers(page) && !page.startsWith('docs/explanation/'))
  expect(pages.flatMap(linesOf).filter(({ text }) => CITATION.test(text))).toEqual([])
})
