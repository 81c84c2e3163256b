// The common parts of every change of an account: transaction, row lock, events, and the notification about cached keys. [D47, D48]
import { randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { appendToOutbox, type OutboxEvent } from '@paraph/messaging/outbox'
import type { EventData, EventType, TOPICS } from '@paraph/protocol/events'
import type { GatewayDatabase } from '../database.js'
import { accountNotFound } from './account-queries.js'

export type Trx = Transaction<GatewayDatabase>

type AccountEvent = (typeof TOPICS)['account.events.v1'][number] & EventType

/** The dependencies of the stores of accounts, applications, owners and keys; each store takes those that it needs. */
export interface StoreDeps {
  database: Kysely<GatewayDatabase>
  /** Called after a commit that may have added an event. */
  triggerRelay: () => void
  /** Called after a commit that may have queued a mail. */
  triggerMails: () => void
}

/** Runs `command` in a transaction, and `triggers` after the commit, because `command` may have added an event or a mail. */
export const createTransactions =
  (database: Kysely<GatewayDatabase>, ...triggers: (() => void)[]) =>
  async <Result>(command: (trx: Trx) => Promise<Result>): Promise<Result> => {
    const result = await database.transaction().execute(command)
    for (const trigger of triggers) trigger()
    return result
  }

/** Locks an account's row until the commit. @throws DomainError `not_found` */
export async function lockAccount(trx: Trx, id: string) {
  const account = await trx
    .selectFrom('account')
    .select(['id', 'name', 'status', 'approved_at as approvedAt', 'tier', 'subscription_status as subscriptionStatus'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw accountNotFound()
  return account
}

export type LockedAccount = Awaited<ReturnType<typeof lockAccount>>

/** Runs `command` in a transaction under the account's lock. @throws DomainError `not_found` */
export type ChangeAccount = ReturnType<typeof createChangeAccount>

export function createChangeAccount({ database, triggerRelay }: Pick<StoreDeps, 'database' | 'triggerRelay'>) {
  const inTransaction = createTransactions(database, triggerRelay)
  return <Result>(id: string, command: (trx: Trx, account: LockedAccount) => Promise<Result>): Promise<Result> =>
    inTransaction(async (trx) => command(trx, await lockAccount(trx, id)))
}

/** The database's clock. */
export const clock = sql<Date>`clock_timestamp()`

/** NOTIFY channel, without payload. A notification means that the data of a cached key may have changed. */
export const KEY_CHANNEL = 'gateway_key'

/** Run it in the transaction of a change: the commit makes every gateway look up all cached keys again. [D28] */
export const notifyKeyChange = sql`select pg_notify(${KEY_CHANNEL}, '')`

/**
 * Publishes an event of the account in the transaction of the change. Locks the account's row until the commit, so that versions are in
 * commit order.
 * @param data without `accountId` and `at`, which this function adds
 */
export async function appendAccountEvent<Type extends AccountEvent>(
  trx: Trx,
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
    topic: 'account.events.v1',
    type,
    subject: accountId,
    sequence: version,
    data: { ...data, accountId, at },
  }
  // The signature matches `data` to `type`, which the compiler cannot infer through the generic.
  await appendToOutbox(trx, event as unknown as OutboxEvent)
}

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** A new identifier: `prefix_` and 20 characters with 103 random bits. */
export function newId(prefix: 'acc' | 'key' | 'app'): string {
  return `${prefix}_${Array.from({ length: 20 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('')}`
}
