// Which accounts are suspended, as their events tell a service that cares. [D37, D47]
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ReceivedEvent } from './event-reader.js'

type AccountEvent = Extract<ReceivedEvent, { type: `account.${string}` }>

/** The table `account_hold`, for one numbered migration of a service. */
export async function createAccountHoldTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_hold (
    account_id text primary key,
    is_suspended boolean not null,
    sequence bigint not null
  )`.execute(db)
}

/** Notes an account event in the transaction of its inbox row. An older event than the one known changes nothing. */
export async function noteAccountHold<Tables>(
  trx: Transaction<Tables>,
  { type, data, sequence }: AccountEvent,
): Promise<void> {
  await sql`
    insert into account_hold (account_id, is_suspended, sequence)
    values (${data.accountId}, ${type === 'account.suspended'}, ${sequence}::bigint)
    on conflict (account_id) do update set is_suspended = excluded.is_suspended, sequence = excluded.sequence
     where account_hold.sequence < excluded.sequence`.execute(trx)
}

/** True from the moment that the account's suspension has arrived until its end has. */
export async function isOnHold<Tables>(database: Kysely<Tables>, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from account_hold where account_id = ${accountId} and is_suspended`.execute(database)
  return rows.length === 1
}
