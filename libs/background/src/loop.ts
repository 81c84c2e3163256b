// A background loop of a service: work, pause, again, until it is told to stop. [H11, H13]
// Owns: pauses, back-off, that trouble is logged once and not each round, and the age of the last round for liveness.
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from './back-off.js'
import { createWakeUp } from './wake-up.js'

const TROUBLE_FIRST_MS = 200
const TROUBLE_MAX_MS = 5_000

/**
 * @param work one round; resolves with true when more may be waiting, and the next round follows at once.
 *   Rejecting is trouble with what is behind (a database, another service): the loop backs off and tries again.
 * @param pauseMs between rounds with nothing left, unless `wake` is called
 * @param trouble what the log says when rounds begin to fail
 */
export function createLoop({
  work,
  pauseMs,
  trouble,
  logger,
}: {
  work: () => Promise<boolean>
  pauseMs: number
  trouble: string
  logger: Logger
}) {
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  let tickedAtMs = performance.now()
  let failures = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      tickedAtMs = performance.now()
      let waitMs = pauseMs
      try {
        if (await work()) waitMs = 0
        if (failures > 0) logger.info({ failures, was: trouble }, 'a loop works again')
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 1) logger.warn({ err: error }, trouble)
        waitMs = backOffMs(failures, TROUBLE_FIRST_MS, TROUBLE_MAX_MS, Math.random())
      }
      if (waitMs > 0) await wakeUp.wait(waitMs, stopping.signal)
    }
  }

  return {
    start: (): void => void (running ??= run()),
    /** Ends the pause that runs now, or the next one. */
    wake: wakeUp.wake,
    /** Ends after the round in hand. */
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
    /** True since a round failed and none has worked. */
    isInTrouble: () => failures > 0,
    /** Since a round last began. */
    tickAgeMs: () => performance.now() - tickedAtMs,
  }
}
