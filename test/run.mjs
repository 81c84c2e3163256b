// `npm test`: lint, types, build, every test, every sentence of the specification; then one line per thing that this machine lacks, and `N passed, N failed`.
// PARAPH_TEST_PROJECT=unit runs the unit tests alone. REQUIRE_ALL=1 makes a skipped part a failure.
import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { kafkaIsThere, prepareKafka } from '../libs/messaging/src/kafka-broker-fixture.ts'

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

/** Its jars come once, from Maven; without a way to them there is no broker either. */
const canRunKafka = async () =>
  (await kafkaIsThere()) &&
  prepareKafka().then(
    () => true,
    () => false,
  )

/** What a machine may lack, and the tests that need it. */
const NEEDS = [
  {
    isThere: canRunChromium,
    sentence: 'SKIPPED: no Chromium (Linux on x64 with libnss3 and libexpat1); the stories in a browser did not run.',
    tests: ['main-job', 'ceremony', 'ceremony-ways', 'pages'].map((name) => `test/${name}.e2e.test.ts`),
  },
  {
    isThere: canRunKafka,
    sentence:
      'SKIPPED: no Kafka broker (Java 17 or newer, and Maven with a way to its repository once); what runs on Kafka did not run.',
    // The patterns hold for every project.
    tests: ['**/kafka*.{int,e2e}.test.ts', 'deploy/local/src/commands/topics.int.test.ts'],
  },
]
const LACKING = []
for (const need of project ? [] : NEEDS) if (!(await need.isThere())) LACKING.push(need)

const run = (command, argv, environment = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, argv, { stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('close', (code) => resolve(code ?? 1))
  })

/** Runs a step and shows what it said when it is over, for others run beside it. @returns 1 for a step that failed */
async function runStep(step) {
  const { failed, output } = await new Promise((resolve) => {
    const chunks = []
    const child = spawn('npm', ['run', '-s', step], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => resolve({ failed: code === 0 ? 0 : 1, output: Buffer.concat(chunks) }))
  })
  process.stdout.write(`\n${step}\n`)
  process.stdout.write(output)
  return failed
}

// Each of the first two keeps one core busy.
const [lintFailed, typesFailed] = await Promise.all(['lint', 'types'].map(runStep))
const failedSteps = lintFailed + typesFailed + (await runStep('build'))

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
