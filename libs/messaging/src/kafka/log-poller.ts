// Polls the ends of a member's partitions over a connection of its own: a consumer that fetches nothing must not look caught up. [H9]
// Owns: the generation of each answer, and whether the brokers answer.
import type { Logger } from '@paraph/telemetry/logger'
import { createWakeUp } from '@paraph/background/wake-up'
import { keyOf } from '../event-bus.js'
import { explainKafkaError } from './errors.js'
import type { KafkaPartition } from './partition.js'
import type { KafkaPositions } from './positions.js'

const POLL_EVERY_MS = 2_000
/** One failed poll may be due to a change of leaders; this many consecutive ones are logged. */
const FAILURES_LOGGED = 2

export interface LogPollerDeps {
  positions: Pick<KafkaPositions, 'stored' | 'ends'>
  group: string
  topics: readonly string[]
  /** The partitions of the current generation. */
  held: () => Iterable<KafkaPartition>
  logger: Logger
  /** Ends the polling. */
  signal: AbortSignal
}

/** Starts polling immediately. */
export function createLogPoller({ positions, group, topics, held, logger, signal }: LogPollerDeps) {
  const wakeUp = createWakeUp()
  /** Counts joins: an answer to a query of one generation is not valid in the next. */
  let generation = 0
  let placedIn = generation
  let answeredAtMs = -Infinity

  async function run(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      await wakeUp.wait(POLL_EVERY_MS, signal)
      if (signal.aborted) continue
      try {
        await poll()
        answeredAtMs = performance.now()
        if (failures >= FAILURES_LOGGED) logger.info({ group }, 'the brokers answer again')
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === FAILURES_LOGGED)
          logger.warn({ err: explainKafkaError(error), group }, 'brokers do not answer; the consumer waits for them')
      }
    }
  }

  async function poll(): Promise<void> {
    const mine = generation
    const asked = [...held()].map((partition) => ({ partition, snapshot: partition.snapshot() }))
    if (placedIn !== mine) {
      const stored = await positions.stored(group, topics)
      if (mine !== generation) return
      for (const { partition, snapshot } of asked) partition.place(stored.get(keyOf(partition)), snapshot)
      placedIn = mine
    }
    const ends = new Map((await positions.ends(topics)).map((each) => [keyOf(each), each]))
    if (mine !== generation) return
    for (const { partition, snapshot } of asked) {
      const found = ends.get(keyOf(partition))
      if (found) partition.updateEnds(found, snapshot)
    }
  }

  return {
    running: run(),
    /** Call when a generation begins. */
    beginGeneration(): void {
      generation += 1
      wakeUp.wake()
    },
    /** Time of the last answer on the process's monotonic clock. */
    answeredAtMs: () => answeredAtMs,
  }
}
