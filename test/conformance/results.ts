// The results of the tests that cite a sentence, from the JSON reports of jest.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { citedIn, ROOT } from './specification.js'

/** `missing`: the file was run, and none of its tests cites the sentence. */
export type Verdict = 'pass' | 'fail' | 'missing' | 'not run'

export interface TestResult {
  file: string
  /** The titles of the test's groups and its own title, joined by spaces. */
  title: string
  status: string
}

interface Report {
  testResults: { name: string; assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[]
}

/** @param reports files of jest's JSON reporter, joined by `:`; missing files are ignored */
export const readResults = (reports: string): TestResult[] =>
  reports
    .split(':')
    .filter((path) => existsSync(path))
    .flatMap((path) => (JSON.parse(readFileSync(path, 'utf8')) as Report).testResults)
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ ancestorTitles, title, status }) => ({
        file: relative(ROOT, name).replaceAll('\\', '/'),
        title: [...ancestorTitles, title].join(' '),
        status,
      })),
    )

/** The verdict on the tests of one file that cite the sentence. A skipped test counts as not run. */
function verdictOfFile(results: readonly TestResult[], number: string, file: string): Verdict {
  const ofFile = results.filter((result) => result.file === file)
  if (ofFile.length === 0) return 'not run'
  const statuses = ofFile.filter(({ title }) => citedIn(title).includes(number)).map(({ status }) => status)
  if (statuses.length === 0) return 'missing'
  if (statuses.includes('failed')) return 'fail'
  return statuses.every((status) => status === 'passed') ? 'pass' : 'not run'
}

const WORST_FIRST: readonly Verdict[] = ['missing', 'fail', 'not run']

/** The worst verdict of the files that cite the sentence. */
export function verdictOf(results: readonly TestResult[], number: string, files: readonly string[]): Verdict {
  const verdicts = files.map((file) => verdictOfFile(results, number, file))
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'pass'
}
