// Decides whether another code may be sent now. Pure. [D16]
// Counts are by scope and typed address, so that a party and a stranger get the same answers.

/** How long a code works. [D16] */
export const CODE_TTL_SECONDS = 600
/** Between two codes to one address. [D16] */
export const SECONDS_BETWEEN_SENDS = 60
/** Live codes of one address; a further code ends the oldest. [D16] */
export const LIVE_CODES_MAX = 3
/** Codes to one address in a day, after which the address gets one an hour. [D16] */
export const SENDS_BEFORE_SLOW = 10

const SECOND = 1_000
const HOUR = 3_600 * SECOND

export type SendDecision = { send: true } | { send: false; reason: 'too_soon' | 'used_up'; tryAgainAt: Date }

/**
 * Per address: 60 s between two codes, 5 an hour, and one an hour after 10 in a day.
 * @param sent when codes were sent to the address in the last 24 hours, newest first; the newest ten are enough
 */
export function decideSend(sent: readonly Date[], now: Date): SendDecision {
  const [last] = sent
  const pauseMs = SECONDS_BETWEEN_SENDS * SECOND
  if (last && now.getTime() - last.getTime() < pauseMs) {
    return { send: false, reason: 'too_soon', tryAgainAt: new Date(last.getTime() + pauseMs) }
  }
  const perHour = sent.length >= SENDS_BEFORE_SLOW ? 1 : 5
  const blocking = sent.filter((at) => now.getTime() - at.getTime() < HOUR)[perHour - 1]
  if (!blocking) return { send: true }
  return { send: false, reason: 'used_up', tryAgainAt: new Date(blocking.getTime() + HOUR) }
}
