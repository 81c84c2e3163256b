// Counts wrong codes in a row for a scope and typed address. After 100, its next codes are longer; nobody is locked out. [D16]
import { sql, type QueryExecutorProvider } from 'kysely'
import { WRONG_CODES_BEFORE_LONG } from './send-limits.js'

/** Length of the mailbox's next code. */
export async function digitsOf(trx: QueryExecutorProvider, scope: string, mailbox: string): Promise<6 | 12> {
  const { rows } = await sql<{ digits: number }>`
    select code_digits as digits from mailbox_guard where scope = ${scope} and mailbox = ${mailbox}`.execute(trx)
  return rows[0]?.digits === 12 ? 12 : 6
}

/** Counts a wrong code. @returns true only for the wrong code after which the next codes are long */
export async function countWrong(trx: QueryExecutorProvider, scope: string, mailbox: string): Promise<boolean> {
  const { rows } = await sql<{ isLimit: boolean }>`
    insert into mailbox_guard as guard (scope, mailbox, wrong_in_row) values (${scope}, ${mailbox}, 1)
    on conflict (scope, mailbox) do update
       set wrong_in_row = guard.wrong_in_row + 1,
           code_digits = case when guard.wrong_in_row + 1 >= ${WRONG_CODES_BEFORE_LONG}::integer then 12 else guard.code_digits end
    returning wrong_in_row = ${WRONG_CODES_BEFORE_LONG}::integer as "isLimit"`.execute(trx)
  return rows.some(({ isLimit }) => isLimit)
}

/** Resets the count after a correct code; the next codes are short again. */
export async function resetGuard(trx: QueryExecutorProvider, scope: string, mailbox: string): Promise<void> {
  await sql`
    update mailbox_guard set wrong_in_row = 0, code_digits = 6
     where scope = ${scope} and mailbox = ${mailbox}`.execute(trx)
}
