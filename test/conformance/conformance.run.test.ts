// After a run (test/runner/run.mjs): did every test that docs/conformance.md names pass? Tests that were not run are reported, not failed.
import { expect, it } from '@jest/globals'
import { evidenceOf, SENTENCES } from './table.js'
import { readRun, verdictOfEvidence } from './verdict.js'
import { print } from '../harness/print.js'

const run = readRun(process.env['PARAPH_TEST_REPORTS'] ?? '')
/** A part of the tests was excluded on purpose: the deep tier, or tests with requirements that the machine lacks. */
const isPartial = process.env['PARAPH_TEST_PARTIAL'] === '1'

it('the run passed the tests of every sentence of the specification [docs/conformance.md]', () => {
  const verdicts = SENTENCES.flatMap((sentence) => {
    const evidence = evidenceOf(sentence)
    return evidence ? [{ sentence, verdict: verdictOfEvidence(run, evidence) }] : []
  })
  const of = (...wanted: unknown[]) => verdicts.filter(({ verdict }) => wanted.includes(verdict))
  print(
    `conformance: ${of('pass').length} sentences shown, ${of('not run').length} not run, ${of('fail', 'missing').length} not shown`,
  )
  const bad = of('fail', 'missing', ...(isPartial ? [] : ['not run']))
  expect(bad.map(({ sentence, verdict }) => `${verdict}: ${sentence.heading}: ${sentence.text}`)).toEqual([])
})
