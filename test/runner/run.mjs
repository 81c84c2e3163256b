// `npm test`: lint, types, build, every test, every sentence of the specification; then what failed, once
// more, one line per thing that this machine lacks, and `N passed, N failed`.
// PARAPH_TEST_PROJECT=unit runs the unit tests alone. REQUIRE_ALL=1 makes a skipped part a failure.
import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chartToolsAreThere } from '../chart/chart-tools.ts'
import { kafkaIsThere, prepareKafka } from '../../libs/messaging/test/kafka-broker-fixture.ts'

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

/** What a reader of the evidence uses: openssl 3 and a shell, and poppler as a PDF reader. */
const canCheckEvidence = () =>
  promisify(execFile)('bash', [
    '-c',
    'openssl version | grep -q "^OpenSSL 3" && for each in basenc sha256sum pdfsig pdftotext; do command -v $each || exit 1; done',
  ]).then(
    () => true,
    () => false,
  )

/** What the samples of the reference and the lines of the console are written for, besides Node. */
const canRunSamples = () =>
  promisify(execFile)('bash', ['-c', 'for each in curl python3; do command -v $each || exit 1; done']).then(
    () => true,
    () => false,
  )

const e2e = (name) => `/${name}\\.e2e\\.test\\.ts$`

/** What a machine may lack, and patterns of the paths of the tests that need it. */
const NEEDS = [
  {
    isThere: canRunChromium,
    sentence: 'SKIPPED: no Chromium (Linux on x64 with libnss3 and libexpat1); the stories in a browser did not run.',
    tests: ['main-job', 'ceremony', 'ceremony-ways', 'pages', 'docs', 'console'].map(e2e),
  },
  {
    isThere: canRunKafka,
    sentence:
      'SKIPPED: no Kafka broker (Java 17 or newer, and Maven with a way to its repository once); what runs on Kafka did not run.',
    tests: ['/kafka[^/]*\\.(int|e2e)\\.test\\.ts$', '/topics\\.int\\.test\\.ts$'],
  },
  {
    isThere: canCheckEvidence,
    sentence:
      'SKIPPED: no openssl 3, coreutils or poppler-utils; nobody checked the evidence with tools that are not ours.',
    tests: ['certificate', 'evidence', 'keys-handbook', 'docs'].map(e2e),
  },
  {
    isThere: canRunSamples,
    sentence: 'SKIPPED: no curl, bash or python3; nobody ran the samples of the reference and of the console.',
    tests: ['docs', 'console'].map(e2e),
  },
  {
    isThere: chartToolsAreThere,
    sentence:
      'SKIPPED: no helm, kubeconform, kube-score or promtool (.ci/chart-tools builds them); nobody looked at the chart.',
    tests: ['\\.chart\\.test\\.ts$'],
  },
  {
    // Building it takes minutes, so nobody has to have one.
    isThere: () => Promise.resolve(Boolean(process.env.PARAPH_IMAGE_TAR) && process.getuid?.() === 0),
    isOptional: true,
    sentence: 'SKIPPED: no image (deploy/stand-in/build.sh, PARAPH_IMAGE_TAR; as root); nobody started it.',
    tests: ['/image\\.int\\.test\\.ts$'],
  },
]
const LACKING = []
for (const need of project ? [] : NEEDS) if (!(await need.isThere())) LACKING.push(need)

// A run starts some 400 Node processes from the same files: each spares a third of its start where what V8 made of them is kept. It is
// found by the text of the file and the version of Node, so nothing stale is ever run.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../.cache/compiled', import.meta.url))

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
const stepsFailed = { lint: lintFailed, types: typesFailed, build: await runStep('build') }
const failedSteps = Object.keys(stepsFailed).filter((step) => stepsFailed[step])

// Kept: `npm run conformance` reads it.
const RESULTS = fileURLToPath(new URL('../../.cache', import.meta.url))
await mkdir(RESULTS, { recursive: true })

/** What may run at once, and by how many workers. */
const GROUPS = [
  // Most of an int test waits for Postgres: one worker more than two cores can compute.
  { projects: ['unit', 'int', 'chart'], workers: Math.max(3, availableParallelism()) },
  // Each has a stack of its own; two of them leave each other enough of two cores.
  { projects: ['e2e'], workers: 2 },
  { projects: ['alone'], workers: 1 },
]

/** Runs jest. @returns its results, and what failed, where every file whose preparation failed counts as one */
async function runTests({ projects, workers }, environment) {
  const [report, list] = [join(RESULTS, `${projects[0]}-report.json`), join(RESULTS, `${projects[0]}-failures.txt`)]
  await Promise.all([report, list].map((file) => rm(file, { force: true })))
  const leftOut = ['/node_modules/', ...LACKING.flatMap(({ tests }) => tests)]
  const code = await run(
    'jest',
    [
      `--maxWorkers=${workers}`,
      '--passWithNoTests',
      '--json',
      `--outputFile=${report}`,
      '--reporters=default',
      '--reporters=./test/runner/failure-list.mjs',
      ...leftOut.map((pattern) => `--testPathIgnorePatterns=${pattern}`),
      '--selectProjects',
      ...projects,
    ],
    { ...environment, PARAPH_TEST_FAILURES: list },
  )
  // Without a report nothing was shown, whatever else jest says.
  const results = await readFile(report, 'utf8').then(JSON.parse, () => ({
    numPassedTests: 0,
    numFailedTests: 1,
    testResults: [],
  }))
  const failures = await readFile(list, 'utf8').catch(() => `FAILED: jest came to no end with ${projects.join(', ')}.`)
  const listed = failures.match(/^FAILED: /gm)?.length ?? 0
  const failed = Math.max(listed, results.numFailedTests, code === 0 ? 0 : 1)
  return { passed: results.numPassedTests, failed, failures, files: results.testResults }
}

const groups = project
  ? GROUPS.filter(({ projects }) => projects.includes(project)).map((group) => ({ ...group, projects: [project] }))
  : GROUPS
const outcomes = []
for (const group of groups) outcomes.push(await runTests(group))
const files = outcomes.flatMap((outcome) => outcome.files)
const REPORT = join(RESULTS, 'test-report.json')
await writeFile(REPORT, JSON.stringify({ testResults: files }))
outcomes.push(
  await runTests(
    { projects: ['conformance'], workers: 1 },
    {
      PARAPH_TEST_REPORT: REPORT,
      PARAPH_TEST_PARTIAL: project || LACKING.some(({ isOptional }) => !isOptional) ? '1' : '',
    },
  ),
)

const secondsOf = ({ startTime, endTime }) => (endTime - startTime) / 1_000
process.stdout.write('\nThe ten slowest files:\n')
for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, 10))
  process.stdout.write(`${secondsOf(file).toFixed(1).padStart(7)} s  ${relative(process.cwd(), file.name)}\n`)

for (const step of failedSteps) process.stdout.write(`FAILED: ${step}\n`)
for (const { failures } of outcomes) if (failures) process.stdout.write(`${failures}\n`)
for (const { sentence } of LACKING) process.stdout.write(`${sentence}\n`)
const lacks = process.env.REQUIRE_ALL === '1' ? LACKING.filter(({ isOptional }) => !isOptional).length : 0
const sum = (name) => outcomes.reduce((total, outcome) => total + outcome[name], 0)
const failed = sum('failed') + failedSteps.length + lacks
process.stdout.write(`${sum('passed')} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
