// Wrong codes in a row for contract + typed address, party or not; after 100 the codes are longer, nobody is locked out. [D16]
import { sql, type Transaction } from 'kysely'
import { WRONG_CODES_BEFORE_LONG } from './code-throttle.js'
import type { SigningDatabase } from './database.js'

type Trx = Transaction<SigningDatabase>

/** Length of the mailbox's next code. */
export async function digitsOf(trx: Trx, contractId: string, mailbox: string): Promise<6 | 12> {
  const guard = await trx
    .selectFrom('mailbox_guard')
    .select('code_digits')
    .where('contract_id', '=', contractId)
    .where('mailbox', '=', mailbox)
    .executeTakeFirst()
  return guard?.code_digits === 12 ? 12 : 6
}

/** Counts a wrong code. @returns true at the one moment when the next codes become long */
export async function countWrong(trx: Trx, contractId: string, mailbox: string): Promise<boolean> {
  const guard = await trx
    .insertInto('mailbox_guard')
    .values({ contract_id: contractId, mailbox, wrong_in_row: 1, code_digits: 6 })
    .onConflict((conflict) =>
      conflict
        .columns(['contract_id', 'mailbox'])
        .doUpdateSet({ wrong_in_row: sql<number>`mailbox_guard.wrong_in_row + 1` }),
    )
    .returning(['wrong_in_row', 'code_digits'])
    .executeTakeFirstOrThrow()
  if (guard.wrong_in_row < WRONG_CODES_BEFORE_LONG || guard.code_digits === 12) return false
  await trx
    .updateTable('mailbox_guard')
    .set({ code_digits: 12 })
    .where('contract_id', '=', contractId)
    .where('mailbox', '=', mailbox)
    .execute()
  return true
}

/** A right code: the count begins anew and the next codes are short again. */
export async function resetGuard(trx: Trx, contractId: string, mailbox: string): Promise<void> {
  await trx
    .updateTable('mailbox_guard')
    .set({ wrong_in_row: 0, code_digits: 6 })
    .where('contract_id', '=', contractId)
    .where('mailbox', '=', mailbox)
    .execute()
}
