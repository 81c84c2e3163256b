// `npm test`: lint, types, build, every test; then one line per thing that this machine lacks, and `N passed, N failed`.
// PARAPH_TEST_PROJECT=unit runs the unit tests alone. REQUIRE_ALL=1 makes a skipped part a failure.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const project = process.env.PARAPH_TEST_PROJECT

/** Chromium comes from npm for Linux on x64; it needs libnss3 and libexpat1 of the machine. */
async function canRunChromium() {
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    await promisify(execFile)(await chromium.executablePath(), ['--version'])
    return true
  } catch {
    return false
  }
}

/** What a machine may lack, and the tests that need it. */
const NEEDS = [
  {
    isThere: canRunChromium,
    sentence: 'SKIPPED: no Chromium (Linux on x64 with libnss3 and libexpat1); the stories in a browser did not run.',
    tests: ['main-job', 'ceremony', 'ceremony-ways', 'pages'].map((name) => `test/${name}.e2e.test.ts`),
  },
]
const LACKING = []
for (const need of project ? [] : NEEDS) if (!(await need.isThere())) LACKING.push(need)

const run = (command, ...argv) =>
  new Promise((resolve) => {
    const child = spawn(command, argv, { stdio: 'inherit', env: process.env })
    child.on('close', (code) => resolve(code ?? 1))
  })

let failedSteps = 0
for (const step of ['lint', 'types', 'build']) {
  process.stdout.write(`\n${step}\n`)
  if ((await run('npm', 'run', '-s', step)) !== 0) failedSteps += 1
}

const folder = await mkdtemp(join(tmpdir(), 'paraph-results-'))
const report = join(folder, 'vitest.json')
const projects = project ? ['--project', project] : []
const excluded = LACKING.flatMap(({ tests }) => tests.flatMap((test) => ['--exclude', test]))
const code = await run(
  'vitest',
  'run',
  ...projects,
  ...excluded,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
)
const counts = await readFile(report, 'utf8').then(JSON.parse, () => ({ numPassedTests: 0, numFailedTests: 1 }))
await rm(folder, { recursive: true, force: true })

for (const { sentence } of LACKING) process.stdout.write(`${sentence}\n`)
const lacks = process.env.REQUIRE_ALL === '1' ? LACKING.length : 0
// An error outside any test fails the run without failing a test.
const beyondTests = code !== 0 && counts.numFailedTests === 0 ? 1 : 0
const failed = counts.numFailedTests + failedSteps + lacks + beyondTests
process.stdout.write(`${counts.numPassedTests} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
