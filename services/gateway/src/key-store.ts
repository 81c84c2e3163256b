// The rows of API keys: made, looked up by hash, revoked. [Authentication, D28]
// The key itself is never stored. Does not own its shape (api-key) or how long an answer is believed (key-cache).
import { randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Environment, Scope } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { Account } from './account.js'
import { newId } from './account-store.js'
import { composeKey, recordOf } from './api-key.js'
import type { GatewayDatabase } from './database.js'
import { announceKeyChange } from './key-changes.js'
import { limitsOf, type Limits } from './tier.js'

/** Active keys per account and environment. [D28] */
const ACTIVE_KEYS_MAX = 20

/** A key that is good now, with everything the edge asks about it. */
export interface ApiKey {
  id: string
  name: string
  environment: Environment
  scopes: readonly Scope[]
  createdAt: Date
  expiresAt: Date | null
  account: Account
  tier: string
  /** Of the account's tier in the key's environment. */
  limits: Limits
}

/** The rows of keys: made once, found by their hash, revoked for good. */
export function createKeyStore(database: Kysely<GatewayDatabase>) {
  /** The key with this SHA-256 (hexadecimal), if it is neither revoked nor expired by the store's clock. */
  async function find(fingerprint: string): Promise<ApiKey | undefined> {
    const row = await database
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'api_key.account_id')
      .innerJoin('tier', 'tier.name', 'account.tier')
      .selectAll('tier')
      .select([
        'api_key.id as keyId',
        'api_key.name as keyName',
        'api_key.environment',
        'api_key.scopes',
        'api_key.created_at as createdAt',
        'api_key.expires_at as expiresAt',
        'account.id as accountId',
        'account.name as accountName',
        'account.status',
        'account.subscription_status as subscriptionStatus',
        'account.stop_at_quota as stopAtQuota',
        'account.language',
        'account.time_zone as timeZone',
        'account.reply_address as replyAddress',
      ])
      .where('api_key.sha256', '=', Buffer.from(fingerprint, 'hex'))
      .where('api_key.revoked_at', 'is', null)
      .where((where) =>
        where.or([where('api_key.expires_at', 'is', null), where('api_key.expires_at', '>', sql<Date>`now()`)]),
      )
      .executeTakeFirst()
    if (!row) return undefined
    const tier = {
      name: row.name,
      requestsPerMinute: row.requests_per_minute,
      monthlyQuota: row.monthly_quota,
      sandboxRequestsPerMinute: row.sandbox_requests_per_minute,
      sandboxMonthlyQuota: row.sandbox_monthly_quota,
    }
    return {
      id: row.keyId,
      name: row.keyName,
      environment: row.environment,
      scopes: row.scopes,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      account: {
        id: row.accountId,
        status: row.status,
        subscriptionStatus: row.subscriptionStatus,
        stopAtQuota: row.stopAtQuota,
        facts: {
          name: row.accountName,
          language: row.language,
          timeZone: row.timeZone,
          replyAddress: row.replyAddress,
        },
      },
      tier: tier.name,
      limits: limitsOf(tier, row.environment),
    }
  }

  /**
   * A new key. `secret` is the whole key; it cannot be read again.
   * @throws DomainError `not_found` for an unknown account, `invalid_request` beyond 20 active keys
   */
  async function create(wanted: { accountId: string; environment: Environment; name: string; scopes: Scope[] }) {
    const secret = composeKey(wanted.environment, (below) => randomInt(below))
    const { sha256, displayStart, lastFour } = recordOf(secret, wanted.environment)
    return database.transaction().execute(async (trx) => {
      // The account's row lock makes counting and adding one step.
      const account = await trx
        .selectFrom('account')
        .select('id')
        .where('id', '=', wanted.accountId)
        .forUpdate()
        .executeTakeFirst()
      if (!account)
        throw new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')
      const { active } = await trx
        .selectFrom('api_key')
        .select((select) => select.fn.countAll<number>().as('active'))
        .where('account_id', '=', wanted.accountId)
        .where('environment', '=', wanted.environment)
        .where('revoked_at', 'is', null)
        .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
        .executeTakeFirstOrThrow()
      if (active >= ACTIVE_KEYS_MAX) {
        throw new DomainError(
          'invalid_request',
          `The account has ${ACTIVE_KEYS_MAX} active keys in this environment, which is the most. Revoke one first.`,
        )
      }
      const { id } = await trx
        .insertInto('api_key')
        .values({
          id: newId('key'),
          account_id: wanted.accountId,
          environment: wanted.environment,
          name: wanted.name,
          sha256,
          display_start: displayStart,
          last_four: lastFour,
          scopes: wanted.scopes,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return { id, secret, environment: wanted.environment, scopes: wanted.scopes }
    })
  }

  /** Keys of one account or of all, oldest first, without anything that would let one be used. */
  function list(accountId: string | undefined) {
    const keys = database
      .selectFrom('api_key')
      .select([
        'id',
        'account_id as accountId',
        'environment',
        'name',
        'display_start as displayStart',
        'last_four as lastFour',
        'scopes',
        'created_at as createdAt',
        'expires_at as expiresAt',
        'revoked_at as revokedAt',
      ])
      .orderBy('created_at')
      .orderBy('id')
    return (accountId === undefined ? keys : keys.where('account_id', '=', accountId)).execute()
  }

  /** Ends a key, at once where NOTIFY arrives. Revoking again changes nothing. @throws DomainError `not_found` */
  async function revoke(id: string): Promise<{ id: string; revokedAt: Date }> {
    return database.transaction().execute(async (trx) => {
      const key = await trx
        .updateTable('api_key')
        .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
        .where('id', '=', id)
        .returning(['id', 'revoked_at'])
        .executeTakeFirst()
      if (!key?.revoked_at)
        throw new DomainError('not_found', 'There is no key with this id. List the keys to find it.')
      await announceKeyChange.execute(trx)
      return { id: key.id, revokedAt: key.revoked_at }
    })
  }

  return { find, create, list, revoke }
}

export type KeyStore = ReturnType<typeof createKeyStore>
