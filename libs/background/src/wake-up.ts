// A wait that a call ends early. A call between two waits ends the next one immediately, so no wake-up is lost.

/** A wake-up for one waiter and any number of callers. */
export function createWakeUp() {
  let called = false
  let release: (() => void) | undefined

  return {
    /** Ends the current wait, or the next one. */
    wake(): void {
      called = true
      release?.()
    },
    /** Resolves after `ms`, on a call of `wake`, or when `signal` aborts. One waiter at a time. @returns true if `wake` was called */
    async wait(ms: number, signal: AbortSignal): Promise<boolean> {
      if (!called && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          release = () => {
            clearTimeout(timer)
            resolve()
          }
          signal.addEventListener('abort', release, { once: true })
        })
        if (release) signal.removeEventListener('abort', release)
        release = undefined
      }
      const isWoken = called
      called = false
      return isWoken
    },
  }
}

/** The polls of a queue begin at a second and slow down to five. */
const [POLL_MS_MIN, POLL_MS_MAX] = [1_000, 5_000]
/** A poll waits this share of the time since its queue was last busy, so a retry is late by no more than this share of its wait. */
const POLL_SHARE = 0.1

/**
 * The pause of a poll whose queue has been idle for `idleMs`. Wake-ups announce new work; the poll finds retries, and what a lost wake-up
 * or a killed process left behind. [P46]
 */
export const pollPauseMs = (idleMs: number): number => Math.min(Math.max(POLL_SHARE * idleMs, POLL_MS_MIN), POLL_MS_MAX)

/** Resolves after `ms` or when `signal` aborts; never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await createWakeUp().wait(ms, signal)
}
