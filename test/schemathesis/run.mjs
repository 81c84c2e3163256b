// Installs Schemathesis from PyPI into a virtual environment, and runs it on a new stack. Part of .ci/run; needs python3 with venv. [F28]
// Ends with `N passed, N failed`: the correct cases, and the failures.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serviceEnvironment } from '@paraph/paraph/installation/environment'
import { claimPort } from '@paraph/paraph/installation/ports'
import { createLocalStart } from '../harness/stack/npm-start.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** The time limit of the run, without installation and start. */
const SECONDS_MAX = 90
const local = createLocalStart('schemathesis')
const { folder, data, environment } = local

/** Starts a second gateway of the stack that trusts `X-Forwarded-For` of its client (hooks.py explains why). */
async function startGateway() {
  const [ports, secrets] = ['ports', 'secrets'].map((name) =>
    JSON.parse(readFileSync(join(data, `${name}.json`), 'utf8')),
  )
  const own = { ...ports, gateway: await claimPort(), gatewayInternal: await claimPort() }
  const settings = { ...serviceEnvironment('gateway', { ports: own, secrets }), TRUSTED_PROXY_HOPS: '1' }
  const child = spawn(process.execPath, [join(root, 'services/gateway/dist/main.js')], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...settings },
    stdio: 'inherit',
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const isReady = () =>
    fetch(`http://127.0.0.1:${own.gatewayInternal}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { origin: `http://127.0.0.1:${own.gateway}`, stop }
}

let [passed, failed] = [0, 0]
const stops = [local.stop]
try {
  const python = join(folder, 'venv', 'bin')
  execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'inherit' })
  execFileSync(join(python, 'pip'), ['install', '--quiet', '-r', join(here, 'requirements.txt')], { stdio: 'inherit' })
  await local.start()
  const { origin, stop } = await startGateway()
  stops.unshift(stop)

  const users = ['owner', 'stranger'].map((name) => ({
    name,
    fixedHeaders: [{ name: 'x-api-key', value: local.makeKey(name, 'live') }],
  }))
  const [wfc, reported] = ['auth.json', 'report.json'].map((name) => join(folder, name))
  writeFileSync(wfc, JSON.stringify({ auth: users }))
  const { status } = spawnSync(
    join(python, 'st'),
    [
      '--no-color',
      '--config-file',
      join(here, 'schemathesis.toml'),
      'run',
      `${origin}/openapi.json`,
      '--url',
      `${origin}/api/external/v2`,
      '--checks',
      'all',
      '--max-time',
      String(SECONDS_MAX),
      '--report',
      'json',
      '--report-json-path',
      reported,
    ],
    { cwd: here, env: { ...environment, WFC_AUTH: wfc, PYTHONDONTWRITEBYTECODE: '1' }, stdio: 'inherit' },
  )
  const { operations, phases, test_cases: cases } = JSON.parse(readFileSync(reported, 'utf8'))
  passed = cases.generated - cases.with_failures - cases.without_checks - cases.errored
  failed = cases.unique_failures + cases.errored
  const skipped = Object.keys(phases).filter((name) => phases[name].status === 'skip')
  // A run that skipped an operation or a phase fails.
  if (operations.tested !== 4 || skipped.length > 0) failed += 1
  if (status !== 0 && failed === 0) failed = 1
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  failed += 1
} finally {
  for (const stop of stops) await stop()
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
