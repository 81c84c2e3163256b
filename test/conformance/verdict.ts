// The result of a named test in a test run. Reads the JSON report of jest.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Evidence, TestReference } from './evidence.js'
import { ROOT } from './root.js'

/** `missing`: the file was run, and has no such test. */
export type Verdict = 'pass' | 'fail' | 'missing' | 'not run'

/** The tests of each file that was run. */
export type Run = ReadonlyMap<string, readonly { path: string; status: string }[]>

interface Report {
  testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[]
}

/** @param reports files of jest's JSON reporter, joined by `:`; missing files are ignored */
export function readRun(reports: string): Run {
  const run = new Map<string, { path: string; status: string }[]>()
  for (const report of reports.split(':').filter((path) => existsSync(path))) {
    for (const { name, assertionResults } of (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults) {
      const file = relative(ROOT, name).replaceAll('\\', '/')
      const tests = assertionResults.map(({ ancestorTitles, title, status }) => ({
        path: [...ancestorTitles, title].join(' > '),
        status,
      }))
      run.set(file, [...(run.get(file) ?? []), ...tests])
    }
  }
  return run
}

/** A table of tests has passed when all of its rows have. A skipped test counts as not run. */
export function verdictOf(run: Run, { file, title }: TestReference): Verdict {
  const tests = run.get(file)
  if (!tests) return 'not run'
  const pattern = patternOf(title)
  const statuses = tests.filter(({ path }) => pattern.test(path)).map(({ status }) => status)
  if (statuses.length === 0) return 'missing'
  if (statuses.includes('failed')) return 'fail'
  return statuses.every((status) => status === 'passed') ? 'pass' : 'not run'
}

const RANK: readonly Verdict[] = ['missing', 'fail', 'not run', 'pass']

/** The worst result of its tests; undefined if it needs none. */
export function verdictOfEvidence(run: Run, evidence: Evidence): Verdict | undefined {
  if (evidence.kind === 'explains') return undefined
  const verdicts = evidence.tests.map((test) => verdictOf(run, test))
  return RANK.find((verdict) => verdicts.includes(verdict))
}

/** Matches whole titles only, of a group or of a test; placeholders match any text. */
function patternOf(title: string): RegExp {
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sdifjo]|\\\$\w+/g, '.*')
  return new RegExp(`(?:^| > )${literal}(?: > |$)`, 's')
}
