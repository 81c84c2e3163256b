// Decides whether something that has failed is asked again. Pure but for the clock. [D27]

/**
 * Open after `failuresMax` failures in a row, for `openMs`; then one probe, whose outcome closes it or opens it anew.
 * @param onChange called once with true when it opens and once with false when it closes
 * @param nowMs a clock that never runs backwards
 */
export function createBreaker({
  failuresMax,
  openMs,
  onChange,
  nowMs,
}: {
  failuresMax: number
  openMs: number
  onChange: (isOpen: boolean) => void
  nowMs: () => number
}) {
  let failures = 0
  let failedAtMs = -Infinity
  let isOpen = false
  let isProbing = false

  return {
    /** True when it may be asked now; each time, `succeeded` or `failed` must follow. */
    allows(): boolean {
      if (!isOpen) return true
      if (isProbing || nowMs() - failedAtMs < openMs) return false
      return (isProbing = true)
    },
    succeeded(): void {
      // What was asked before it opened says nothing about now.
      if (isOpen && !isProbing) return
      failures = 0
      isProbing = false
      if (isOpen) onChange((isOpen = false))
    },
    /** @param askedAtMs those that were under way together when one failed are one failure */
    failed(askedAtMs: number): void {
      if (askedAtMs <= failedAtMs) return
      failures += 1
      failedAtMs = nowMs()
      isProbing = false
      if (!isOpen && failures >= failuresMax) onChange((isOpen = true))
    },
  }
}
