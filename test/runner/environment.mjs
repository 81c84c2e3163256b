// The jest environment of a test file: the globals of the worker, and the time limit of the jest project of the file.
import { ModernFakeTimers } from '@jest/fake-timers'
import { ModuleMocker } from 'jest-mock'

/**
 * Reverses the after hooks of a test file, because a resource that the file opens later may use an earlier one. Without this, jest runs
 * after hooks in the order of the file.
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
    // Necessary because jest ignores the time limit of a project and applies that of the whole run.
    if (event.name === 'setup') state.testTimeout = this.#limitMs
    if (event.name === 'add_test' && event.fn?.length > 0) {
      // jest passes a `done` callback as a parameter for which the row has no value, and waits for its call.
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
