// Schemathesis against a running stack, from PyPI into a virtual environment of its own. Run by .ci/run; needs python3 with venv.
// Ends with `N passed, N failed`: cases without a fault, and faults.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Of the run itself; installing and starting come on top. */
const SECONDS_MAX = 90
const folder = mkdtempSync(join(tmpdir(), 'paraph-schemathesis-'))
chmodSync(folder, 0o755)
const data = join(folder, 'data')
const environment = { ...process.env, PARAPH_PORT: '0', PARAPH_MAILBOX_PORT: '0', PARAPH_DATA_DIR: data }

const paraph = (...argv) =>
  JSON.parse(
    execFileSync('npm', ['run', '-s', 'paraph', '--', ...argv, '--json'], { cwd: root, env: environment }).toString(),
  )

/** Two keys, each of an account of its own, on the tier for load tests: neither window nor quota ends the run. */
function makeKey(name) {
  const { account } = paraph('account', 'create', '--name', name, '--email', 'owner@example.test', '--tier', 'load')
  const scopes = 'contracts:read,contracts:write'
  return paraph('key', 'create', '--account', account.id, '--environment', 'live', '--scopes', scopes).key.secret
}

async function startStack() {
  const child = spawn('npm', ['start'], { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const ended = new Promise((resolve) => child.on('close', resolve))
  while (!output.includes('Paraph is running')) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return async () => {
    child.kill('SIGTERM')
    await ended
  }
}

let [passed, failed] = [0, 0]
let stop = async () => undefined
try {
  const python = join(folder, 'venv', 'bin')
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'inherit' })
  execFileSync(join(python, 'pip'), ['install', '--quiet', '-r', join(here, 'requirements.txt')], { stdio: 'inherit' })
  stop = await startStack()
  const { origin } = new URL(JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8')).apiUrl)

  const users = ['owner', 'stranger'].map((name) => ({
    name,
    fixedHeaders: [{ name: 'x-api-key', value: makeKey(name) }],
  }))
  const wfc = join(folder, 'auth.json')
  writeFileSync(wfc, JSON.stringify({ auth: users }))
  const { status } = spawnSync(
    join(python, 'st'),
    [
      ...['--no-color', '--config-file', join(here, 'schemathesis.toml'), 'run', `${origin}/openapi.json`],
      ...['--checks', 'all', '--max-time', String(SECONDS_MAX)],
      ...['--report', 'json', '--report-json-path', join(folder, 'report.json')],
    ],
    { cwd: here, env: { ...environment, WFC_AUTH: wfc, PYTHONDONTWRITEBYTECODE: '1' }, stdio: 'inherit' },
  )
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  process.stdout.write(`${JSON.stringify(report).slice(0, 3000)}\n`)
  if (status !== 0 && failed === 0) failed = 1
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  failed += 1
} finally {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
