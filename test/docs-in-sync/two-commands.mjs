// Repeats the first minutes of a new user: a fresh clone in another folder, and every command of the README. Belongs to the
// deep tier, which runs all other tests, so `npm test` in the clone runs only the unit tests of the libraries. Prints times and
// `N passed, N failed`.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandsOf } from './commands.mjs'

const source = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'paraph-clone-'))
chmodSync(folder, 0o755)
const clone = join(folder, 'paraph')
const environment = { ...process.env, PARAPH_PORT: '0', PARAPH_MAILBOX_PORT: '0', REQUIRE_ALL: '' }
let [passed, failed] = [0, 0]

function check(what, isTrue) {
  process.stdout.write(`${isTrue ? 'passed' : 'FAILED'}: ${what}\n`)
  if (isTrue) passed += 1
  else failed += 1
}

const seconds = (since) => ((Date.now() - since) / 1000).toFixed(1)

/** Runs `npm start` until it has printed its table or exited. */
async function start() {
  const startedAt = Date.now()
  const child = spawn('npm', ['start'], { cwd: clone, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.on('close', resolve))
  while (!output.includes('Paraph is running') && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return { child, ended, output: () => output, took: seconds(startedAt) }
}

async function stop({ child, ended }) {
  child.kill('SIGTERM')
  return ended
}

try {
  const clonedAt = Date.now()
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', source, clone])
  const installedAt = Date.now()
  execFileSync('npm', ['ci'], { cwd: clone, env: environment, stdio: 'inherit' })
  process.stdout.write(`npm ci: ${seconds(installedAt)} s\n`)

  const first = await start()
  process.stdout.write(`first start, from the end of npm ci to the table: ${first.took} s\n`)
  check('npm ci && npm start prints the table', first.output().includes('Paraph is running'))
  const script = commandsOf(readFileSync(join(clone, 'README.md'), 'utf8')).join('\n')
  const ran = spawnSync('bash', ['-euo', 'pipefail', '-c', script], { cwd: clone, env: environment, encoding: 'utf8' })
  if (ran.status !== 0) process.stdout.write(ran.stderr)
  check('the commands of the README create the first contract', ran.stdout.includes('HTTP/1.1 201 Created'))
  check('the commands of the README read it', ran.stdout.includes('"status":"pending_signature"'))
  process.stdout.write(`from the clone to the first contract: ${seconds(clonedAt)} s\n`)
  check('SIGTERM to npm stops everything and exits 0', (await stop(first)) === 0)
  check('stack.json is gone after the stop', !existsSync(join(clone, '.data', 'stack.json')))

  const second = await start()
  process.stdout.write(`second start: ${second.took} s\n`)
  check('the second start exits 0 too', (await stop(second)) === 0)

  const test = spawn('npm', ['test', '--', 'libs/.*unit.test'], {
    cwd: clone,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  check(
    'npm test (unit tests of the libraries) exits 0',
    (await new Promise((resolve) => test.on('close', resolve))) === 0,
  )
  check('git status of the clone is clean', execFileSync('git', ['status', '--porcelain'], { cwd: clone }).length === 0)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  failed += 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
