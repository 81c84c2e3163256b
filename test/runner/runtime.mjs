// Replaces the runtime of jest: loads a test file with Node's own `import`. jest's runtime uses a separate `vm` context, in which
// `instanceof Error` fails for errors of Node, and ES modules need an experimental flag. jest-runner and jest-circus remain in use.
import { createRequire, flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { sourceMaps } from './modules.mjs'

const require = createRequire(import.meta.url)

/** The exports of '@jest/globals', set before the test file is loaded. One set is enough, because a worker runs one file. */
export const globals = {}

const methodsOf = (object) =>
  Object.fromEntries(
    Object.getOwnPropertyNames(Object.getPrototypeOf(object))
      .filter((name) => typeof object[name] === 'function')
      .map((name) => [name, object[name].bind(object)]),
  )

class PlainRuntime {
  constructor(_config, environment) {
    globals.jest = { ...methodsOf(environment.moduleMocker), ...methodsOf(environment.fakeTimersModern) }
  }
  setGlobalsForRuntime(circus) {
    Object.assign(globals, circus)
  }
  requireInternalModule(path) {
    return require(path)
  }
  requireModule(path) {
    return require(path)
  }
  unstable_shouldLoadAsEsm() {
    return true
  }
  unstable_importModule(path) {
    return import(pathToFileURL(path).href)
  }
  getSourceMaps() {
    return sourceMaps
  }
  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {
    // Without this, Node writes no compile cache, because jest ends the worker by a signal.
    flushCompileCache()
  }
}

export { PlainRuntime as 'module.exports' }
