// The environment of a test file: the worker's own globals, and the time limit of its project.
import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

/**
 * Resources that a test file opens later may use earlier ones, so they close in reverse order. jest runs these hooks in the order of the
 * file.
 */
function closeLastFirst(block) {
  const isEnd = ({ type }) => type.startsWith('after')
  block.hooks = [...block.hooks.filter((hook) => !isEnd(hook)), ...block.hooks.filter(isEnd).reverse()]
  for (const child of block.children) if (child.type === 'describeBlock') closeLastFirst(child)
}

export default class PlainEnvironment {
  global = globalThis
  moduleMocker = new ModuleMocker(globalThis)
  #limitMs

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.#limitMs = projectConfig.testTimeout
  }
  handleTestEvent(event, state) {
    // jest applies the time limit of the whole run and ignores that of a project.
    if (event.name === 'setup') state.testTimeout = this.#limitMs
    if (event.name === 'add_test' && event.fn?.length > 0) {
      // jest takes a parameter without a value in the row for a callback, and waits for its call.
      throw new Error(`The table of this test has fewer values than its function takes: ${event.testName}`)
    }
    if (event.name === 'run_start') closeLastFirst(state.rootDescribeBlock)
  }
  getVmContext() {
    return null
  }
  exportConditions() {
    return []
  }
  async setup() {}
  async teardown() {
    this.fakeTimersModern.dispose()
  }
}
