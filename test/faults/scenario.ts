// Runs one fault as a repeatable scenario with its steps, buses, number of rounds and seed, and records the result.
// Owns: the frame of a run, its record. Does not own: the faults (scenarios/), the checks after each (soundness.ts).
import { execFile } from 'node:child_process'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { faultsFound } from '../harness/clients/answer-check.js'
import type { BusName } from './fault-bus.js'
import type { FaultStack, OwnStack } from './fault-stack.js'
import { findFaults, untilIdle, type Allowance, type Findings } from './soundness.js'
import { createWorkload, type Workload } from './workload.js'

/** The tools of a scenario. */
export interface Scene {
  stack: FaultStack
  workload: Workload
  random: () => number
  rounds: number
  /** The milliseconds that stand for `seconds` of the described fault in this run, because outages are scaled. */
  scaledMs(seconds: number): number
  /** Adds a figure to the record. */
  record(name: string, figure: number | string): void
  /** Reports a failed check, as text; the scenario continues. */
  fail(what: string): void
  /** Waits `ms` milliseconds, which are not scaled. */
  wait(ms: number): Promise<void>
}

export interface Scenario {
  /** F-number. */
  fault: string
  /** Kebab case, unique. */
  name: string
  /** The steps, as a row of the table of docs/internal/fault-runs.md. */
  done: string
  /** The expected result, in addition to the invariants. */
  holds: string
  /** `postgres` alone if the bus does not matter. */
  buses: readonly BusName[]
  /** The buses in a run of the suite, if not all, because all scenarios share two cores and four minutes. */
  suiteBuses?: readonly BusName[]
  /** The number of rounds and the divisor of durations: in every run of the suite, and in a full run. */
  suite: { rounds: number; scale: number }
  full: { rounds: number; scale: number }
  /** The number of clients at work meanwhile; 0 if the scenario starts its own. */
  clients: number
  /** The options of its own stack, if it needs one. */
  own?: OwnStack
  play(scene: Scene): Promise<Allowance | void>
}

export interface RunOptions {
  stack: FaultStack
  bus: BusName
  seed: number
  rounds: number
  scale: number
}

/** The record of a run. */
export interface RunRecord {
  scenario: string
  fault: string
  bus: BusName
  seed: number
  rounds: number
  scale: number
  at: string
  commit: string
  seconds: number
  outcome: 'held' | 'failed'
  figures: Record<string, number | string>
  faults: string[]
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `scenario` once with clients at work, waits until all work has finished, and checks everything. Records it in `.cache/faults/`. */
export async function runScenario(
  scenario: Scenario,
  { stack, bus, seed, rounds, scale }: RunOptions,
): Promise<RunRecord> {
  const startedAt = new Date()
  const figures: RunRecord['figures'] = {}
  const faults: string[] = []
  const answersBefore = faultsFound.length
  let findings: Findings | undefined
  let workload: Workload | undefined
  try {
    const deathsBefore = stack.deaths.length
    const deadLettersBefore = (await stack.deadLetters()).length
    workload = await createWorkload(stack, { seed, tag: `${scenario.name}-${startedAt.getTime().toString(36)}` })
    workload.start(scenario.clients)
    const allowance =
      (await scenario.play({
        stack,
        workload,
        rounds,
        random: createSeededRandom(seed + 1),
        scaledMs: (seconds) => (seconds * 1_000) / scale,
        record: (name, figure) => void (figures[name] = figure),
        fail: (what) => void faults.push(what),
        wait: (ms) => sleep(ms),
      })) ?? {}
    await workload.stop()
    const stoppedAt = performance.now()
    await untilIdle(stack)
    figures['atRestAfterSeconds'] = Math.round((performance.now() - stoppedAt) / 100) / 10
    findings = await findFaults(stack, workload, allowance, { deaths: deathsBefore, deadLetters: deadLettersBefore })
    faults.push(...findings.faults)
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    await workload?.stop().catch(() => undefined)
    // Later scenarios of the same stack need a mail server that works.
    stack.mailServer.answerWith(() => 'ok')
    stack.mailServer.refuseRecipients(() => undefined)
  }
  // No fault excuses an answer that docs/openapi.json does not describe. The clients treat such an answer as missing.
  faults.push(...new Set(faultsFound.slice(answersBefore)))
  const { faults: _faults, ...counts } = findings ?? { faults: [] }
  const run: RunRecord = {
    scenario: scenario.name,
    fault: scenario.fault,
    bus,
    seed,
    rounds,
    scale,
    at: startedAt.toISOString(),
    commit: await commitNow(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
    outcome: faults.length === 0 ? 'held' : 'failed',
    figures: { ...counts, ...figures },
    faults,
  }
  await mkdir(join(ROOT, '.cache', 'faults'), { recursive: true })
  await appendFile(join(ROOT, '.cache', 'faults', 'runs.jsonl'), `${JSON.stringify(run)}\n`)
  return run
}

/** Short hash of the tested commit, with a plus if the tree has changes. */
async function commitNow(): Promise<string> {
  const git = async (...argv: string[]) => (await promisify(execFile)('git', argv, { cwd: ROOT })).stdout.trim()
  try {
    const [hash, changes] = await Promise.all([git('rev-parse', '--short', 'HEAD'), git('status', '--porcelain')])
    return changes === '' ? hash : `${hash}+`
  } catch {
    return 'unknown'
  }
}
