// The rows of API keys: made, looked up by hash, rotated, revoked. [Authentication, D28]
// The key itself is never stored. Does not own its shape (api-key) or how long an answer is believed (key-cache).
import { randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Environment, Scope } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { Account } from './account.js'
import { tellOfAccount } from './account-events.js'
import { newId } from './account-store.js'
import { noteAct, type Actor } from './audit.js'
import { composeKey, recordOf } from './api-key.js'
import type { GatewayDatabase } from './database.js'
import { announceKeyChange } from './key-changes.js'
import { queueMailToOwners } from './owner-mail-queue.js'
import { standingOf } from './subscription.js'
import { limitsOf, type Limits } from './tier.js'

/** Active keys per account and environment. [D28] */
export const ACTIVE_KEYS_MAX = 20

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

export interface CreatedKey {
  id: string
  /** The whole key; it cannot be read again. */
  secret: string
  environment: Environment
  name: string
  /** What lists show of it, with the last four. */
  displayStart: string
  lastFour: string
  scopes: Scope[]
  expiresAt: Date | null
}

/**
 * The rows of keys: made once, found by their hash, revoked for good. Owners hear by mail what is made and what is revoked.
 * @param wakeRelay called when an event waits to be told @param wakeMails when a mail waits to be handed over
 */
