// A token bucket that limits the mails that this process starts in a second. Pure: the clock is an argument. [F6]
// In any t seconds at most `perSecond * t + burst + reserve` mails start. Only codes may use the reserve, so that a code finds a token
// even when many invitations wait. A used reserve refills before the next invitation starts.

/** Burst and reserve each have this share of a second's tokens, at least one. */
const SHARE = 0.1

/**
 * @param perSecond the sustained rate; may be a fraction
 * @param nowMs the present time, on the same clock as all later calls
 */
export function createSendRate(perSecond: number, nowMs: number) {
  const burst = Math.max(1, perSecond * SHARE)
  const reserve = Math.max(1, perSecond * SHARE)
  let level = burst + reserve
  let filledAtMs = nowMs

  function fill(atMs: number): void {
    level = Math.min(burst + reserve, level + (Math.max(0, atMs - filledAtMs) / 1_000) * perSecond)
    filledAtMs = Math.max(filledAtMs, atMs)
  }

  return {
    /** The number of mails that may start now. `all`: codes and others together. */
    room(kinds: 'all' | 'codes', atMs: number): number {
      fill(atMs)
      // The epsilon absorbs rounding errors in the sum of fractions.
      return Math.max(0, Math.floor(level - (kinds === 'codes' ? 0 : reserve) + 1e-9))
    },
    /** Takes the tokens of `count` mails. */
    take(count: number): void {
      level -= count
    },
    /** Returns the tokens of `count` mails that were not sent. */
    giveBack(count: number): void {
      level = Math.min(burst + reserve, level + count)
    },
    /** The time until a mail other than a code may start; 0 if one may start now. */
    waitMs(atMs: number): number {
      fill(atMs)
      return Math.max(0, Math.ceil(((reserve + 1 - level) / perSecond) * 1_000))
    },
  }
}

export type SendRate = ReturnType<typeof createSendRate>
