#!/usr/bin/env node
// Entry point of `npm run -s paraph -- …`: the operator's command line, from the build of the running stack. [local-stack]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { oldNodeSentence } from './node-version.mjs'

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url))
const oldNode = oldNodeSentence()
/** The Node that `npm ci` brings. npm finds it first; a person who calls this file directly may not. */
const ownNode = pathOf('../../node_modules/node/bin/node')

if (oldNode !== undefined && existsSync(ownNode)) {
  const { status } = spawnSync(ownNode, [pathOf('paraph.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else if (oldNode !== undefined) {
  process.stderr.write(`${oldNode}\n`)
  process.exitCode = 1
} else if (existsSync(pathOf('dist/paraph.js'))) {
  const { main } = await import('./dist/paraph.js')
  const { shutDownTracing } = await import('@paraph/telemetry/tracing-facade')
  process.exitCode = await main(process.argv.slice(2))
  // Exports the metrics: this process ends before the first export interval.
  await shutDownTracing()
} else {
  process.stderr.write('Paraph is not built yet. Run npm start first, then this command in a second terminal.\n')
  process.exitCode = 1
}
