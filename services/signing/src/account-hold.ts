// Which accounts are suspended, as their events tell: their share links are on hold. [D37, D47]
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import type { SigningDatabase } from './database.js'

type AccountEvent = Extract<ReceivedEvent, { type: `account.${string}` }>

/** The consumer's handler for account events. An older event than the one known changes nothing. */
export async function noteAccount(
  trx: Transaction<SigningDatabase>,
  { type, data, sequence }: AccountEvent,
): Promise<void> {
  await sql`
    insert into account_hold (account_id, is_suspended, sequence)
    values (${data.accountId}, ${type === 'account.suspended'}, ${sequence}::bigint)
    on conflict (account_id) do update set is_suspended = excluded.is_suspended, sequence = excluded.sequence
     where account_hold.sequence < excluded.sequence`.execute(trx)
}

/** True from the moment that the account's suspension has arrived until its end has. */
export async function isOnHold(database: Kysely<SigningDatabase>, accountId: string): Promise<boolean> {
  const row = await database
    .selectFrom('account_hold')
    .select('is_suspended')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.is_suspended ?? false
}
