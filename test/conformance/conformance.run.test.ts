// Checks after a run (test/runner/run.mjs) that all tests that cite a sentence of the specification passed. A partial run may omit some.
import { expect, it } from '@jest/globals'
import { print } from '../harness/print.js'
import { filesCiting } from './matrix.js'
import { PROMISE_NOTHING } from './notes.js'
import { readResults, verdictOf } from './results.js'
import { SENTENCES } from './specification.js'

const results = readResults(process.env['PARAPH_TEST_REPORTS'] ?? '')
/** True if the run omitted tests on purpose: the deep tier, or tests with requirements that the machine lacks. */
const isPartial = process.env['PARAPH_TEST_PARTIAL'] === '1'

it('the run passed the tests of every sentence of the specification [docs/internal/conformance.md]', () => {
  const verdicts = SENTENCES.filter(({ number }) => !(number in PROMISE_NOTHING)).map(({ number, text }) => ({
    sentence: `${number}: ${text}`,
    verdict: verdictOf(results, number, filesCiting(number)),
  }))
  const of = (...wanted: unknown[]) => verdicts.filter(({ verdict }) => wanted.includes(verdict))
  print(
    `conformance: ${of('pass').length} sentences shown, ${of('not run').length} not run, ${of('fail', 'missing').length} not shown`,
  )
  const bad = of('fail', 'missing', ...(isPartial ? [] : ['not run']))
  expect(bad.map(({ verdict, sentence }) => `${verdict}: ${sentence}`)).toEqual([])
})
