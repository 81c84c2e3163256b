// Where a challenge stands, as its page says it, and the status the page is sent with. Pure. [ceremony 2 to 3u, D16]
// The same for whoever gets a mail and whoever gets none.
import type { Challenge } from './challenge.js'
import type { CodeOutcome } from './verification.js'

/** The comment gives the page of the ceremony and the status it is sent with. */
export type CodeState =
  /** 2 - 200. `delayed`: mail is known to be slow. [D32] */
  | { kind: 'sent'; delayed?: boolean }
  /** 3r - 200: a new code was asked for. */
  | { kind: 'resent' }
  /** 3r - 200: asked again within 60 seconds; older codes still work. */
  | { kind: 'resent_too_soon' }
  /** 3r - 200: no more sends until then. */
  | { kind: 'sends_used_up'; tryAgainAt: Date }
  /** 200: none was sent for this page, and one may be asked for now. */
  | { kind: 'not_sent' }
  /** 200: what was asked for here is more than 10 minutes old. */
  | { kind: 'lapsed' }
  /** 422: the form was more than a day old; nothing was checked or sent. */
  | { kind: 'form_too_old' }
  /** 3f - 422, costs no try. */
  | { kind: 'missing' }
  | { kind: 'wrong_shape' }
  /** 3w - 422. */
  | { kind: 'wrong'; triesLeft: number }
  /** 3x - 422. */
  | { kind: 'expired'; newCodeSent: boolean }
  /** 3u - 422. */
  | { kind: 'used' }
  /** 3m - 429: five wrong codes. `tryAgainAt` when the sends are used up too. */
  | { kind: 'dead'; tryAgainAt?: Date }

export const CODE_STATUS = {
  ...{ sent: 200, resent: 200, resent_too_soon: 200, sends_used_up: 200, not_sent: 200, lapsed: 200 },
  ...{ form_too_old: 422, missing: 422, wrong_shape: 422, wrong: 422, expired: 422, used: 422, dead: 429 },
} as const satisfies Record<CodeState['kind'], number>

/** What the page says when it is opened: only what holds at this moment. @param delayed mail is known to be slow */
export function stateOfChallenge(challenge: Challenge, delayed: boolean): CodeState {
  const { refusal, isLapsed, isPassed, isResend, triesLeft } = challenge
  if (isPassed) return { kind: 'used' }
  if (triesLeft === 0) return deadState(challenge)
  if (refusal?.isOver) return { kind: 'not_sent' }
  if (refusal?.reason === 'too_soon') return { kind: 'resent_too_soon' }
  if (refusal) return { kind: 'sends_used_up', tryAgainAt: nextMinute(refusal.tryAgainAt) }
  if (isLapsed) return { kind: 'lapsed' }
  return isResend && !delayed ? { kind: 'resent' } : { kind: 'sent', delayed }
}

/** What the page of a form of more than a day ago says. */
export const stateOfOldForm = (challenge: Challenge, delayed: boolean): CodeState =>
  challenge.isPassed || challenge.triesLeft === 0 ? stateOfChallenge(challenge, delayed) : { kind: 'form_too_old' }

/**
 * What a typed code that opened nothing leads to. An expired one has had a new one asked for, see `next`.
 * @param next the challenge of the new code, where one was made
 */
export function stateOfOutcome(
  outcome: Exclude<CodeOutcome, { kind: 'verified' }>,
  typed: string,
  next: Challenge | undefined,
): CodeState {
  const { kind, challenge } = outcome
  switch (kind) {
    case 'expired':
      return { kind, newCodeSent: next !== undefined && !next.refusal }
    case 'wrong_shape':
      return { kind: typed.trim() === '' ? 'missing' : 'wrong_shape' }
    case 'wrong':
      return { kind, triesLeft: challenge.triesLeft }
    case 'used':
      return { kind }
    case 'dead':
      return deadState(challenge)
  }
}

/** A code that works no more is not left in the field, to be sent again. */
export const keepsTyped = ({ kind }: CodeState): boolean =>
  kind === 'missing' || kind === 'wrong_shape' || kind === 'wrong' || kind === 'form_too_old'

const deadState = ({ refusal }: Challenge): CodeState =>
  refusal?.reason === 'used_up' && !refusal.isOver
    ? { kind: 'dead', tryAgainAt: nextMinute(refusal.tryAgainAt) }
    : { kind: 'dead' }

/** "After 15:40" must be true at 15:40. */
export const nextMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / 60_000) * 60_000)
