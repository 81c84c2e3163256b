// The rows of one-time codes: creates, compares and ends them. [D16, D42]
// A stranger's code takes the same statements; its row holds random bytes that match no code.
import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { authenticate, seal, type Keyring } from '@paraph/config/keyring'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { CodeTables } from './code-tables.js'
import { CODE_TTL_SECONDS, LIVE_CODES_MAX, SENDS_BEFORE_SLOW } from './send-limits.js'

type Trx = Kysely<CodeTables>

/** A stored code that equals the typed one. */
export interface MatchingCode {
  id: string
  isLive: boolean
  endedBy: 'used' | 'superseded' | 'success' | 'locked' | null
}

interface NewCode {
  scope: string
  mailbox: string
  /** As the scope names it; undefined for a stranger, who gets no mail. */
  recipient: string | undefined
  digits: 6 | 12
}

/** @param peppers keys of the stored HMACs @param codeKeys keys that seal codes on their way to the notification service */
export function createOneTimeCodes({ peppers, codeKeys }: { peppers: Keyring; codeKeys: Keyring }) {
  /**
   * Creates a code for a mailbox and queues its mail; ends the oldest beyond three live codes.
   * @param now the database's clock
   * @param pushAfterMs no worker pushes the code before this delay is over
   */
  async function addCode(
    trx: Trx,
    { scope, mailbox, recipient, digits }: NewCode,
    now: Date,
    pushAfterMs: number,
  ): Promise<void> {
    const code = String(randomInt(10 ** digits)).padStart(digits, '0')
    const id = randomUUID()
    const expires_at = new Date(now.getTime() + CODE_TTL_SECONDS * 1_000)
    const sealed = seal(codeKeys, code, id)
    await endOldest(trx, scope, mailbox, LIVE_CODES_MAX - 1)
    await trx
      .insertInto('one_time_code')
      .values({
        id,
        scope,
        mailbox,
        expires_at,
        pepper_id: peppers.currentId,
        code_hmac: recipient === undefined ? randomBytes(32) : hmacOf(scope, mailbox, code, peppers.currentId),
      })
      .execute()
    await trx
      .insertInto('code_send')
      .values({
        id,
        scope,
        mailbox,
        expires_at,
        recipient: recipient ?? null,
        code_sealed: sealed.bytes,
        code_key_id: sealed.keyId,
        leased_until: new Date(now.getTime() + pushAfterMs),
        traceparent: currentTraceparent() ?? null,
      })
      .execute()
  }

  /**
   * The mailbox's codes that equal `typed`: live ones, and those that ended within the last hour, so that the page can say why
   * such a code does not work. Compares every code, so that the time taken reveals nothing.
   */
  async function findMatching(trx: Trx, scope: string, mailbox: string, typed: string): Promise<MatchingCode[]> {
    const { rows } = await sql<MatchingCode & { hmac: Buffer; pepperId: string }>`
      select id, code_hmac as hmac, pepper_id as "pepperId", ended_by as "endedBy",
             (ended_at is null and expires_at > clock_timestamp()) as "isLive"
        from one_time_code
       where scope = ${scope} and mailbox = ${mailbox}
         and expires_at > clock_timestamp() - interval '1 hour'`.execute(trx)
    return rows.filter(({ hmac, pepperId }) => timingSafeEqual(hmac, hmacOf(scope, mailbox, typed, pepperId)))
  }

  /** With an unknown pepper: random bytes, which match nothing, at the same cost. */
  const hmacOf = (scope: string, mailbox: string, code: string, pepperId: string): Buffer =>
    peppers.keys.has(pepperId) ? authenticate(peppers, `code ${scope} ${mailbox} ${code}`, pepperId) : randomBytes(32)

  return { addCode, findMatching }
}

/** Ends every live code of the mailbox. `usedId` is the code that was right. */
export async function endCodes(
  trx: Trx,
  scope: string,
  mailbox: string,
  endedBy: 'success' | 'locked',
  usedId?: string,
): Promise<void> {
  await sql`
    update one_time_code
       set ended_at = clock_timestamp(), ended_by = case when id = ${usedId ?? null}::uuid then 'used' else ${endedBy} end
     where scope = ${scope} and mailbox = ${mailbox} and ended_at is null`.execute(trx)
}

/** Ends all but the `keep` newest live codes of the mailbox. */
async function endOldest(trx: Trx, scope: string, mailbox: string, keep: number): Promise<void> {
  await sql`
    update one_time_code set ended_at = clock_timestamp(), ended_by = 'superseded'
     where id in (select id from one_time_code
                   where scope = ${scope} and mailbox = ${mailbox} and ended_at is null and expires_at > clock_timestamp()
                   order by created_at desc offset ${keep})`.execute(trx)
}

/**
 * When the newest codes were sent: to this address in 24 hours, to any party of the scope in one hour. Newest first, and no
 * more rows than the limits need, so that strangers' requests do not slow the page.
 */
export async function readSends(
  trx: Trx,
  scope: string,
  mailbox: string,
  scopeMailsMax: number,
): Promise<{ toAddress: Date[]; toScope: Date[] }> {
  const newest = (condition: RawBuilder<unknown>, interval: RawBuilder<unknown>, count: number) =>
    sql<{ created_at: Date }>`
      select created_at from code_send
       where scope = ${scope} and ${condition} and created_at > clock_timestamp() - ${interval}
       order by created_at desc limit ${count}`.execute(trx)
  const toAddress = await newest(sql`mailbox = ${mailbox}`, sql`interval '24 hours'`, SENDS_BEFORE_SLOW)
  const toScope = await newest(sql`recipient is not null`, sql`interval '1 hour'`, scopeMailsMax)
  return { toAddress: toAddress.rows.map((row) => row.created_at), toScope: toScope.rows.map((row) => row.created_at) }
}
