// Checks that test titles cite every sentence of the specification by its number, and that docs/internal/conformance.md lists their files.
// test/docs-in-sync/citations.unit.test.ts reports cited numbers that do not exist.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { citedByTitles, conformancePage, filesCiting } from './matrix.js'
import { DECISIONS, GAPS, PROMISE_NOTHING } from './notes.js'
import { readResults, verdictOf, type TestResult } from './results.js'
import { citedIn, ROOT, SENTENCES, sentencesOf } from './specification.js'

const PAGE = join(ROOT, 'docs/internal/conformance.md')

describe('the specification', () => {
  it('is split into numbered units below each heading: sentences of prose and bullets, and rows of tables', () => {
    const markdown = [
      '## A `b`',
      'One. Two has `c.d` and 2.0.0 (x): y. `Three`',
      '- Four. Five',
      '| h | i |',
      '|---|---|',
      '| a | |',
      '### C',
      'Six',
    ]
    expect(sentencesOf(markdown.join('\n'))).toEqual([
      ...['One.', 'Two has `c.d` and 2.0.0 (x): y.', '`Three`', 'Four.', 'Five', 'a | '].map((text, at) => ({
        number: `S1.${at + 1}`,
        heading: 'A b',
        text,
      })),
      { number: 'S2.1', heading: 'C', text: 'Six' },
    ])
  })

  it('is cited by test titles, sentence by sentence, except where it promises nothing', () => {
    const uncited = SENTENCES.filter(({ number }) => filesCiting(number).length === 0)
    expect(uncited.map(({ number, text }) => `${number}: ${text}`)).toEqual(
      SENTENCES.filter(({ number }) => number in PROMISE_NOTHING).map(({ number, text }) => `${number}: ${text}`),
    )
  })

  it('contains every sentence for which notes.ts has a note', () => {
    const numbers = SENTENCES.map(({ number }) => number)
    expect(Object.keys({ ...PROMISE_NOTHING, ...GAPS, ...DECISIONS }).filter((key) => !numbers.includes(key))).toEqual(
      [],
    )
  })

  it('has a recorded decision for each sentence that ends with "not shown"', () => {
    const ids = Object.values(DECISIONS).flat()
    expect(ids.filter((id) => !existsSync(join(ROOT, `docs/internal/decisions/${id}.md`)))).toEqual([])
    const open = SENTENCES.filter(({ text }) => text.endsWith('not shown.'))
    expect(open.map(({ number }) => number)).toEqual(Object.keys(DECISIONS))
  })

  it('is listed in docs/internal/conformance.md with the citing test files of each sentence', () => {
    if (process.env['UPDATE_CONFORMANCE'] === '1') writeFileSync(PAGE, conformancePage())
    expectWithMessage(readFileSync(PAGE, 'utf8'), 'npm run update -- conformance').toBe(conformancePage())
  })
})

describe('a citation', () => {
  it('is in brackets, alone or in a list, as a number or a range', () => {
    expect(citedIn('a [S4.1-3, S12.10, D5] of S9.9 [D6] [S2.2]')).toEqual(['S4.1', 'S4.2', 'S4.3', 'S12.10', 'S2.2'])
  })

  it('counts in the titles of tests and groups, and nowhere else', () => {
    const source = [
      '// Comment [S2.1]',
      "describe('group [S2.2]', () => {",
      "  it('has [brackets] (and more) [S2.3, S2.2]', () => {",
      "    const text = 'text [S2.4]'",
      "  it.each([1, 2])('row %i [S2.5]', () => {",
      '  it.each(rows)(',
      '    "the row\'s [S2.6]",',
    ]
    expect(citedByTitles(source.join('\n'))).toEqual(['S2.2', 'S2.3', 'S2.2', 'S2.5', 'S2.6'])
  })
})

describe('the verdict on a sentence', () => {
  const results: TestResult[] = [
    { file: 'a.test.ts', title: 'group one [S1.1]', status: 'passed' },
    { file: 'a.test.ts', title: 'group [S4.2-4] two', status: 'passed' },
    { file: 'a.test.ts', title: 'group [S4.2-4] three [S2.1]', status: 'failed' },
    { file: 'a.test.ts', title: 'four [S2.2]', status: 'skipped' },
    { file: 'b.test.ts', title: 'five [S1.1, S2.2]', status: 'passed' },
  ]
  it.each([
    ['S1.1', ['a.test.ts'], 'pass'],
    ['S1.1', ['a.test.ts', 'b.test.ts'], 'pass'],
    ['S1.1', ['a.test.ts', 'c.test.ts'], 'not run'],
    ['S4.3', ['a.test.ts'], 'fail'],
    ['S4.3', ['a.test.ts', 'c.test.ts'], 'fail'],
    ['S2.2', ['a.test.ts', 'b.test.ts'], 'not run'],
    ['S9.9', ['a.test.ts'], 'missing'],
    ['S9.9', ['c.test.ts'], 'not run'],
  ])('%s with the citing files %j is "%s"', (number, files, verdict) => {
    expect(verdictOf(results, number, files)).toBe(verdict)
  })

  it('ignores reports that do not exist', () => {
    expect(readResults('/nowhere.json:/neither.json')).toEqual([])
  })
})
