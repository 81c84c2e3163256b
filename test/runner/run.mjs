// `npm test`: lint, types, build and every test that a change needs. `npm run test:deep`: the rest. Prints the ten slowest files, all
// failures again, one line per missing requirement of the machine, and `N passed, N failed`.
// Names after `--` restrict the run: paths of tests, or a named part of the deep tier. REQUIRE_ALL=1 makes a skipped part a failure.
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

// A run starts about 400 Node processes from the same files. V8's code cache saves a third of each start. Its key contains the text of the
// file and the version of Node, so it is never stale.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../.cache/compiled', import.meta.url))
const RESULTS = fileURLToPath(new URL('../../.cache', import.meta.url))
await mkdir(RESULTS, { recursive: true })

/** An int test mostly waits for Postgres, so two cores serve one more worker. */
const WAITING = Math.max(3, availableParallelism())
/** Groups of projects that run in parallel, with their number of workers; then the commands that count their own tests. */
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
      // Each file has its own stack; two cores are enough for two of them.
      { projects: ['deep-e2e'], workers: 2 },
      { projects: ['alone'], workers: 1 },
    ],
    parts: ['schemathesis', 'two-commands', 'model'],
  },
}
/** A run of named files omits the steps and parts that take minutes. */
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

/** Runs a command and prints its output when it ends, because others run in parallel. */
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

/** @returns an outcome without tests: the step passes or fails */
async function runStep(step) {
  const { code } = await runQuietly(step, 'npm', ['run', '-s', step])
  return { passed: 0, failed: code === 0 ? 0 : 1, failures: code === 0 ? '' : `FAILED: ${step}`, files: [] }
}

/** Runs a named part of the deep tier, which ends with `N passed, N failed`. */
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
  // Without a report nothing was shown, whatever jest prints.
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

const reportOf = (name) => join(RESULTS, `${name}-tier.json`)

// Lint and types each occupy one core; the build follows.
const outcomes = await Promise.all(steps.filter((step) => step !== 'build').map(runStep))
outcomes.push(await runStep('build'))
// The model needs no stack and uses the CPU time that the others leave.
const beside = parts.filter((part) => part === 'model').map(runPart)
for (const group of groups) outcomes.push(await runTests(group))
for (const part of parts.filter((each) => each !== 'model')) outcomes.push(await runPart(part))
outcomes.push(...(await Promise.all(beside)))

const files = outcomes.flatMap((outcome) => outcome.files)
if (names.length === 0) {
  await writeFile(reportOf(tier), JSON.stringify({ testResults: files }))
  // Every sentence of the specification: the deep tier also reads the report of the fast tier.
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
