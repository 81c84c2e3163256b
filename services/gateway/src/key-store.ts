// The rows of API keys: made, looked up by hash, rotated, revoked. [Authentication, D28]
// The key itself is never stored. Does not own its shape (api-key) or how long an answer is believed (key-cache).
import { randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
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
  /** What was left of its life by the store's clock when it was read; null for a key without an end. */
  expiresInMs: number | null
  account: Account
  tier: string
  /** Of the account's tier in the key's environment. */
  limits: Limits
}

type Trx = Transaction<GatewayDatabase>

interface NewKey {
  environment: Environment
  name: string
  scopes: Scope[]
  /** Days of 24 hours from now; undefined for a key without an end. */
  expiresInDays: number | undefined
}

interface CreatedKey {
  id: string
  /** The whole key; it cannot be read again. */
  secret: string
  environment: Environment
  scopes: Scope[]
  expiresAt: Date | null
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
        sql<number | null>`extract(epoch from api_key.expires_at - now())::float8 * 1000`.as('expiresInMs'),
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
      .where(isActive)
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
      expiresInMs: row.expiresInMs,
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
  async function create({ accountId, ...wanted }: NewKey & { accountId: string }): Promise<CreatedKey> {
    return database.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId)
      return insert(trx, accountId, wanted, 'Revoke one first.')
    })
  }

  /**
   * A new key of the same account, environment, name and scopes; the old one ends `overlapDays` (0 to 7) from now, unless it ends
   * sooner. Without an overlap the old one makes room for the new one; during an overlap both count.
   * @param expiresInDays life of the new key; undefined for one without an end
   * @throws DomainError `not_found`; `invalid_request` for a key that has ended, or beyond 20 active keys
   */
  async function rotate(
    id: string,
    { overlapDays, expiresInDays }: { overlapDays: number; expiresInDays: number | undefined },
  ): Promise<{ key: CreatedKey; old: { id: string; expiresAt: Date } }> {
    return database.transaction().execute(async (trx) => {
      const owner = await trx.selectFrom('api_key').select('account_id').where('id', '=', id).executeTakeFirst()
      if (!owner) throw unknownKey()
      await lockAccount(trx, owner.account_id)
      const old = await trx
        .updateTable('api_key')
        .set({ expires_at: sql<Date>`least(expires_at, ${clock} + make_interval(hours => ${24 * overlapDays}))` })
        .where('id', '=', id)
        .where(isActive)
        .returning(['environment', 'name', 'scopes', 'expires_at'])
        .executeTakeFirst()
      if (!old?.expires_at) {
        throw new DomainError('invalid_request', 'This key has ended, so it cannot be rotated. Make a new key instead.')
      }
      const wanted = { environment: old.environment, name: old.name, scopes: old.scopes, expiresInDays }
      const key = await insert(trx, owner.account_id, wanted, 'Revoke one first, or rotate with an overlap of 0 days.')
      await announceKeyChange.execute(trx)
      return { key, old: { id, expiresAt: old.expires_at } }
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
        'last_used_at as lastUsedAt',
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
      if (!key?.revoked_at) throw unknownKey()
      await announceKeyChange.execute(trx)
      return { id: key.id, revokedAt: key.revoked_at }
    })
  }

  return { find, create, rotate, list, revoke }
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** What is kept in whole milliseconds is rounded down, so that "now" is never a little later. */
const clock = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** Neither revoked nor expired, by the store's clock at the moment of asking. */
const isActive = sql<boolean>`api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())`

const unknownKey = () => new DomainError('not_found', 'There is no key with this id. List the keys to find it.')

/** The account's row lock makes counting its keys and adding one a single step. @throws DomainError `not_found` */
async function lockAccount(trx: Trx, id: string): Promise<void> {
  const account = await trx.selectFrom('account').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!account) throw new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')
}

/** Under the account's lock. @param remedy what to do when there are 20 already */
async function insert(trx: Trx, accountId: string, wanted: NewKey, remedy: string): Promise<CreatedKey> {
  const { environment, name, scopes, expiresInDays } = wanted
  const { active } = await trx
    .selectFrom('api_key')
    .select((select) => select.fn.countAll<number>().as('active'))
    .where('account_id', '=', accountId)
    .where('environment', '=', environment)
    .where(isActive)
    .executeTakeFirstOrThrow()
  if (active >= ACTIVE_KEYS_MAX) {
    const most = `The account has ${ACTIVE_KEYS_MAX} active keys in this environment, which is the most.`
    throw new DomainError('invalid_request', `${most} ${remedy}`)
  }
  const secret = composeKey(environment, (below) => randomInt(below))
  const { sha256, displayStart, lastFour } = recordOf(secret, environment)
  const { id, expiresAt } = await trx
    .insertInto('api_key')
    .values({
      ...{ id: newId('key'), account_id: accountId, environment, name, scopes },
      ...{ sha256, display_start: displayStart, last_four: lastFour },
      expires_at:
        expiresInDays === undefined ? null : sql<Date>`${clock} + make_interval(hours => ${24 * expiresInDays})`,
    })
    .returning(['id', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow()
  return { id, secret, environment, scopes, expiresAt }
}
