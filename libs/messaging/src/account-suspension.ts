// Which accounts are suspended, from the account events that a service consumes. [D37, D47]
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import type { ReceivedEvent } from './event-reader.js'

type SuspensionEvent = Extract<ReceivedEvent, { type: 'account.suspended' | 'account.resumed' }>

/** The table `account_hold`, for one numbered migration of a service. */
export async function createSuspendedAccountTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_hold (
    account_id text primary key,
    is_suspended boolean not null,
    sequence bigint not null
  )`.execute(db)
}

/** Records an account event in the transaction of its inbox row. An event older than the recorded one changes nothing. */
export async function recordSuspension<Tables>(
  trx: Transaction<Tables>,
  { type, data, sequence }: SuspensionEvent,
): Promise<void> {
  await sql`
    insert into account_hold (account_id, is_suspended, sequence)
    values (${data.accountId}, ${type === 'account.suspended'}, ${sequence}::bigint)
    on conflict (account_id) do update set is_suspended = excluded.is_suspended, sequence = excluded.sequence
     where account_hold.sequence < excluded.sequence`.execute(trx)
}

/** True from the event of the suspension to the event of its end. */
export async function isSuspended(database: QueryExecutorProvider, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from account_hold where account_id = ${accountId} and is_suspended`.execute(database)
  return rows.length === 1
}
