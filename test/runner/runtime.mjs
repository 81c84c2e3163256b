// Runs a test file like Node runs any module. jest's own runtime uses a separate context, in which `instanceof Error` fails for errors of
// Node and ES modules need an experimental flag. jest-runner and jest-circus do the rest, including time limits.
import { createRequire, flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { sourceMaps } from './modules.mjs'

const require = createRequire(import.meta.url)

/** The exports of '@jest/globals', set before the test file is loaded. A worker runs one file. */
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
    // jest ends the worker by a signal, after which Node writes no cache.
    flushCompileCache()
  }
}

export { PlainRuntime as 'module.exports' }
