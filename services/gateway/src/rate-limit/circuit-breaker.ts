// A circuit breaker: decides whether a dependency that has failed is called again. Pure except for the clock. [D27]

interface BreakerDeps {
  /** Failures in a row that open the breaker. */
  failuresMax: number
  /** How long the breaker stays open before a probe. */
  openMs: number
  /** Called with true when the breaker opens and with false when it closes. */
  onChange: (isOpen: boolean) => void
  /** A clock that never runs backwards. */
  nowMs: () => number
}

/** Opens for `openMs` after `failuresMax` failures in a row; then allows one probe, which closes or reopens the breaker. */
export function createBreaker({ failuresMax, openMs, onChange, nowMs }: BreakerDeps) {
  let failures = 0
  let failedAtMs = -Infinity
  let isOpen = false
  let isProbing = false

  return {
    /** True if a call is allowed now; `succeeded` or `failed` must follow each allowed call. */
    allows(): boolean {
      if (!isOpen) return true
      if (isProbing || nowMs() - failedAtMs < openMs) return false
      return (isProbing = true)
    },
    succeeded(): void {
      // Only the probe closes an open breaker, not a call that started earlier.
      if (isOpen && !isProbing) return
      failures = 0
      isProbing = false
      if (isOpen) onChange((isOpen = false))
    },
    /** @param startedAtMs start of the call; a call that started before the last failure does not count again */
    failed(startedAtMs: number): void {
      if (startedAtMs <= failedAtMs) return
      failures += 1
      failedAtMs = nowMs()
      isProbing = false
      if (!isOpen && failures >= failuresMax) onChange((isOpen = true))
    },
  }
}
