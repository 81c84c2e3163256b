// The state that a code page shows, and the page's HTTP status. Pure. [ceremony 2 to 3u, D16]
// A party and a stranger (an address of no party) get the same states.
import type { Challenge } from './challenge.js'
import { SECONDS_BETWEEN_SENDS } from './send-limits.js'
import type { CodeOutcome } from './verification.js'

/** Each comment gives the page of the ceremony and its HTTP status. */
export type CodeState =
  /** Page 2, status 200. `delayed`: mail is slow now. [D32] */
  | { kind: 'sent'; delayed?: boolean }
  /** Page 3r, status 200: a new code was requested. */
  | { kind: 'resent' }
  /** Page 3r, status 200: requested again within 60 seconds, so no code was sent; older codes still work. */
  | { kind: 'resent_too_soon' }
  /** Page 3r, status 200: no code can be sent before `tryAgainAt`. */
  | { kind: 'sends_used_up'; tryAgainAt: Date }
  /** Status 200: no code was sent for this page, and none that works here before; one may be requested now. */
  | { kind: 'not_sent' }
  /** Status 200: no code that works here was sent, because one was requested less than a minute ago elsewhere. */
  | { kind: 'not_sent_yet' }
  /** Status 403: the code belongs to the browser that requested it; nothing was checked. [P30] */
  | { kind: 'other_browser' }
  /** Status 200: the code requested here is more than 10 minutes old. */
  | { kind: 'lapsed' }
  /** Status 422: the form was more than a day old; nothing was checked or sent. */
  | { kind: 'form_too_old' }
  /** Status 503: too many requests at the same time; nothing was checked or sent. */
  | { kind: 'busy' }
  /** Page 3f, status 422, costs no try. */
  | { kind: 'missing' }
  | { kind: 'wrong_shape' }
  /** Page 3w, status 422. */
  | { kind: 'wrong'; triesLeft: number }
  /** Page 3x, status 422. */
  | { kind: 'expired'; newCodeSent: boolean }
  /** Page 3u, status 422. */
  | { kind: 'used' }
  /** Page 3m, status 429: five wrong codes. `tryAgainAt`: no code can be sent before this time; `isTooSoon`: nor for a minute at most. */
  | { kind: 'dead'; tryAgainAt?: Date; isTooSoon?: boolean }

export const CODE_STATUS = {
  sent: 200,
  resent: 200,
  resent_too_soon: 200,
  sends_used_up: 200,
  not_sent: 200,
  not_sent_yet: 200,
  other_browser: 403,
  lapsed: 200,
  form_too_old: 422,
  busy: 503,
  missing: 422,
  wrong_shape: 422,
  wrong: 422,
  expired: 422,
  used: 422,
  dead: 429,
} as const satisfies Record<CodeState['kind'], number>

/** `Retry-After` when too many requests came at the same time: a wait for a lock ends within a second. */
export const BUSY_RETRY_SECONDS = 2

/** The time for `Retry-After` of the page; undefined for a page without it. */
export function retryAtOf(state: CodeState, now: Date): Date | undefined {
  if (state.kind === 'busy') return new Date(now.getTime() + BUSY_RETRY_SECONDS * 1_000)
  if (state.kind !== 'dead') return undefined
  return state.isTooSoon ? new Date(now.getTime() + SECONDS_BETWEEN_SENDS * 1_000) : state.tryAgainAt
}

/** True if no code can work on the page, so it has no field: only a new code helps. */
export const needsNewCode = ({ kind }: CodeState): boolean =>
  kind === 'dead' || kind === 'not_sent' || kind === 'not_sent_yet' || kind === 'lapsed'

/** The state of the page when it is opened. @param delayed mail is slow now */
export function stateOfChallenge(challenge: Challenge, delayed: boolean): CodeState {
  const { refusal, isPassed, isResend, triesLeft, isBound, isSameBrowser, hasCode, hasRecentCode } = challenge
  if (isBound && !isSameBrowser) return { kind: 'other_browser' }
  if (isPassed) return { kind: 'used' }
  if (triesLeft === 0) return deadState(challenge)
  if (refusal && !refusal.isOver) {
    if (refusal.reason === 'used_up') return { kind: 'sends_used_up', tryAgainAt: nextMinute(refusal.tryAgainAt) }
    return { kind: hasRecentCode ? 'resent_too_soon' : 'not_sent_yet' }
  }
  if (!hasRecentCode) return { kind: refusal && !hasCode ? 'not_sent' : 'lapsed' }
  return isResend && hasCode && !delayed ? { kind: 'resent' } : { kind: 'sent', delayed }
}

/** The state of the page after the submission of a form that is more than a day old. */
export const stateOfOldForm = (challenge: Challenge, delayed: boolean): CodeState =>
  challenge.isPassed || challenge.triesLeft === 0 || (challenge.isBound && !challenge.isSameBrowser)
    ? stateOfChallenge(challenge, delayed)
    : { kind: 'form_too_old' }

/**
 * The state of the page after a code that opened no session.
 * @param next the challenge of the new code that was requested for an expired one
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
    case 'busy':
    case 'other_browser':
      return { kind }
    case 'dead':
      return deadState(challenge)
  }
}

/** Whether the field keeps the typed code. A code that no longer works is cleared, so that nobody submits that code again. */
export const keepsInput = ({ kind }: CodeState): boolean =>
  kind === 'missing' || kind === 'wrong_shape' || kind === 'wrong' || kind === 'form_too_old' || kind === 'busy'

const deadState = ({ refusal, isTooSoon }: Challenge): CodeState =>
  refusal?.reason === 'used_up' && !refusal.isOver
    ? { kind: 'dead', tryAgainAt: nextMinute(refusal.tryAgainAt) }
    : { kind: 'dead', isTooSoon }

/** Rounds up to the minute, so that "after 15:40" is true at 15:40. */
export const nextMinute = (at: Date): Date => new Date(Math.ceil(at.getTime() / 60_000) * 60_000)
