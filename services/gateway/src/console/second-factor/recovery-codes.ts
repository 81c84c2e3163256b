// Recovery codes: for a person whose device is away. Owns their shape and their rows. [D73]
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { countWrong } from '@paraph/codes/mailbox-guard'
import type { CodePolicy } from '@paraph/codes/code-policy'
import { authenticate, authenticateUnderEach, type Keyring } from '@paraph/config/keyring'
import { clock, type Trx } from '../../accounts/account-change.js'

export const RECOVERY_CODES = 10
/** Crockford's 32: without i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 10 characters of 32: 50 bits. */
const CODE_LENGTH = 10

/** Wrong recovery codes of a mailbox, after which none is checked until the UTC day ends. */
const WRONG_MAX = 10
const POLICY: CodePolicy = { digits: 8, wrongCodesMax: WRONG_MAX, wrongCodesCounted: 'in_a_day', isBound: true }
const guardOf = (mailbox: string): string => `recovery ${mailbox}`

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** In two halves, as people copy it. */
const shown = (code: string): string => `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

/** Ignores case, spaces and hyphens, which people add. */
const plain = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1')

const messageOf = (mailbox: string, code: string): string => `recovery code ${mailbox} ${code}`

/** Replaces the codes of a mailbox. @returns the codes, which cannot be read again */
export async function replaceRecoveryCodes(trx: Trx, peppers: Keyring, mailbox: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode)
  await trx.deleteFrom('recovery_code').where('mailbox', '=', mailbox).execute()
  await trx
    .insertInto('recovery_code')
    .values(
      codes.map((code) => ({
        mailbox,
        code_hmac: authenticate(peppers, messageOf(mailbox, code)),
        pepper_id: peppers.currentId,
      })),
    )
    .execute()
  return codes.map(shown)
}

/**
 * Uses a code up. `locked`: too many wrong ones today, so nothing was checked; `now_locked`: this was the last that is checked today.
 */
export async function useRecoveryCode(
  trx: Trx,
  peppers: Keyring,
  mailbox: string,
  typed: string,
): Promise<'used' | 'wrong' | 'locked' | 'now_locked'> {
  const scope = guardOf(mailbox)
  // One at a time, so that the count is exact.
  await sql`select pg_advisory_xact_lock(hashtextextended(${scope}, 0))`.execute(trx)
  const { rows } = await sql`
    select 1 from mailbox_guard
     where scope = ${scope} and mailbox = ${mailbox} and wrong_in_row >= ${WRONG_MAX}
       and counted_on = (clock_timestamp() at time zone 'UTC')::date`.execute(trx)
  if (rows.length > 0) return 'locked'
  const { numUpdatedRows } = await trx
    .updateTable('recovery_code')
    .set({ used_at: clock })
    .where('mailbox', '=', mailbox)
    .where('code_hmac', 'in', authenticateUnderEach(peppers, messageOf(mailbox, plain(typed))))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0) return 'used'
  return (await countWrong(trx, { id: scope, policy: POLICY }, mailbox)) === 'below' ? 'wrong' : 'now_locked'
}
