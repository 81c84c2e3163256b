// Every sentence of the specification has a test, which docs/conformance.md names. `npm run update -- conformance` regenerates that page.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { TestReference } from './evidence.js'
import { ROOT } from './root.js'
import { sentencesOf } from './sentences.js'
import { ENTRIES, evidenceOf, SENTENCES, tableOf } from './table.js'
import { readRun, verdictOf, verdictOfEvidence, type Run } from './verdict.js'

const TABLE = join(ROOT, 'docs/conformance.md')
const REPORT = process.env['PARAPH_TEST_REPORT'] ?? join(ROOT, '.cache/test-report.json')

/** Every entry with the sentence that it stands for. */
const PAIRS = Object.entries(ENTRIES).flatMap(([heading, sentences]) =>
  Object.entries(sentences).map(([text, evidence]) => ({ heading, text, evidence })),
)

describe('the specification', () => {
  it('is split into sentences of prose and bullets and rows of tables, each under its heading', () => {
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
      ...['One.', 'Two has `c.d` and 2.0.0 (x): y.', '`Three`', 'Four.', 'Five', 'a | '].map((text) => ({
        heading: 'A b',
        text,
      })),
      { heading: 'C', text: 'Six' },
    ])
  })

  it('has an entry for every sentence, and every entry belongs to an existing sentence', () => {
    const said = new Set(SENTENCES.map(({ heading, text }) => `${heading}: ${text}`))
    expectWithMessage(said.size, 'no sentence occurs twice under one heading').toBe(SENTENCES.length)
    expect(SENTENCES.filter((sentence) => !evidenceOf(sentence))).toEqual([])
    expect(PAIRS.filter(({ heading, text }) => !said.has(`${heading}: ${text}`))).toEqual([])
  })

  it('has a recorded decision for each "not shown"', () => {
    const decisions = readFileSync(join(ROOT, 'docs/decisions.md'), 'utf8')
    const cited = PAIRS.flatMap(({ evidence }) => (evidence.kind === 'decided' ? evidence.decisions : []))
    expect(cited.filter((id) => !decisions.includes(`\n| ${id} `))).toEqual([])
    const open = PAIRS.filter(({ text, evidence }) => text.endsWith('not shown.') !== (evidence.kind === 'decided'))
    expect(open.map(({ text }) => text)).toEqual([])
  })

  it('names only existing tests, by the titles in their files', () => {
    const named = PAIRS.flatMap(({ evidence }) => (evidence.kind === 'explains' ? [] : evidence.tests))
    expect(PAIRS.filter(({ evidence }) => evidence.kind !== 'explains' && evidence.tests.length === 0)).toEqual([])
    const lost = named.filter(({ file, title }) => {
      const path = join(ROOT, file)
      const source = existsSync(path) ? readFileSync(path, 'utf8') : ''
      return !title.split(' > ').every((part) => source.includes(part))
    })
    expect(lost).toEqual([])
  })

  it('is committed as docs/conformance.md with every test passed; `npm run update -- conformance` regenerates it', () => {
    if (process.env['UPDATE_CONFORMANCE'] === '1') {
      const run = readRun(REPORT)
      writeFileSync(
        TABLE,
        tableOf((evidence) => verdictOfEvidence(run, evidence)),
      )
    }
    const passed = tableOf((evidence) => (evidence.kind === 'explains' ? undefined : 'pass'))
    expect(readFileSync(TABLE, 'utf8')).toBe(passed)
  })
})

describe('the verdict on a named test', () => {
  const run: Run = new Map([
    [
      'a.test.ts',
      [
        { path: 'group > one', status: 'passed' },
        { path: 'group > two of 3', status: 'passed' },
        { path: 'group > two of 4', status: 'failed' },
        { path: 'other > three [D1]', status: 'skipped' },
        { path: 'other > four $', status: 'passed' },
      ],
    ],
  ])
  it.each([
    ['one', 'pass'],
    ['group > one', 'pass'],
    ['group', 'fail'],
    ['two of %i', 'fail'],
    ['two of $n', 'fail'],
    ['two of 3', 'pass'],
    ['three [D1]', 'not run'],
    ['other', 'not run'],
    ['on', 'missing'],
    ['five', 'missing'],
  ])('for the title %s is %s', (title, verdict) => {
    const reference: TestReference = { file: 'a.test.ts', title }
    expect(verdictOf(run, reference)).toBe(verdict)
  })

  it('is "not run" for a file that was not part of the run', () => {
    expect(verdictOf(run, { file: 'b.test.ts', title: 'one' })).toBe('not run')
    expect(readRun('/nowhere.json').size).toBe(0)
  })
})
