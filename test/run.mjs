// `npm test`: lint, types, build, every test, every sentence of the specification; then one line per thing that this machine lacks, and `N passed, N failed`.
// PARAPH_TEST_PROJECT=unit runs the unit tests alone. REQUIRE_ALL=1 makes a skipped part a failure.
import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

const run = (command, argv, environment = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, argv, { stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('close', (code) => resolve(code ?? 1))
  })

let failedSteps = 0
for (const step of ['lint', 'types', 'build']) {
  process.stdout.write(`\n${step}\n`)
  if ((await run('npm', ['run', '-s', step])) !== 0) failedSteps += 1
}

/** Runs vitest. @returns its counts; an error outside any test fails the run without failing a test */
async function runTests(report, argv, environment) {
  await rm(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', ...argv, ...reporters], environment)
  const counts = await readFile(report, 'utf8').then(JSON.parse, () => ({ numPassedTests: 0, numFailedTests: 1 }))
  const beyondTests = code !== 0 && counts.numFailedTests === 0 ? 1 : 0
  return { passed: counts.numPassedTests, failed: counts.numFailedTests + beyondTests }
}

// Kept: `npm run conformance` reads it.
const RESULTS = fileURLToPath(new URL('../.cache', import.meta.url))
await mkdir(RESULTS, { recursive: true })
const report = join(RESULTS, 'test-report.json')
const projects = project ? ['--project', project] : []
const excluded = LACKING.flatMap(({ tests }) => tests.flatMap((test) => ['--exclude', test]))
const tests = await runTests(report, [...projects, ...excluded])
const conformance = await runTests(join(RESULTS, 'conformance-report.json'), ['--project', 'conformance'], {
  PARAPH_TEST_REPORT: report,
  PARAPH_TEST_PARTIAL: project || LACKING.length > 0 ? '1' : '',
})

for (const { sentence } of LACKING) process.stdout.write(`${sentence}\n`)
const lacks = process.env.REQUIRE_ALL === '1' ? LACKING.length : 0
const failed = tests.failed + conformance.failed + failedSteps + lacks
process.stdout.write(`${tests.passed + conformance.passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
