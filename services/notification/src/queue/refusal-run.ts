// Detects an SMTP server that refuses everybody, whatever code it gives. [F34, P23]
// In memory of the process: after a restart the next ten refusals decide anew. Does not own: what a single refusal means (smtp/refusal.ts).
import type { ClaimedDelivery } from '../database.js'
import type { SendOutcome } from '../smtp/mailer.js'

/** This many different recipients refused in a row are the server's fault. A mail that begins later and is accepted ends the row. */
const RECIPIENTS_MIN = 10
/** Bounds what is kept while one dead mailbox is refused again and again. */
const ENDED_MAX = 1_000

/** A delivery that ended as refused before the run was long enough; `ended` settles when that is recorded. */
interface Ended {
  delivery: ClaimedDelivery
  atMs: number
  ended: Promise<void>
}

/** @param now milliseconds on a monotonic clock */
export function createRefusalRun(now = () => performance.now()) {
  const mailboxes = newest<string>(RECIPIENTS_MIN)
  const accounts = newest<string | null>(2)
  let ended: Ended[] = []

  return {
    /**
     * The result of a mail in the light of those before it. In a run of refusals, a refused mail is `blocked`. If the run has mails of
     * several accounts, the server is `unavailable`: a list of dead addresses of one account must not stop the mails of the others.
     * @param startedAtMs start of the attempt, on the clock of `now`. An accepted mail says nothing about refusals since then: the server may
     * have taken its recipient before it began to refuse everybody.
     */
    judge(result: SendOutcome, accountId: string | null, address: string, startedAtMs: number): SendOutcome {
      if (result.outcome === 'accepted') {
        mailboxes.forgetUntil(startedAtMs)
        accounts.forgetUntil(startedAtMs)
        ended = ended.filter(({ atMs }) => atMs > startedAtMs)
      }
      if (result.outcome !== 'refused' && result.outcome !== 'blocked') return result
      mailboxes.add(address.toLowerCase(), now())
      accounts.add(accountId, now())
      if (!mailboxes.isFull()) return result
      return { outcome: accounts.isFull() ? 'unavailable' : 'blocked', reason: result.reason }
    },
    remember(delivery: ClaimedDelivery, whenEnded: Promise<void>): void {
      ended = [...ended.slice(1 - ENDED_MAX), { delivery, atMs: now(), ended: whenEnded }]
    },
    /** In a run: the deliveries that ended as refused before, once. Otherwise none. */
    takeEnded(): Pick<Ended, 'delivery' | 'ended'>[] {
      return mailboxes.isFull() ? ended.splice(0) : []
    },
  }
}

/** The `max` values that were added last, each with its last time. */
function newest<T>(max: number) {
  const times = new Map<T, number>()
  return {
    add(value: T, atMs: number): void {
      // A Map iterates in the order of insertion.
      times.delete(value)
      times.set(value, atMs)
      if (times.size > max) times.delete(times.keys().next().value!)
    },
    isFull: () => times.size === max,
    forgetUntil(untilMs: number): void {
      for (const [value, atMs] of times) if (atMs <= untilMs) times.delete(value)
    },
  }
}
