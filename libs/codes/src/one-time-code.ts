// The rows of one-time codes: made, compared, ended. [D16, D42]
// A stranger's code takes the same statements as anybody's; its row holds noise that no code opens.
import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { authenticate, seal, type Keyring } from '@paraph/service/keyring'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { CodeTables } from './code-tables.js'
import { CODE_TTL_SECONDS, LIVE_CODES_MAX, SENDS_BEFORE_SLOW } from './send-limits.js'

type Trx = Kysely<CodeTables>

/** A code that a typed one equals. */
export interface MatchingCode {
  id: string
  isLive: boolean
  endedBy: 'used' | 'superseded' | 'success' | 'locked' | null
}

/** @param peppers of what is compared @param codeKeys of what travels to notification */
export function createOneTimeCodes({ peppers, codeKeys }: { peppers: Keyring; codeKeys: Keyring }) {
  /**
   * Makes a code for a mailbox and queues its mail; the oldest beyond three live ones ends.
   * @param recipient whose mail it is, in the scope's own words; undefined for a stranger, who gets none
   * @param now the database's clock
   * @param pushAfterMs nobody pushes it before, whatever wakes them
   */
  async function addCode(
    trx: Trx,
    {
      scope,
      mailbox,
      recipient,
      digits,
    }: { scope: string; mailbox: string; recipient: string | undefined; digits: 6 | 12 },
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
        ...{ id, scope, mailbox, expires_at, pepper_id: peppers.currentId },
        code_hmac: recipient === undefined ? randomBytes(32) : hmacOf(scope, mailbox, code, peppers.currentId),
      })
      .execute()
    await trx
      .insertInto('code_send')
      .values({
        ...{ id, scope, mailbox, expires_at },
        ...{ recipient: recipient ?? null, code_sealed: sealed.bytes, code_key_id: sealed.keyId },
        leased_until: new Date(now.getTime() + pushAfterMs),
        traceparent: currentTraceparent() ?? null,
      })
      .execute()
  }

  /**
   * The mailbox's codes that equal `typed`: live ones, and those that ended within the hour, for whoever types one of these
   * deserves to hear why it does not work. Every code is compared, so that the time tells nothing.
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

  /** A pepper that is gone opens nothing, in the same time. */
  const hmacOf = (scope: string, mailbox: string, code: string, pepperId: string): Buffer =>
    peppers.keys.has(pepperId) ? authenticate(peppers, `code ${scope} ${mailbox} ${code}`, pepperId) : randomBytes(32)

  return { addCode, findMatching }
}

/** Ends every live code of the mailbox. `usedId` is the one that was right. */
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
 * When the newest codes were sent: to this address in 24 hours, to anybody of the scope in one. Newest first, and no
 * more than the limits ask for, so that strangers' addresses make nobody's page slow.
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
  return {
    toAddress: toAddress.rows.map((row) => row.created_at),
    toScope: toScope.rows.map((row) => row.created_at),
  }
}
