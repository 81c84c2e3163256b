// Runs a test file as Node runs any module. jest's own runtime loads modules into a context of its own, where `instanceof Error` fails
// for errors of Node and ES modules need an experimental flag. jest-runner and jest-circus do the rest, time limits included.
import { createRequire, flushCompileCache } from 'node:module'
import { pathToFileURL } from 'node:url'
import { sourceMaps } from './modules.mjs'

const require = createRequire(import.meta.url)

/** What a test imports from '@jest/globals', there before its file is loaded. A worker runs one file. */
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
    // jest ends the worker by a signal, where Node writes no cache.
    flushCompileCache()
  }
}

export { PlainRuntime as 'module.exports' }
