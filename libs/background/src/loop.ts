// A background loop of a service: works, pauses and repeats until it is stopped. [H11, H13]
// Owns: pauses, back-off, one log line per outage instead of one per round, and the age of the last round for liveness.
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from './back-off.js'
import { createWakeUp } from './wake-up.js'

const BACK_OFF_FIRST_MS = 200
const BACK_OFF_MAX_MS = 5_000

export interface LoopDeps {
  /**
   * One round. Resolves with true when more work may be waiting: the next round follows without a pause.
   * A rejection means that a dependency (a database, another service) failed: the loop backs off and tries again.
   */
  work: () => Promise<boolean>
  /**
   * Pause after a round that leaves nothing to do; `wake` ends the pause. A function gets the time since the loop was last busy: woken,
   * failing, or with more to do.
   */
  pauseMs: number | ((idleMs: number) => number)
  /** The field `loop` of its log lines. */
  name: string
  /** The log line when rounds begin to fail. */
  failureMessage: string
  logger: Logger
}

/** Runs `work` from `start` to `stop`, one round at a time. */
export function createLoop(deps: LoopDeps) {
  const { name, work, pauseMs, logger } = deps
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  let tickedAtMs = performance.now()
  let busyAtMs = tickedAtMs
  let failures = 0
  let failedAtMs = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      tickedAtMs = performance.now()
      let waitMs = 0
      try {
        if (await work()) busyAtMs = performance.now()
        else waitMs = typeof pauseMs === 'number' ? pauseMs : pauseMs(performance.now() - busyAtMs)
        if (failures > 0) {
          const downMs = Math.round(performance.now() - failedAtMs)
          logger.info({ loop: name, failures, downMs }, 'background loop recovered')
        }
        failures = 0
      } catch (error) {
        failures += 1
        busyAtMs = tickedAtMs = performance.now()
        if (failures === 1) {
          failedAtMs = tickedAtMs
          logger.warn({ err: error, loop: name }, deps.failureMessage)
        }
        waitMs = backOffMs(failures, BACK_OFF_FIRST_MS, BACK_OFF_MAX_MS, Math.random())
      }
      if (waitMs > 0 && (await wakeUp.wait(waitMs, stopping.signal))) busyAtMs = performance.now()
    }
  }

  return {
    start: (): void => void (running ??= run()),
    /** Ends the current pause, or the next one. */
    wake: wakeUp.wake,
    /** Resolves when the current round has ended. */
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
    /** True from a failed round until one succeeds. */
    isFailing: () => failures > 0,
    /** Time since a round last began or failed. */
    tickAgeMs: () => performance.now() - tickedAtMs,
  }
}
