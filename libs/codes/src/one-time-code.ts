// The rows of one-time codes: creates, compares and ends them. [D16, D42]
// For a stranger (an address of no party), the same statements run, but the row contains random bytes that match no code.
import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type QueryExecutorProvider } from 'kysely'
import { authenticate, seal, type Keyring } from '@paraph/config/keyring'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { CodeDigits } from './code-policy.js'
import { CODE_TTL_SECONDS, LIVE_CODES_MAX, SENDS_BEFORE_SLOW } from './send-limits.js'

/** A stored code that equals the typed one. */
export interface MatchingCode {
  id: string
  isLive: boolean
  endedBy: 'used' | 'superseded' | 'success' | 'locked' | null
}

interface NewCode {
  scope: string
  mailbox: string
  /** The recipient as the scope names it; undefined for a stranger, who gets no mail. */
  recipient: string | undefined
  digits: CodeDigits
  challengeId: string
  /** True: the code works only at its challenge. False: it ends the oldest live codes, so that at most three are live. */
  isBound: boolean
  isKnownBrowser: boolean
}

/** @param peppers keys of the stored HMACs @param codeKeys keys that encrypt codes in the push queue */
export function createOneTimeCodes({ peppers, codeKeys }: { peppers: Keyring; codeKeys: Keyring }) {
  /**
   * Creates a code for a mailbox and queues its mail.
   * @param now the database's clock
   * @param pushAfterMs no worker pushes the code before this delay is over
   */
  async function addCode(
    trx: QueryExecutorProvider,
    { scope, mailbox, recipient, digits, challengeId, isBound, isKnownBrowser }: NewCode,
    now: Date,
    pushAfterMs: number,
  ): Promise<void> {
    const code = String(randomInt(10 ** digits)).padStart(digits, '0')
    const id = randomUUID()
    const hmac = recipient === undefined ? randomBytes(32) : hmacOf(scope, mailbox, code, peppers.currentId)
    const sealed = seal(codeKeys, code, id)
    const expiresAt = new Date(now.getTime() + CODE_TTL_SECONDS * 1_000)
    const pushAt = new Date(now.getTime() + pushAfterMs)
    if (!isBound) await endOldest(trx, scope, mailbox, LIVE_CODES_MAX - 1)
    await sql`
      with new_code as (
        insert into one_time_code (id, scope, mailbox, challenge_id, expires_at, pepper_id, code_hmac)
        values (${id}, ${scope}, ${mailbox}, ${challengeId}, ${expiresAt}, ${peppers.currentId}, ${hmac})
      )
      insert into code_send (id, scope, mailbox, expires_at, recipient, code_sealed, code_key_id, leased_until, is_known_browser, traceparent)
      values (${id}, ${scope}, ${mailbox}, ${expiresAt}, ${recipient ?? null}, ${sealed.bytes}, ${sealed.keyId}, ${pushAt}, ${isKnownBrowser},
              ${currentTraceparent() ?? null})`.execute(trx)
  }

  /**
   * The mailbox's codes that equal `typed`: live codes, and codes whose ten minutes ended at most an hour ago, so that the page can state
   * why such a code does not work. Compares every code, so that the time taken reveals nothing.
   * @param challengeId only the codes that were requested with this challenge; undefined for all
   */
  async function findMatching(
    trx: QueryExecutorProvider,
    scope: string,
    mailbox: string,
    typed: string,
    challengeId?: string,
  ): Promise<MatchingCode[]> {
    const { rows } = await sql<MatchingCode & { hmac: Buffer; pepperId: string }>`
      select id, code_hmac as hmac, pepper_id as "pepperId", ended_by as "endedBy",
             (ended_at is null and expires_at > clock_timestamp()) as "isLive"
        from one_time_code
       where scope = ${scope} and mailbox = ${mailbox}
         and (${challengeId ?? null}::text is null or challenge_id = ${challengeId ?? null})
         and expires_at > clock_timestamp() - interval '1 hour'`.execute(trx)
    return rows.filter(({ hmac, pepperId }) => timingSafeEqual(hmac, hmacOf(scope, mailbox, typed, pepperId)))
  }

  /** The HMAC of a code; with an unknown pepper, random bytes, which match no code. */
  const hmacOf = (scope: string, mailbox: string, code: string, pepperId: string): Buffer =>
    peppers.keys.has(pepperId) ? authenticate(peppers, `code ${scope} ${mailbox} ${code}`, pepperId) : randomBytes(32)

  return { addCode, findMatching }
}

/** Ends every live code of the mailbox. `usedId` is the correct code. */
export async function endCodes(
  trx: QueryExecutorProvider,
  scope: string,
  mailbox: string,
  endedBy: 'success' | 'locked' | 'superseded',
  usedId?: string,
): Promise<void> {
  await sql`
    update one_time_code
       set ended_at = clock_timestamp(), ended_by = case when id = ${usedId ?? null}::uuid then 'used' else ${endedBy} end
     where scope = ${scope} and mailbox = ${mailbox} and ended_at is null`.execute(trx)
}

/** Ends all but the `keep` newest live codes of the mailbox. */
async function endOldest(trx: QueryExecutorProvider, scope: string, mailbox: string, keep: number): Promise<void> {
  await sql`
    update one_time_code set ended_at = clock_timestamp(), ended_by = 'superseded'
     where id in (select id from one_time_code
                   where scope = ${scope} and mailbox = ${mailbox} and ended_at is null and expires_at > clock_timestamp()
                   order by created_at desc offset ${keep})`.execute(trx)
}

/**
 * When codes were sent to this address in the last 24 hours, newest first, and no more than the limits need. Only the typed address
 * counts: a count of real mails would show a stranger which addresses get one. [P29]
 * A code dated in the future was sent before the clock was set back. It does not count, because the next code would wait as long as the
 * step of the clock; a second is tolerated. [F32]
 */
export async function readSends(
  trx: QueryExecutorProvider,
  scope: string,
  mailbox: string,
  isKnownBrowser: boolean,
): Promise<Date[]> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from code_send
     where scope = ${scope} and mailbox = ${mailbox} and is_known_browser = ${isKnownBrowser}
       and created_at > clock_timestamp() - interval '24 hours' and created_at < clock_timestamp() + interval '1 second'
     order by created_at desc limit ${SENDS_BEFORE_SLOW}`.execute(trx)
  return rows.map((row) => row.created_at)
}
