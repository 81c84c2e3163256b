// The rows of accounts, and the outbox row of what others must know of one. [D8, D14, D37, D47]
// Does not own keys (key-store) or what an account may do (account).
import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import { readClock } from '@paraph/database/clock'
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { AccountStatus, GatewayDatabase } from './database.js'
import { announceKeyChange } from './key-changes.js'

interface AccountSummary {
  id: string
  name: string
  tier: string
}

const COLUMNS = [
  'id',
  'name',
  'email',
  'tier',
  'status',
  'subscription_status as subscriptionStatus',
  'language',
  'time_zone as timeZone',
  'reply_address as replyAddress',
  'stop_at_quota as stopAtQuota',
  'created_at as createdAt',
] as const

const unknownAccount = () =>
  new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')

/** The rows of accounts, as the operator sees and makes them. @param wakeRelay called when an event waits to be told */
export function createAccountStore({
  database,
  wakeRelay,
}: {
  database: Kysely<GatewayDatabase>
  wakeRelay: () => void
}) {
  return {
    /** A new account whose subscription the operator granted. @throws DomainError `invalid_request` for an unknown tier */
    async create({ name, email, tier }: { name: string; email: string; tier: string }): Promise<AccountSummary> {
      const tiers = await database.selectFrom('tier').select('name').orderBy('requests_per_minute').execute()
      if (!tiers.some((known) => known.name === tier)) {
        const sentence = `tier must be one of: ${tiers.map((known) => known.name).join(', ')}.`
        throw new DomainError('invalid_request', sentence, { issues: [{ path: 'tier', message: sentence }] })
      }
      return database
        .insertInto('account')
        .values({ id: newId('acc'), name, email, tier })
        .returning(['id', 'name', 'tier'])
        .executeTakeFirstOrThrow()
    },

    /** Every account, oldest first. */
    list: () => database.selectFrom('account').select(COLUMNS).orderBy('created_at').orderBy('id').execute(),

    /** @throws DomainError `not_found` */
    async show(id: string) {
      const account = await database.selectFrom('account').select(COLUMNS).where('id', '=', id).executeTakeFirst()
      if (!account) throw unknownAccount()
      return account
    },

    /**
     * Suspends or resumes: keys, and the event that stops the share links, change in one transaction. Doing it again changes nothing.
     * @throws DomainError `not_found`
     */
    async setStatus(id: string, status: AccountStatus): Promise<{ id: string; status: AccountStatus }> {
      await database.transaction().execute(async (trx) => {
        const account = await trx
          .selectFrom('account')
          .select(['status', 'version'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (!account) throw unknownAccount()
        if (account.status === status) return
        const version = account.version + 1
        await trx.updateTable('account').set({ status, version }).where('id', '=', id).execute()
        const type = status === 'suspended' ? 'account.suspended' : 'account.resumed'
        const at = (await readClock(trx)).toISOString()
        await appendToOutbox(trx, {
          ...{ topic: 'account.events.v1', type, subject: id, sequence: version },
          data: { accountId: id, at },
        })
        await announceKeyChange.execute(trx)
      })
      wakeRelay()
      return { id, status }
    },
  }
}

export type AccountStore = ReturnType<typeof createAccountStore>

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** An identifier: `prefix_` and 20 characters, 103 random bits. */
export function newId(prefix: 'acc' | 'key'): string {
  return `${prefix}_${Array.from({ length: 20 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('')}`
}
