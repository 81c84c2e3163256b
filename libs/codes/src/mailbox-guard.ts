// Counts wrong codes for a scope and typed address. After too many, its next codes are longer; nobody is locked out. [D16, P30]
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type QueryExecutorProvider } from 'kysely'
import type { CodeDigits, CodePolicy } from './code-policy.js'

/** The UTC day of the database clock. */
const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`

/** The length of the next code by the row `guard`, which may be missing: a left join. */
export const digitsBy = ({ digits }: CodePolicy) =>
  sql<CodeDigits>`case when guard.code_digits = 12 and coalesce(guard.counted_on = ${TODAY}, true) then 12 else ${digits}::integer end`

/** Length of the mailbox's next code. */
export async function digitsOf(
  trx: QueryExecutorProvider,
  { id, policy }: { id: string; policy: CodePolicy },
  mailbox: string,
): Promise<CodeDigits> {
  const { rows } = await sql<{ digits: CodeDigits }>`
    select ${digitsBy(policy)} as digits from mailbox_guard guard where scope = ${id} and mailbox = ${mailbox}`.execute(
    trx,
  )
  return rows[0]?.digits ?? policy.digits
}

/** Counts a wrong code. @returns `at_limit` only for the one after which the next codes are long, `beyond` for every later one */
export async function countWrong(
  trx: QueryExecutorProvider,
  { id, policy }: { id: string; policy: CodePolicy },
  mailbox: string,
): Promise<'below' | 'at_limit' | 'beyond'> {
  const { wrongCodesMax: max, wrongCodesCounted } = policy
  const day = wrongCodesCounted === 'in_a_day' ? TODAY : sql`null::date`
  const isNewDay = sql`guard.counted_on is distinct from excluded.counted_on`
  const { rows } = await sql<{ wrong: number }>`
    insert into mailbox_guard as guard (scope, mailbox, wrong_in_row, counted_on) values (${id}, ${mailbox}, 1, ${day})
    on conflict (scope, mailbox) do update
       set wrong_in_row = case when ${isNewDay} then 1 else guard.wrong_in_row + 1 end,
           code_digits = case when ${isNewDay} then 6 when guard.wrong_in_row + 1 >= ${max}::integer then 12 else guard.code_digits end,
           -- Else the row could be deleted, and a budget begin again, on a day of wrong codes.
           created_at = case when ${isNewDay} then clock_timestamp() else guard.created_at end,
           counted_on = excluded.counted_on
    returning wrong_in_row as wrong`.execute(trx)
  const { wrong } = elementAt(rows, 0)
  if (wrong < max) return 'below'
  return wrong === max ? 'at_limit' : 'beyond'
}

/** Resets a count of wrong codes in a row after a correct code; the next codes are short again. */
export async function resetGuard(
  trx: QueryExecutorProvider,
  { id, policy }: { id: string; policy: CodePolicy },
  mailbox: string,
): Promise<void> {
  if (policy.wrongCodesCounted !== 'in_a_row') return
  await sql`
    update mailbox_guard set wrong_in_row = 0, code_digits = 6
     where scope = ${id} and mailbox = ${mailbox}`.execute(trx)
}
