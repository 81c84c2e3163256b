// What others hear of an account: one event each, in the order of its version. [D47, D48]
import { sql, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { appendToOutbox, type OutboxEvent } from '@paraph/messaging/outbox'
import type { EventData, EventType, TOPICS } from '@paraph/protocol/events'
import type { GatewayDatabase } from './database.js'

type AccountEvent = (typeof TOPICS)['account.events.v1'][number] & EventType

/**
 * Tells an event of the account in the transaction that made it true. Holds the account's row until the commit, so that versions
 * are commit order.
 * @param data beside `accountId` and `at`, which are added
 */
export async function tellOfAccount<Type extends AccountEvent>(
  trx: Transaction<GatewayDatabase>,
  accountId: string,
  type: Type,
  data: Omit<EventData<Type>, 'accountId' | 'at'>,
): Promise<void> {
  const { version } = await trx
    .updateTable('account')
    .set({ version: sql<number>`version + 1` })
    .where('id', '=', accountId)
    .returning('version')
    .executeTakeFirstOrThrow()
  const at = (await readClock(trx)).toISOString()
  const event = {
    ...{ topic: 'account.events.v1', type, subject: accountId, sequence: version },
    data: { ...data, accountId, at },
  }
  // Which data belong to which type is checked where this is called; the compiler cannot follow it further.
  await appendToOutbox(trx, event as unknown as OutboxEvent)
}
