// Builds, then runs one command of commands.mjs: `node test/runner/named.mjs GROUP NAME [ARGUMENT…]`
import { spawnSync } from 'node:child_process'
import { GROUPS } from './commands.mjs'

const [group, name, ...argv] = process.argv.slice(2)
const command = GROUPS[group]?.[name]
if (command === undefined) {
  process.stderr.write(`Pass one of these names after \`--\`: ${Object.keys(GROUPS[group] ?? GROUPS).join(', ')}\n`)
  process.exitCode = 2
} else {
  const steps = ['npm run -s build', `${command} "$@"`]
  const { status } = spawnSync('bash', ['-c', steps.join(' && '), name, ...argv], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