export function createKeyStore({
  database,
  wakeRelay,
  wakeMails,
}: {
  database: Kysely<GatewayDatabase>
  wakeRelay: () => void
  wakeMails: () => void
}) {
  const inTransaction = async <Result>(act: (trx: Trx) => Promise<Result>): Promise<Result> => {
    const result = await database.transaction().execute(act)
    wakeRelay()
    wakeMails()
    return result
  }

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
        'account.sender_name as senderName',
        'account.status',
        'account.subscription_status as subscriptionStatus',
        'account.period_end as periodEnd',
        sql<Date>`clock_timestamp()`.as('readAt'),
        'account.stop_at_quota as stopAtQuota',
        'account.language',
        'account.time_zone as timeZone',
        'account.reply_address as replyAddress',
      ])
      .where('api_key.sha256', '=', Buffer.from(fingerprint, 'hex'))
      .where(isActive)
      .executeTakeFirst()
    if (!row) return undefined
    const { subscriptionStatus: status, periodEnd } = row
    const standing = standingOf({ tier: row.name, status, periodEnd }, row.readAt)
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
        // A key without a subscription was made by nobody.
        subscriptionStatus: standing === 'none' ? 'ended' : standing,
        stopAtQuota: row.stopAtQuota,
        facts: {
          name: row.accountName,
          senderName: row.senderName ?? row.accountName,
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
   * @param formId of the form that asks for it: the second time it makes none
   * @throws DomainError `not_found` for an unknown account, `invalid_request` beyond 20 active keys or without a subscription;
   *   `idempotency_key_reused` when this form has made its key
   */
  async function create(
    { accountId, formId, ...wanted }: NewKey & { accountId: string; formId?: string | undefined },
    actor: Actor,
  ): Promise<CreatedKey> {
    return inTransaction(async (trx) => {
      const account = await lockAccount(trx, accountId)
      const key = await insert(trx, account, { ...wanted, formId }, 'Revoke one first.')
      await tellOfKey(trx, account, key, 'key.created', actor)
      return key
    })
  }

  /**
   * A new key of the same account, environment, name and scopes; the old one ends `overlapDays` (0 to 7) from now, unless it ends
   * sooner. Without an overlap the old one makes room for the new one; during an overlap both count.
   * @param expiresInDays life of the new key; undefined for one without an end
   * @throws DomainError `not_found`; `invalid_request` for a key that has ended, or beyond 20 active keys; as `create` for `formId`
   */
  async function rotate(
    id: string,
    {
      overlapDays,
      expiresInDays,
      formId,
    }: { overlapDays: number; expiresInDays: number | undefined; formId?: string | undefined },
    actor: Actor,
  ): Promise<{ key: CreatedKey; old: { id: string; expiresAt: Date } }> {
    return inTransaction(async (trx) => {
      const owner = await trx.selectFrom('api_key').select('account_id').where('id', '=', id).executeTakeFirst()
      if (!owner) throw unknownKey()
      const account = await lockAccount(trx, owner.account_id)
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
      const wanted = { environment: old.environment, name: old.name, scopes: old.scopes, expiresInDays, formId }
      const key = await insert(trx, account, wanted, 'Revoke one first, or rotate with an overlap of 0 days.')
      const facts = { replacedBy: key.id, endsAt: old.expires_at.toISOString() }
      await noteAct(trx, { actor, act: 'key.rotated', accountId: account.id, subject: id, facts })
      await tellOfKey(trx, account, key, 'key.created', actor)
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
  async function revoke(id: string, actor: Actor): Promise<{ id: string; revokedAt: Date }> {
    return inTransaction(async (trx) => {
      const key = await trx
        .selectFrom('api_key')
        .select(['account_id', 'environment', 'name', 'display_start', 'last_four', 'revoked_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (!key) throw unknownKey()
      const account = await lockAccount(trx, key.account_id)
      const revoked = await trx
        .updateTable('api_key')
        .set({ revoked_at: sql<Date>`now()` })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('revoked_at')
        .executeTakeFirst()
      if (!revoked?.revoked_at) {
        const { revoked_at } = await trx
          .selectFrom('api_key')
          .select('revoked_at')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        return { id, revokedAt: revoked_at! }
      }
      const { environment, name, display_start: displayStart, last_four: lastFour } = key
      await tellOfKey(trx, account, { id, environment, name, displayStart, lastFour }, 'key.revoked', actor)
      await announceKeyChange.execute(trx)
      return { id, revokedAt: revoked.revoked_at }
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

interface LockedAccount {
  id: string
  name: string
  tier: string | null
}

/** The account's row lock makes counting its keys and adding one a single step. @throws DomainError `not_found` */
async function lockAccount(trx: Trx, id: string): Promise<LockedAccount> {
  const account = await trx
    .selectFrom('account')
    .select(['id', 'name', 'tier'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')
  return account
}

/** Under the account's lock. @param remedy what to do when there are 20 already */
async function insert(
  trx: Trx,
  { id: accountId, tier }: LockedAccount,
  wanted: NewKey & { formId: string | undefined },
  remedy: string,
): Promise<CreatedKey> {
  const { environment, name, scopes, expiresInDays, formId } = wanted
  if (tier === null)
    throw new DomainError('invalid_request', 'This account has no subscription. Keys are made once it has a tier.')
  if (formId !== undefined && (await isUsed(trx, formId))) throw formUsed()
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
      ...{ id: newId('key'), account_id: accountId, environment, name, scopes, form_id: formId ?? null },
      ...{ sha256, display_start: displayStart, last_four: lastFour },
      expires_at:
        expiresInDays === undefined ? null : sql<Date>`${clock} + make_interval(hours => ${24 * expiresInDays})`,
    })
    .returning(['id', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow()
  return { id, secret, environment, name, displayStart, lastFour, scopes, expiresAt }
}

/** Under the account's lock, so that a second click waits for the first. */
async function isUsed(trx: Trx, formId: string): Promise<boolean> {
  const key = await trx.selectFrom('api_key').select('id').where('form_id', '=', formId).executeTakeFirst()
  return key !== undefined
}

const formUsed = () =>
  new DomainError(
    'idempotency_key_reused',
    'This form has made its key already. If you did not save that key, revoke it and make another.',
  )

/** Event, audit entry and mail of a key, in its transaction. What the installation did by itself nobody needs to be told. */
async function tellOfKey(
  trx: Trx,
  account: LockedAccount,
  key: Pick<CreatedKey, 'id' | 'environment' | 'name' | 'displayStart' | 'lastFour'>,
  act: 'key.created' | 'key.revoked',
  actor: Actor,
): Promise<void> {
  const { id: keyId, environment, name, displayStart, lastFour } = key
  await tellOfAccount(trx, account.id, act, { keyId, environment })
  await noteAct(trx, { actor, act, accountId: account.id, subject: keyId, facts: { environment, name } })
  if (actor.kind === 'service') return
  await queueMailToOwners(trx, {
    ...{ accountId: account.id, kind: act === 'key.created' ? ('key_created' as const) : ('key_revoked' as const) },
    facts: {
      ...{ accountName: account.name, keyName: name, keyHint: `${displayStart}…${lastFour}` },
      // An operator's own address is nobody's business.
      by: actor.kind === 'owner' ? actor.mailbox : null,
    },
  })
}
