// Runs the migrations, deploy/databases.sql and the tests of the stores on each older version of Postgres that operators may use. Every
// other test runs on the version of the local start. Part of `npm run test:deep`; Linux on x64.
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HOME = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(HOME, '..', '..')
/** The schema, roles, locks, outbox and bus. */
const SCHEMA = [
  'libs/(database|background|messaging)/src/[^/]+\\.int',
  'libs/messaging/src/postgres/',
  'deploy/local/src/databases',
  'services/contract/src/store/',
]
/** The other statements that depend most on Postgres: queues, windows, usage and evidence. */
const STATEMENTS = [
  'services/gateway/src/(accounts|keys|usage|rate-limit)/',
  'services/notification/src/queue/(?!delivery-worker)',
  'services/signing/src/(chain|codes|signature|tasks)/[^/]+\\.int',
]
/** Version → its tests. Between the oldest and the newest version, only `all` runs any: what both accept, those between accept too. */
const VERSIONS = { 16: [...SCHEMA, ...STATEMENTS], ...(process.argv[2] === 'all' ? { 17: SCHEMA } : {}) }

const files = globSync('{libs,services,deploy}/**/*.int.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] })
const without = VERSIONS[16].filter((pattern) => !files.some((file) => new RegExp(pattern).test(file)))
if (without.length > 0) throw new Error(`These patterns match no test: ${without.join(', ')}`)

function run(command, argv, options) {
  const { status } = spawnSync(command, argv, { stdio: 'inherit', ...options })
  return status === 0
}

/** npm runs no scripts here, so this creates the links to the libraries, as the scripts of the packages do. */
function install() {
  if (!run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HOME })) return false
  return Object.keys(VERSIONS).every((version) =>
    run('node', ['scripts/hydrate-symlinks.js'], { cwd: join(HOME, 'node_modules', `postgres-${version}`) }),
  )
}

/** @returns the numbers of passed and failed tests on this version */
function test([version, tests]) {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-older-postgres-'))
  const report = join(folder, 'report.json')
  const argv = ['--maxWorkers=3', '--json', `--outputFile=${report}`, '--selectProjects', 'int', '--testPathPatterns']
  const isGreen = run('jest', [...argv, ...tests], {
    cwd: ROOT,
    env: { ...process.env, PARAPH_TEST_POSTGRES: version },
  })
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8'))
    return { passed, failed: isGreen ? failed : Math.max(1, failed) }
  } catch {
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const results = install() ? Object.entries(VERSIONS).map(test) : [{ passed: 0, failed: 1 }]
const sum = (name) => results.reduce((total, result) => total + result[name], 0)
for (const [index, version] of Object.keys(VERSIONS).entries())
  if (results[index]?.failed > 0) process.stdout.write(`FAILED: tests on Postgres ${version}\n`)
process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed\n`)
process.exitCode = sum('failed') === 0 ? 0 : 1
