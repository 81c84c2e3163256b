// Whether another code may be sent now. [D16]
// PURE. Counts are by contract + typed address, party or not, so that every answer is the same for both.

export const CODE_TTL_SECONDS = 600
export const LIVE_CODES_MAX = 3
export const WRONG_CODES_BEFORE_LONG = 100
export const CHALLENGES_PER_CLIENT_AND_HOUR = 600

/** Codes to one address in a day before they come one an hour. */
export const SENDS_BEFORE_SLOW = 10

/** Real mails an hour that one contract may send. */
export const partyMailsMax = (partyCount: number): number => Math.max(30, 3 * partyCount)

const SECOND = 1_000
const HOUR = 3_600 * SECOND

export interface SendHistory {
  /** When codes were sent to this address in the last 24 hours, newest first; ten are enough. */
  toAddress: readonly Date[]
  /** When real mails went to the parties of this contract in the last hour, newest first. */
  toParties: readonly Date[]
  partyCount: number
}

export type SendDecision = { send: true } | { send: false; reason: 'too_soon' | 'used_up'; tryAgainAt: Date }

/**
 * 60 s apart; 5 an hour; after 10 in a day one an hour; and max(30, 3 × parties) real mails an hour per contract, which
 * strangers' addresses do not use up but feel like everybody else.
 */
export function decideSend({ toAddress, toParties, partyCount }: SendHistory, now: Date): SendDecision {
  const [last] = toAddress
  if (last && now.getTime() - last.getTime() < 60 * SECOND) {
    return { send: false, reason: 'too_soon', tryAgainAt: new Date(last.getTime() + 60 * SECOND) }
  }
  const inLastHour = toAddress.filter((sentAt) => now.getTime() - sentAt.getTime() < HOUR)
  const perHour = toAddress.length >= SENDS_BEFORE_SLOW ? 1 : 5
  const waits = [
    freeAgainAt(inLastHour, perHour),
    freeAgainAt(
      toParties.filter((sentAt) => now.getTime() - sentAt.getTime() < HOUR),
      partyMailsMax(partyCount),
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
