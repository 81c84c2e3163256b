// `npm run test:deep -- model`: runs TLC on docs/internal/model. The design must hold in every configuration, and also without each of two
// redundant rules (redundant/); each variant that omits a rule (broken/) must be refuted, by the property at the end of its name.
// `npm run test:deep -- model deep` checks the larger configurations. Ends with `N passed, N failed`. docs/internal/model/README.md explains it.
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, fetchTlc } from './tlc.mjs'

const folder = fileURLToPath(new URL('../../docs/internal/model', import.meta.url))
const only = process.argv[2]

const listConfigs = async (part) =>
  (await readdir(join(folder, part))).filter((file) => file.endsWith('.cfg')).map((file) => join(part, file))

/** The property that must refute a broken variant: its file is named `<omitted rule>-<property>.cfg` and checks nothing else. */
async function readVariant(config) {
  const [, property] = /-(\w+)\.cfg$/.exec(config) ?? []
  const [, kind, asked] = /^(INVARIANT|PROPERTY) (\w+)$/m.exec(await readFile(join(folder, config), 'utf8')) ?? []
  if (property === undefined || property !== asked)
    throw new Error(`${config} checks ${asked}, not the property in its name.`)
  return { property, kind }
}

async function checkConfig(config) {
  const result = await check(folder, 'Paraph', config)
  if (!config.startsWith('broken'))
    return { config, ...result, isAsExpected: result.holds, verdict: result.violated ?? 'holds' }
  const { property, kind } = await readVariant(config)
  // TLC names a violated invariant, but no temporal property, of which the configuration has only one.
  const isRefuted = result.violated === property || (kind === 'PROPERTY' && result.violated === 'temporal')
  return { config, ...result, isAsExpected: isRefuted, verdict: isRefuted ? 'refuted' : 'NOT REFUTED' }
}

await fetchTlc()
const waiting = only
  ? await listConfigs(only)
  : (await Promise.all(['.', 'broken', 'redundant'].map(listConfigs))).flat()
const results = []
const startedAt = performance.now()

async function work() {
  for (let config = waiting.shift(); config; config = waiting.shift()) {
    const result = await checkConfig(config)
    results.push(result)
    const { isAsExpected, verdict, states, depth, seconds, trouble } = result
    const row = [
      isAsExpected ? 'passed' : 'FAILED',
      config.replace('.cfg', '').padEnd(52),
      verdict.padEnd(8),
      `${states} states`.padStart(15),
      `depth ${depth}`.padStart(9),
      `${seconds.toFixed(1)} s`.padStart(8),
    ]
    // Indents TLC's output below the row of its configuration.
    process.stdout.write(`${[row.join('  '), ...(trouble?.trim().split('\n') ?? [])].join('\n  ')}\n`)
  }
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))

const failed = results.filter(({ isAsExpected }) => !isAsExpected).length
process.stdout.write(`${results.length} configurations in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`)
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1
