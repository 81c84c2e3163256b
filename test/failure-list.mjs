// A reporter for vitest: what failed, in as many lines as say what happened. vitest's JSON keeps a file or group whose preparation
// failed without its error.
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const LINES_MAX = 20

const say = (name, { message, diff, stacks = [] }) => {
  const [stack] = stacks
  const where = stack ? [`at ${relative(process.cwd(), stack.file)}:${stack.line}`] : []
  const lines = [message, ...where, ...(diff ? [diff] : [])]
    .join('\n')
    .replaceAll(/\u001b\[[\d;]*m/g, '')
    .split('\n')
  return [`FAILED: ${name}`, ...lines.slice(0, LINES_MAX)].join('\n  ')
}

/** @returns a block of lines for every test that failed, and for every file and group whose preparation or end did */
function readFailures(testModules, unhandledErrors) {
  const ofModule = (testModule) => {
    const file = relative(process.cwd(), testModule.moduleId)
    const parts = [...testModule.children.allSuites(), ...testModule.children.allTests()]
    const told = parts.flatMap((part) => {
      const errors = part.type === 'suite' ? part.errors() : (part.result().errors ?? [])
      return errors.map((error) => say(`${file} > ${part.fullName}`, error))
    })
    return [...testModule.errors().map((error) => say(file, error)), ...told]
  }
  const outside = unhandledErrors.map((error) => say('outside any test', error))
  return [...testModules.flatMap(ofModule), ...outside]
}

/** Writes to PARAPH_TEST_FAILURES, which is empty when nothing failed. */
export default class FailureList {
  onTestRunEnd(testModules, unhandledErrors) {
    writeFileSync(process.env.PARAPH_TEST_FAILURES, readFailures(testModules, unhandledErrors).join('\n'))
  }
}
