// docs/conformance.md: every sentence of the specification, the tests that show it, and their results in the last run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTRACT_ENTRIES } from './entries-contract.js'
import { INTERFACE_ENTRIES } from './entries-interface.js'
import type { Entries, Evidence, TestReference } from './evidence.js'
import { ROOT } from './root.js'
import { sentencesOf, type Sentence } from './sentences.js'
import type { Verdict } from './verdict.js'

export const ENTRIES: Entries = { ...CONTRACT_ENTRIES, ...INTERFACE_ENTRIES }
export const SENTENCES: readonly Sentence[] = sentencesOf(readFileSync(join(ROOT, 'docs/specification.md'), 'utf8'))

export const evidenceOf = ({ heading, text }: Sentence): Evidence | undefined => ENTRIES[heading]?.[text]

const INTRODUCTION = `# Conformance

Every sentence of [the specification](specification.md), the tests that show it, and the result of the last full run. This page is made
by \`npm run update -- conformance\` from the mapping in \`test/conformance\` and the results of the last \`npm test\`. A sentence without an entry
fails the unit tests; a named test that did not pass fails \`npm test\`; what a run left out is "not run".
`

/** @param resultOf the result of a piece of evidence; undefined if it needs no test */
export function tableOf(resultOf: (evidence: Evidence) => Verdict | undefined): string {
  const lines = [INTRODUCTION, summary(resultOf)]
  let heading = ''
  for (const sentence of SENTENCES) {
    if (sentence.heading !== heading) {
      heading = sentence.heading
      lines.push(`\n## ${heading}\n`, '| Sentence | Shown by | Result |', '| --- | --- | --- |')
    }
    const evidence = evidenceOf(sentence)
    if (!evidence) throw new Error(`No entry under "${heading}" for: ${sentence.text}`)
    lines.push(`| ${cell(sentence.text)} | ${shownBy(evidence)} | ${resultOf(evidence) ?? ''} |`)
  }
  return `${lines.join('\n')}\n`
}

function summary(resultOf: (evidence: Evidence) => Verdict | undefined): string {
  const all = SENTENCES.map((sentence) => evidenceOf(sentence)).filter((evidence) => evidence !== undefined)
  const count = (is: (evidence: Evidence) => boolean) => all.filter(is).length
  return [
    `${all.length} sentences and rows: ${count(({ kind }) => kind === 'shown')} shown, of which`,
    `${count((evidence) => evidence.kind === 'shown' && evidence.gap !== undefined)} with a gap;`,
    `${count(({ kind }) => kind === 'decided')} left open by the specification and decided;`,
    `${count(({ kind }) => kind === 'explains')} that promise nothing.`,
    `${count((evidence) => resultOf(evidence) === 'pass')} passed.`,
  ].join(' ')
}

function shownBy(evidence: Evidence): string {
  if (evidence.kind === 'explains') return `Promises nothing. ${cell(evidence.reason)}`
  const tests = evidence.tests.map(reference)
  if (evidence.kind === 'shown') return [...tests, ...(evidence.gap ? [`Gap: ${cell(evidence.gap)}`] : [])].join('<br>')
  return [`Decided: ${evidence.decisions.map((id) => `[${id}](decisions.md)`).join(', ')}`, ...tests].join('<br>')
}

const reference = ({ file, title }: TestReference): string =>
  `[${/([^/]+)\.test\.tsx?$/.exec(file)?.[1]}](../${file}): ${cell(title)}`

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('[', '\\[').replaceAll(' > ', ': ')
