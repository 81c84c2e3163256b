// The rows of accounts. [D8, D14] Does not own keys (key-store) or what an account may do (account).
import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import type { GatewayDatabase } from './database.js'

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

/** The rows of accounts, as the operator sees and makes them. */
export function createAccountStore(database: Kysely<GatewayDatabase>) {
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
      if (!account)
        throw new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')
      return account
    },
  }
}

export type AccountStore = ReturnType<typeof createAccountStore>

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** An identifier: `prefix_` and 20 characters, 103 random bits. */
export function newId(prefix: 'acc' | 'key'): string {
  return `${prefix}_${Array.from({ length: 20 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('')}`
}
