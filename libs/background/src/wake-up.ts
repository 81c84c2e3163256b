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
    /** Resolves after `ms`, on a call of `wake`, or when `signal` aborts. One waiter at a time. */
    async wait(ms: number, signal: AbortSignal): Promise<void> {
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
      called = false
    },
  }
}

/** Resolves after `ms` or when `signal` aborts; never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await createWakeUp().wait(ms, signal)
}
