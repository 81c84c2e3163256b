// `npm run test:deep -- faults`: runs the scenarios of test/faults/scenarios, each with the rounds and durations of its full run.
// [F1-F3, F5-F16, F21, F22, F24, F29-F32, F34, F35, F37, F39, F40, F42-F45, F47, F52]
//   --scenario F1,bus-slow   only these, by F-number or name          --bus postgres|kafka|both
//   --seed 7                 repeats the random choices of a run      --rounds 50, --scale 60   overrides the scenario's own
//   --short                  uses the rounds and durations of the suite
// Each run appends a line to .cache/faults/runs.jsonl. `--record` also writes it to test/faults/results.json, from which `npm run update --
// reliability` generates the table of docs/internal/fault-runs.md. A row of a fuller run stays unless `--force` is given or the new run failed. A
// scheduled scenario without a result loses its row (kept-records.mjs).
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { takeRecords } from './kept-records.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RUNS = `${ROOT}.cache/faults/runs.jsonl`
const RESULTS = `${ROOT}test/faults/results.json`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    bus: { type: 'string', default: 'both' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    scale: { type: 'string' },
    short: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    force: { type: 'boolean', default: false },
  },
})

const wanted = values.scenario.split(',').filter((each) => each !== '')
const races = wanted.length === 0 || wanted.some((each) => ['F13', 'F14', 'F15', 'races'].includes(each))
const others = wanted.length === 0 || wanted.some((each) => !['F13', 'F14', 'F15', 'races'].includes(each))
/** Whether this run included the scenario of a row of results.json. */
const isWanted = ({ fault, scenario, bus }) =>
  bus === 'none'
    ? races
    : others &&
      (values.bus === 'both' || values.bus === bus) &&
      (wanted.length === 0 || wanted.includes(fault) || wanted.includes(scenario))
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
const files = [
  ...(others && values.bus !== 'kafka' ? ['faults', 'own-stack-faults'] : []),
  ...(others && values.bus !== 'postgres' ? ['kafka-faults'] : []),
].map((name) => `test/e2e/operations/${name}.e2e.test.ts`)

const linesOf = async () => (await readFile(RUNS, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')
// The races only append to the file, so the folder must exist.
await mkdir(dirname(RUNS), { recursive: true })
const before = (await linesOf()).length
const environment = {
  FAULTS_FULL: values.short ? '' : '1',
  FAULTS_SEED: seed,
  FAULTS_SCENARIOS: wanted.join(),
  ...(values.rounds ? { FAULTS_ROUNDS: values.rounds } : {}),
  ...(values.scale ? { FAULTS_SCALE: values.scale } : {}),
}

const jest = (files, more) =>
  new Promise((resolve) => {
    const child = spawn('npx', ['jest', '--maxWorkers=1', ...files], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...more },
    })
    child.on('close', (code) => resolve(code ?? 1))
  })

process.stdout.write(`faults: --seed ${seed} repeats the random choices of this run\n`)
let failed = 0
if (files.length > 0) failed += await jest(files, environment)
if (races) {
  const rounds = values.rounds ?? (values.short ? '200' : '10000')
  failed += await jest(['/races.int.test.ts'], {
    RACE_ROUNDS: rounds,
    RACE_SEED: seed,
    RACE_RECORD: RUNS,
  })
}

const records = (await linesOf()).slice(before).map((line) => JSON.parse(line))
for (const { fault, scenario, bus, rounds, outcome, seconds } of records)
  process.stdout.write(
    `${fault.padEnd(4)} ${scenario.padEnd(28)} ${bus.padEnd(9)} ${rounds} rounds, ${seconds} s: ${outcome}\n`,
  )
if (values.record) {
  const kept = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '[]'))
  // Only the number of errors is committed, because their texts contain paths of this machine.
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
  const brief = records.map(({ faults, ...record }) => ({ commit, ...record, faults: faults.length }))
  const { next, notes } = takeRecords(kept, brief, { isWanted, force: values.force })
  for (const note of notes) process.stdout.write(`${note}\n`)
  await writeFile(RESULTS, `${JSON.stringify(next, undefined, 2)}\n`)
}
process.exitCode = failed === 0 ? 0 : 1
