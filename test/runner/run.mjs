// `npm test` runs lint, types, build and the fast tests. `npm run test:deep` runs the slow tests. Each prints the ten slowest files, all
// failures again, one line for each requirement that the machine does not meet (needs.mjs), and `N passed, N failed`. Names after `--`
// restrict the run: paths of tests, or a part of the deep tier (commands.mjs). With REQUIRE_ALL=1, each unmet requirement is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GROUPS } from './commands.mjs'
import { findLacking } from './needs.mjs'

const [tier, ...names] = process.argv.slice(2)
const NAMED_COMMAND = fileURLToPath(new URL('named.mjs', import.meta.url))
if (names.length > 0 && names[0] in (GROUPS[tier] ?? {})) {
  const { status } = spawnSync('node', [NAMED_COMMAND, tier, ...names], { stdio: 'inherit' })
  process.exit(status ?? 1)
}

// A run starts about 400 Node processes from the same files. V8's code cache saves a third of each start. The key of a cache entry
// contains the text of the file and the version of Node, so an entry is never outdated.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../.cache/compiled', import.meta.url))
const RESULTS = fileURLToPath(new URL('../../.cache', import.meta.url))
await mkdir(RESULTS, { recursive: true })

/** The number of workers for int tests, which mostly wait for Postgres: at least three, also on two cores. */
const WAITING = Math.max(3, availableParallelism())
/** `groups` run one after another, the projects of a group in parallel. `parts`: commands without jest (`deep` of commands.mjs). */
const TIERS = {
  fast: {
    steps: ['lint', 'types', 'build'],
    groups: [
      { projects: ['unit', 'int'], workers: WAITING },
      { projects: ['e2e'], workers: 2 },
    ],
    parts: [],
  },
  deep: {
    steps: ['build'],
    groups: [
      { projects: ['deep-int', 'chart'], workers: WAITING },
      // Each file starts a stack of its own; two cores are enough for two stacks.
      { projects: ['deep-e2e'], workers: 2 },
      { projects: ['alone'], workers: 1 },
    ],
    parts: ['schemathesis', 'clients', 'older-postgres', 'two-commands', 'model'],
  },
}
/** For a run with names after `--`: omits the steps and parts that take minutes. */
const NAMED = {
  steps: ['build'],
  groups: [{ projects: ['unit', 'int', 'deep-int', 'chart', 'e2e', 'deep-e2e', 'alone'], workers: 2 }],
  parts: [],
}
const { steps, groups, parts } = names.length > 0 ? NAMED : TIERS[tier]
const LACKING = await findLacking()

const run = (command, argv, environment = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, argv, { stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('close', (code) => resolve(code ?? 1))
  })

/** Runs a command and prints its output when it ends, so that the outputs of parallel commands do not mix. */
async function runQuietly(title, command, argv) {
  const { code, output } = await new Promise((resolve) => {
    const chunks = []
    const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })
  process.stdout.write(`\n${title}\n${output}`)
  return { code, output }
}

/** Runs an npm script. @returns an outcome without tests: no failure, or one */
async function runStep(step) {
  const { code } = await runQuietly(step, 'npm', ['run', '-s', step])
  return { passed: 0, failed: code === 0 ? 0 : 1, failures: code === 0 ? '' : `FAILED: ${step}`, files: [] }
}

/** Runs a part of the deep tier. Its last line of output must be `N passed, N failed`. */
async function runPart(part) {
  const { code, output } = await runQuietly(part, 'node', [NAMED_COMMAND, 'deep', part])
  const [, passed = 0, failed = 1] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  const isGreen = code === 0 && Number(failed) === 0
  const listed = output.match(/^FAILED.*$/gm)?.join('\n') ?? `FAILED: ${part}`
  return {
    passed: Number(passed),
    failed: isGreen ? 0 : Math.max(1, Number(failed)),
    failures: isGreen ? '' : listed,
    files: [],
  }
}

/** Runs jest. @returns its results and failures; a file that failed to load counts as one failure */
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
      ...(names.length > 0 ? ['--testPathPatterns', ...names] : []),
    ],
    { ...environment, PARAPH_TEST_FAILURES: list },
  )
  // If jest wrote no report, the run counts as one failure.
  const results = await readFile(report, 'utf8').then(JSON.parse, () => ({
    numPassedTests: 0,
    numFailedTests: 1,
    testResults: [],
  }))
  const failures = await readFile(list, 'utf8').catch(() => `FAILED: jest wrote no results of ${projects.join(', ')}.`)
  const listed = failures.match(/^FAILED: /gm)?.length ?? 0
  const failed = Math.max(listed, results.numFailedTests, code === 0 ? 0 : 1)
  return { passed: results.numPassedTests, failed, failures, files: results.testResults }
}

const reportOf = (name) => join(RESULTS, `${name}-tier.json`)

// Lint and types run in parallel, each on one core; the build follows.
const outcomes = await Promise.all(steps.filter((step) => step !== 'build').map(runStep))
outcomes.push(await runStep('build'))
// The model checker needs no stack. It runs beside the tests and uses the CPU time that they leave.
const beside = parts.filter((part) => part === 'model').map(runPart)
for (const group of groups) outcomes.push(await runTests(group))
outcomes.push(...(await Promise.all(parts.filter((part) => part !== 'model').map(runPart))))
outcomes.push(...(await Promise.all(beside)))

const files = outcomes.flatMap((outcome) => outcome.files)
if (names.length === 0) {
  await writeFile(reportOf(tier), JSON.stringify({ testResults: files }))
  // Checks that a passed test shows each sentence of the specification. The deep tier also reads the report of the last fast run.
  const isPartial = tier === 'fast' || LACKING.some(({ isOptional }) => !isOptional)
  outcomes.push(
    await runTests(
      { projects: ['conformance'], workers: 1 },
      {
        PARAPH_TEST_REPORTS: (tier === 'fast' ? ['fast'] : ['fast', 'deep']).map(reportOf).join(':'),
        PARAPH_TEST_PARTIAL: isPartial ? '1' : '',
      },
    ),
  )
}

const secondsOf = ({ startTime, endTime }) => (endTime - startTime) / 1_000
process.stdout.write('\nThe ten slowest files:\n')
for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one)).slice(0, 10))
  process.stdout.write(`${secondsOf(file).toFixed(1).padStart(7)} s  ${relative(process.cwd(), file.name)}\n`)

for (const { failures } of outcomes) if (failures) process.stdout.write(`${failures}\n`)
for (const { sentence } of LACKING) process.stdout.write(`${sentence}\n`)
const lacks = process.env.REQUIRE_ALL === '1' ? LACKING.filter(({ isOptional }) => !isOptional).length : 0
const sum = (name) => outcomes.reduce((total, outcome) => total + outcome[name], 0)
const failed = sum('failed') + lacks
process.stdout.write(`${sum('passed')} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
