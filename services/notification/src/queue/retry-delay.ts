// The pause before a mail is retried. Pure: age and random number are arguments. [D49, F7]
import { backOffMs } from '@paraph/background/back-off'
import { isCode, type ClaimedDelivery } from '../database.js'

const FIRST_MS = 1_000
const LATER_MAX_MS = 900_000
/** Longest pause for codes, which expire after ten minutes, and for mails that wait for an unavailable service. */
const SOON_MAX_MS = 30_000
/** An SMTP server may take ten minutes to answer a message (RFC 5321, 4.5.3.2.6). */
export const TAKEN_MIN_MS = 900_000
export const TAKEN_MAX_MS = 6 * 3_600_000
/** Shorter for codes, because a person is waiting and soon requests another code. */
const TAKEN_CODE_MS = 90_000

/**
 * `soon`: another service or the SMTP server is unavailable. `later`: the mail itself failed. `much_later`: the SMTP server has the
 * message and did not answer, so each retry may send a duplicate; the pause grows with the mail's age, to about a dozen retries in 48 h.
 */
export type Delay = 'soon' | 'later' | 'much_later'

/**
 * The pause before the next attempt, in milliseconds, with jitter, so that mails that failed together are not retried together.
 * @param random in [0, 1)
 * @param firstMs the first pause; it doubles with each attempt
 */
export function retryPauseMs(
  { kind, attempts, ageMs }: Pick<ClaimedDelivery, 'kind' | 'attempts' | 'ageMs'>,
  delay: Delay,
  random: number,
  firstMs = FIRST_MS,
): number {
  if (delay === 'much_later') {
    const leastMs = isCode(kind) ? TAKEN_CODE_MS : Math.min(TAKEN_MAX_MS, Math.max(TAKEN_MIN_MS, ageMs))
    return Math.round(leastMs * (1 + random / 2))
  }
  return backOffMs(attempts, firstMs, delay === 'soon' || isCode(kind) ? SOON_MAX_MS : LATER_MAX_MS, random)
}
