// Imports TypeScript sources that have no build: a fixture, also one of a library by package name, or a part of the tests. Imports in these sources
// resolve to files in `dist` where they exist, so that the benchmark measures built code.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context
    const [, library, fixture] = /^@paraph\/(\w+)\/test\/(.+)$/.exec(specifier) ?? []
    if (fixture) return nextResolve(new URL(`../../libs/${library}/test/${fixture}.ts`, import.meta.url).href, context)
    if (!specifier.startsWith('.') || !parentURL.endsWith('.ts')) return nextResolve(specifier, context)
    const built = new URL(new URL(specifier, parentURL).href.replace('/src/', '/dist/'))
    return nextResolve(existsSync(fileURLToPath(built)) ? built.href : specifier.replace(/\.js$/, '.ts'), context)
  },
})

/** @param path below the root of the repository */
export const importSource = (path) => import(new URL(`../../${path}`, import.meta.url).href)
