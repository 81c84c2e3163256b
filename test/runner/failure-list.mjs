// A reporter for jest: lists each failure in a few lines.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const LINES_MAX = 20
const FRAME = /^\s+at /

/** The text of a failure, and the first stack frame in our own files. */
function linesOf(message) {
  const lines = stripVTControlCharacters(message).split('\n')
  const end = lines.findIndex((line) => FRAME.test(line))
  const text = end < 0 ? lines : lines.slice(0, end)
  const place = lines.find((line) => FRAME.test(line) && !/node_modules|node:internal|<anonymous>\)$/.test(line))
  const shown = text.filter((line) => line.trim() !== '').slice(0, LINES_MAX)
  return place ? [...shown, place.trim().replace(`${process.cwd()}/`, '')] : shown
}

const describeFailure = (name, message) => [`FAILED: ${name}`, ...linesOf(message)].join('\n  ')

function failuresOf({ testFilePath, testExecError, failureMessage, testResults }) {
  const file = relative(process.cwd(), testFilePath)
  const tests = testResults.flatMap(({ ancestorTitles, title, failureMessages }) =>
    failureMessages.map((message) => describeFailure([file, ...ancestorTitles, title].join(' > '), message)),
  )
  // The test file failed to load, or a hook failed after the last test.
  const outside = testExecError ? [describeFailure(file, testExecError.stack ?? failureMessage)] : []
  return [...outside, ...tests]
}

/** Writes the failures to the file that PARAPH_TEST_FAILURES names. The file is empty if nothing failed. */
export default class FailureList {
  onRunComplete(_contexts, { testResults }) {
    writeFileSync(process.env.PARAPH_TEST_FAILURES, testResults.flatMap(failuresOf).join('\n'))
  }
}
