// One fault as something that can be repeated: what is done, on which buses, how often, with which seed; and what came of it.
// Owns: the frame of a run, its record. Does not own: the faults (scenarios/), what must hold after each (soundness.ts).
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
import { findFaults, untilAtRest, type Allowance, type Findings } from './soundness.js'
import { createWorkload, type Workload } from './workload.js'

/** What a scenario works with. */
export interface Scene {
  stack: FaultStack
  workload: Workload
  random: () => number
  rounds: number
  /** Real milliseconds for so many seconds of the fault as it is described: outages are scaled. */
  scaledMs(seconds: number): number
  /** Keeps a figure for the record. */
  note(name: string, figure: number | string): void
  /** A thing that does not hold, in words; the scenario goes on. */
  fail(what: string): void
  /** Waits, for an outage has a length. */
  last(ms: number): Promise<void>
}

export interface Scenario {
  /** F-number. */
  fault: string
  /** Kebab case, unique. */
  name: string
  /** What is done, as a row of the table of docs/reliability.md. */
  done: string
  /** What must be so then, beyond what must always be. */
  holds: string
  /** `postgres` alone where the bus does not matter. */
  buses: readonly BusName[]
  /** Of these, those of the suite, where not all: two cores and four minutes are shared by all scenarios. */
  suiteBuses?: readonly BusName[]
  /** How many rounds, and how many times shorter than in life: in every run of the suite, and in a full run. */
  suite: { rounds: number; scale: number }
  full: { rounds: number; scale: number }
  /** Clients at work meanwhile; none where the scenario brings its own. */
  clients: number
  /** Where it needs a stack of its own, how that is. */
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

/** What is recorded of a run. */
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

/** Plays `scenario` once, with clients at work, waits for rest, asks everything. The record is kept in `.cache/faults/`. */
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
    const lettersBefore = (await stack.deadLetters()).length
    workload = await createWorkload(stack, { seed, tag: `${scenario.name}-${startedAt.getTime().toString(36)}` })
    workload.start(scenario.clients)
    const allowance =
      (await scenario.play({
        stack,
        workload,
        rounds,
        random: createSeededRandom(seed + 1),
        scaledMs: (seconds) => (seconds * 1_000) / scale,
        note: (name, figure) => void (figures[name] = figure),
        fail: (what) => void faults.push(what),
        last: (ms) => sleep(ms),
      })) ?? {}
    await workload.stop()
    const stoppedAt = performance.now()
    await untilAtRest(stack)
    figures['atRestAfterSeconds'] = Math.round((performance.now() - stoppedAt) / 100) / 10
    findings = await findFaults(stack, workload, allowance, { deaths: deathsBefore, deadLetters: lettersBefore })
    faults.push(...findings.faults)
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    await workload?.stop().catch(() => undefined)
  }
  // No fault excuses an answer that docs/openapi.json does not describe, and clients take one for none.
  faults.push(...new Set(faultsFound.slice(answersBefore)))
  const { faults: _faults, ...counts } = findings ?? { faults: [] }
  const record: RunRecord = {
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
  await appendFile(join(ROOT, '.cache', 'faults', 'runs.jsonl'), `${JSON.stringify(record)}\n`)
  return record
}

/** Short hash of what runs, with a plus where the tree has changes. */
async function commitNow(): Promise<string> {
  const git = async (...argv: string[]) => (await promisify(execFile)('git', argv, { cwd: ROOT })).stdout.trim()
  try {
    const [hash, changes] = await Promise.all([git('rev-parse', '--short', 'HEAD'), git('status', '--porcelain')])
    return changes === '' ? hash : `${hash}+`
  } catch {
    return 'unknown'
  }
}
