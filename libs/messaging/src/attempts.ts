// Counts the failed attempts of one event, and decides when it becomes a dead letter. Pure: the clock is an argument. [D49, P20, F11, F29]
import { isDatabaseBusy } from '@paraph/database/database-failure'

const ATTEMPTS_MAX = 5
/** Longer than a locked table, an index build or a stalled disk usually lasts. A statement that is always too slow fails after it. */
const BUSY_MS_MAX = 600_000

/** @param nowMs a monotonic clock @returns records a failure of the event */
export function createAttempts(nowMs: () => number) {
  let firstFailedAtMs: number | undefined
  let failures = 0
  let attempts = 0
  return function recordFailure(error: unknown) {
    const failedAtMs = nowMs()
    firstFailedAtMs ??= failedAtMs
    failures += 1
    const isCounted = !isDatabaseBusy(error) || failedAtMs - firstFailedAtMs >= BUSY_MS_MAX
    if (isCounted) attempts += 1
    return { failures, attempts, isCounted, isDead: attempts === ATTEMPTS_MAX }
  }
}
