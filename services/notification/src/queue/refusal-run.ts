// Detects an SMTP server that refuses everybody, whatever code it gives. [F34, P23]
// In memory of the process: after a restart the next ten refusals decide anew. Does not own: what a single refusal means (smtp/refusal.ts).
import type { ClaimedDelivery } from '../database.js'
import type { SendOutcome } from '../smtp/mailer.js'

/** This many different recipients refused in a row, with no mail accepted in between, are the server's fault. */
const RECIPIENTS_MIN = 10
/** Bounds what is kept while one dead mailbox is refused again and again. */
const ENDED_MAX = 1_000

/** A delivery that ended as refused before the run was long enough; `ended` settles when that is recorded. */
interface Ended {
  delivery: ClaimedDelivery
  ended: Promise<void>
}

export function createRefusalRun() {
  const mailboxes = new Set<string>()
  const accounts = new Set<string | null>()
  let ended: Ended[] = []

  return {
    /**
     * The result of a mail in the light of those before it. In a run of refusals, a refused mail is `blocked`. If the run has mails of
     * several accounts, the server is `unavailable`: a list of dead addresses of one account must not stop the mails of the others.
     */
    judge(result: SendOutcome, accountId: string | null, address: string): SendOutcome {
      if (result.outcome === 'accepted') {
        mailboxes.clear()
        accounts.clear()
        ended = []
      }
      if (result.outcome !== 'refused' && result.outcome !== 'blocked') return result
      if (mailboxes.size < RECIPIENTS_MIN) mailboxes.add(address.toLowerCase())
      if (accounts.size < 2) accounts.add(accountId)
      if (mailboxes.size < RECIPIENTS_MIN) return result
      return { outcome: accounts.size > 1 ? 'unavailable' : 'blocked', reason: result.reason }
    },
    remember(delivery: ClaimedDelivery, whenEnded: Promise<void>): void {
      ended = [...ended.slice(1 - ENDED_MAX), { delivery, ended: whenEnded }]
    },
    /** In a run: the deliveries that ended as refused before, once. Otherwise none. */
    takeEnded(): Ended[] {
      if (mailboxes.size < RECIPIENTS_MIN) return []
      return ended.splice(0)
    },
  }
}
