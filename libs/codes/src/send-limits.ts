// Decides whether another code may be sent now. Pure. [D16]
// Counts are by scope and typed address, so that a party and a stranger get the same answers.

/** How long a code works. [D16] */
export const CODE_TTL_SECONDS = 600
/** Live codes of one address; a further code ends the oldest. [D16] */
export const LIVE_CODES_MAX = 3
/** Wrong codes in a row for one address, after which its next codes have 12 digits. [D16] */
export const WRONG_CODES_BEFORE_LONG = 100
/** Codes to one address in a day, after which the address gets one an hour. [D16] */
export const SENDS_BEFORE_SLOW = 10

const SECOND = 1_000
const HOUR = 3_600 * SECOND

interface SendHistory {
  /** When codes were sent to this address in the last 24 hours, newest first; the newest ten are enough. */
  toAddress: readonly Date[]
  /** When real mails went to any party of the scope in the last hour, newest first. */
  toScope: readonly Date[]
  /** Real mails an hour that the scope may send; strangers' addresses do not count. */
  scopeMailsMax: number
}

export type SendDecision = { send: true } | { send: false; reason: 'too_soon' | 'used_up'; tryAgainAt: Date }

/**
 * Per address: 60 s between two codes, 5 an hour, and one an hour after 10 in a day. Per scope: `scopeMailsMax` real mails an hour;
 * a code for a stranger does not count, but is refused at the limit too.
 */
export function decideSend({ toAddress, toScope, scopeMailsMax }: SendHistory, now: Date): SendDecision {
  const [last] = toAddress
  if (last && now.getTime() - last.getTime() < 60 * SECOND) {
    return { send: false, reason: 'too_soon', tryAgainAt: new Date(last.getTime() + 60 * SECOND) }
  }
  const inLastHour = (sent: readonly Date[]) => sent.filter((at) => now.getTime() - at.getTime() < HOUR)
  const perHour = toAddress.length >= SENDS_BEFORE_SLOW ? 1 : 5
  const addressFreeAt = freeAgainAt(inLastHour(toAddress), perHour)
  const scopeFreeAt = freeAgainAt(inLastHour(toScope), scopeMailsMax)
  const waits = [addressFreeAt, scopeFreeAt].filter((at) => at !== undefined)
  if (waits.length === 0) return { send: true }
  return { send: false, reason: 'used_up', tryAgainAt: new Date(Math.max(...waits.map(Number))) }
}

/** When fewer than `max` of `sent` (newest first) will be younger than an hour; undefined when that is the case now. */
function freeAgainAt(sent: readonly Date[], max: number): Date | undefined {
  const blocking = sent[max - 1]
  return blocking && new Date(blocking.getTime() + HOUR)
}
