// How many mails may start in a second: a bucket of tokens of one process. Pure: the clock is an argument. [F6]
// Owns: the share of codes. Does not own: what waits (deliveries.ts).
// In any t seconds at most `perSecond * t + burst + reserve` start. Only codes may use the reserve, so that a code finds a token
// however many invitations wait; once codes have used it, it fills before another invitation starts: codes overtake everything.

/** Part of a second's tokens that may start at once, and that is kept for codes; at least one mail each. */
const SHARE = 0.1

/**
 * @param perSecond mails a second in the long run; may be a fraction
 * @param nowMs the moment of the first call, on the same clock as all others
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
    /** How many of this kind may start now. `all`: codes and others together. */
    room(kinds: 'all' | 'codes', atMs: number): number {
      fill(atMs)
      // A sum of fractions may miss a whole number by the last bit.
      return Math.max(0, Math.floor(level - (kinds === 'codes' ? 0 : reserve) + 1e-9))
    },
    /** Uses the tokens of `count` mails that start. */
    take(count: number): void {
      level -= count
    },
    /** A mail that was taken and not sent costs nothing. */
    giveBack(count: number): void {
      level = Math.min(burst + reserve, level + count)
    },
    /** Until there is room for one that is no code; 0 when there is. */
    waitMs(atMs: number): number {
      fill(atMs)
      return Math.max(0, Math.ceil(((reserve + 1 - level) / perSecond) * 1_000))
    },
  }
}

export type SendRate = ReturnType<typeof createSendRate>
