// How long a mail waits before it is tried again. Pure: age and chance are arguments. [D49, F7]
import { backOffMs } from '@paraph/service/back-off'
import { isCode } from './database.js'
import type { ClaimedDelivery } from './deliveries.js'

const FIRST_MS = 1_000
const LATER_MAX_MS = 900_000
/** For codes, which live ten minutes only, and for what is put off because somebody else is away. */
const SOON_MAX_MS = 30_000
/** A relay may take ten minutes over a text that it has (RFC 5321, 4.5.3.2.6). */
const TAKEN_MIN_MS = 900_000
const TAKEN_MAX_MS = 6 * 3_600_000
/** A person waits for a code, and asks for another after a while. */
const TAKEN_CODE_MS = 90_000

/**
 * `soon`: because of others. `later`: because of this mail. `much_later`: the relay has its text and did not answer, so that each try
 * may be a copy; then the pause is at least as long as the mail is old, which makes a dozen tries of 48 hours.
 */
export type Delay = 'soon' | 'later' | 'much_later'

/**
 * The pause before the next try, in milliseconds. Partly chance, so that mails that failed together do not come back together.
 * @param random in [0, 1)
 * @param firstMs first of the pauses that double with each attempt
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
