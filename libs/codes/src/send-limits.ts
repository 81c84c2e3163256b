// Whether another code may be sent now. [D16]
// PURE. Counts are by scope + typed address, a stranger's or not, so that every answer is the same for both.

/** How long a code works. [D16] */
export const CODE_TTL_SECONDS = 600
/** Codes of one address that work at the same time; the oldest beyond them ends. [D16] */
export const LIVE_CODES_MAX = 3
/** Wrong codes in a row for one address, after which its next codes have 12 digits. [D16] */
export const WRONG_CODES_BEFORE_LONG = 100
/** Codes to one address in a day before they come one an hour. [D16] */
export const SENDS_BEFORE_SLOW = 10

const SECOND = 1_000
const HOUR = 3_600 * SECOND

export interface SendHistory {
  /** When codes were sent to this address in the last 24 hours, newest first; ten are enough. */
  toAddress: readonly Date[]
  /** When real mails went to anybody of the scope in the last hour, newest first. */
  toScope: readonly Date[]
  /** Real mails an hour that the scope may send; strangers' addresses do not use it up. */
  scopeMailsMax: number
}

export type SendDecision = { send: true } | { send: false; reason: 'too_soon' | 'used_up'; tryAgainAt: Date }

/**
 * 60 s apart; 5 an hour; after 10 in a day one an hour; and so many real mails an hour per scope, which strangers' addresses do not
 * use up but feel like everybody else.
 */
export function decideSend({ toAddress, toScope, scopeMailsMax }: SendHistory, now: Date): SendDecision {
  const [last] = toAddress
  if (last && now.getTime() - last.getTime() < 60 * SECOND) {
    return { send: false, reason: 'too_soon', tryAgainAt: new Date(last.getTime() + 60 * SECOND) }
  }
  const inLastHour = toAddress.filter((sentAt) => now.getTime() - sentAt.getTime() < HOUR)
  const perHour = toAddress.length >= SENDS_BEFORE_SLOW ? 1 : 5
  const waits = [
    freeAgainAt(inLastHour, perHour),
    freeAgainAt(
      toScope.filter((sentAt) => now.getTime() - sentAt.getTime() < HOUR),
      scopeMailsMax,
    ),
  ].filter((at) => at !== undefined)
  if (waits.length === 0) return { send: true }
  return { send: false, reason: 'used_up', tryAgainAt: new Date(Math.max(...waits.map(Number))) }
}

/** When fewer than `max` of `sent` (newest first) will be younger than an hour; undefined when that is so now. */
function freeAgainAt(sent: readonly Date[], max: number): Date | undefined {
  const blocking = sent[max - 1]
  return blocking && new Date(blocking.getTime() + HOUR)
}
