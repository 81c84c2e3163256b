// Imports TypeScript sources that have no build: fixtures of a service, fixtures of a library (by package name), and parts of the tests.
// Their imports resolve to files in `dist` where these exist, so that the benchmark measures built code.
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
