// The rows of API keys: created, found by hash, rotated, revoked. [Authentication, D28]
// The key itself is never stored. Does not own: its format (api-key), the lifetime of cached keys (key-cache).
import { randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { Scope } from '@paraph/protocol/scope'
import { DomainError } from '@paraph/protocol/errors'
import type { Account } from '../accounts/account.js'
import { appendAccountEvent, newId, notifyKeyChange, type Trx } from '../accounts/account-change.js'
import { accountNotFound } from '../accounts/account-queries.js'
import { recordAct, type Actor } from '../accounts/audit.js'
import { composeKey, recordOf } from './api-key.js'
import type { GatewayDatabase } from '../database.js'
import { queueMailToOwners } from '../accounts/owner-mail-queue.js'
import { subscriptionStatusOf } from '../accounts/subscription.js'
import { limitsOf, type Limits } from '../accounts/tier.js'

/** Active keys per account and environment. [D28] */
export const ACTIVE_KEYS_MAX = 20

/** A valid key with everything that the edge needs of it. */
export interface ApiKey {
  id: string
  name: string
  environment: Environment
  scopes: readonly Scope[]
  createdAt: Date
  expiresAt: Date | null
  /** Remaining life by the store's clock when it was read; null: without an end. */
  expiresInMs: number | null
  account: Account
  tier: string
  /** The limits of the account's tier in the key's environment. */
  limits: Limits
}

interface NewKey {
  environment: Environment
  name: string
  scopes: Scope[]
  /** Days of 24 hours from now; undefined: without an end. */
  expiresInDays: number | undefined
}

export interface CreatedKey {
  id: string
  /** The whole key, which cannot be read again. */
  secret: string
  environment: Environment
  name: string
  /** Lists show it with the last four characters. */
  displayStart: string
  lastFour: string
  scopes: Scope[]
  expiresAt: Date | null
}

interface KeyStoreDeps {
  database: Kysely<GatewayDatabase>
  /** Called after a commit that may have added an event. */
  triggerRelay: () => void
  /** Called after a commit that may have queued a mail. */
  triggerMails: () => void
}

/** The rows of keys. Owners get a mail for each key that is created or revoked. */
export function createKeyStore({ database, triggerRelay, triggerMails }: KeyStoreDeps) {
  const inTransaction = async <Result>(command: (trx: Trx) => Promise<Result>): Promise<Result> => {
    const result = await database.transaction().execute(command)
    triggerRelay()
    triggerMails()
    return result
  }

  /** The key with this SHA-256 in hexadecimal, unless it is revoked or, by the store's clock, expired. */
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
    const subscriptionStatus = subscriptionStatusOf({ tier: row.name, status, periodEnd }, row.readAt)
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
        // Keys are created under a subscription only; treat a missing one as ended.
        subscriptionStatus: subscriptionStatus === 'none' ? 'ended' : subscriptionStatus,
        stopAtQuota: row.stopAtQuota,
        data: {
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
   * Creates a key.
   * @param formId of the submitted form, which can create one key alone
   * @throws DomainError `not_found` for an unknown account; `invalid_request` beyond 20 active keys or without a subscription;
   *   `idempotency_key_reused` if the form has created its key already
   */
  async function create(
    { accountId, formId, ...wanted }: NewKey & { accountId: string; formId?: string | undefined },
    actor: Actor,
  ): Promise<CreatedKey> {
    return inTransaction(async (trx) => {
      const account = await lockAccount(trx, accountId)
      const key = await insert(trx, account, { ...wanted, formId }, 'Revoke one first.')
      await recordKeyAct(trx, account, key, 'key.created', actor)
      return key
    })
  }

  /**
   * Creates a key with the account, environment, name and scopes of an old one, which ends `overlapDays` (0 to 7) from now or sooner.
   * Both count as active during the overlap.
   * @param expiresInDays life of the new key; undefined: without an end
   * @throws DomainError `not_found`; `invalid_request` for a key that has ended; as `create`
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
      await recordAct(trx, { actor, act: 'key.rotated', accountId: account.id, subject: id, facts })
      await recordKeyAct(trx, account, key, 'key.created', actor)
      await notifyKeyChange.execute(trx)
      return { key, old: { id, expiresAt: old.expires_at } }
    })
  }

  /** Keys of one account or of all, oldest first, without their hashes. */
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

  /** Revokes a key; gateways refuse it as soon as they get the NOTIFY, or after 5 s. Idempotent. @throws DomainError `not_found` */
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
      await recordKeyAct(trx, account, { id, environment, name, displayStart, lastFour }, 'key.revoked', actor)
      await notifyKeyChange.execute(trx)
      return { id, revokedAt: revoked.revoked_at }
    })
  }

  return { find, create, rotate, list, revoke }
}

export type KeyStore = ReturnType<typeof createKeyStore>

/** Whole milliseconds, rounded down, so that a stored "now" is never in the future. */
const clock = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** Neither revoked nor, by the store's clock, expired. */
const isActive = sql<boolean>`api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())`

const unknownKey = () => new DomainError('not_found', 'There is no key with this id. List the keys to find it.')

interface LockedAccount {
  id: string
  name: string
  tier: string | null
}

/** Locks the account's row, so that counting its keys and adding one is atomic. @throws DomainError `not_found` */
async function lockAccount(trx: Trx, id: string): Promise<LockedAccount> {
  const account = await trx
    .selectFrom('account')
    .select(['id', 'name', 'tier'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!account) throw accountNotFound()
  return account
}

/** Runs under the account's lock. @param remedy ends the error sentence when there are 20 active keys already */
async function insert(
  trx: Trx,
  { id: accountId, tier }: LockedAccount,
  wanted: NewKey & { formId: string | undefined },
  remedy: string,
): Promise<CreatedKey> {
  const { environment, name, scopes, expiresInDays, formId } = wanted
  if (tier === null)
    throw new DomainError('invalid_request', 'This account has no subscription. Keys are made once it has a tier.')
  if (formId !== undefined && (await isFormUsed(trx, formId))) throw formUsed()
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
      id: newId('key'),
      account_id: accountId,
      environment,
      name,
      scopes,
      form_id: formId ?? null,
      sha256,
      display_start: displayStart,
      last_four: lastFour,
      expires_at:
        expiresInDays === undefined ? null : sql<Date>`${clock} + make_interval(hours => ${24 * expiresInDays})`,
    })
    .returning(['id', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow()
  return { id, secret, environment, name, displayStart, lastFour, scopes, expiresAt }
}

/** Runs under the account's lock, so that a second click waits for the first. */
async function isFormUsed(trx: Trx, formId: string): Promise<boolean> {
  const key = await trx.selectFrom('api_key').select('id').where('form_id', '=', formId).executeTakeFirst()
  return key !== undefined
}

const formUsed = () =>
  new DomainError(
    'idempotency_key_reused',
    'This form has made its key already. If you did not save that key, revoke it and make another.',
  )

/** Adds event, audit entry and mails for a key in its transaction. Acts of the installation itself send no mail. */
async function recordKeyAct(
  trx: Trx,
  account: LockedAccount,
  key: Pick<CreatedKey, 'id' | 'environment' | 'name' | 'displayStart' | 'lastFour'>,
  act: 'key.created' | 'key.revoked',
  actor: Actor,
): Promise<void> {
  const { id: keyId, environment, name, displayStart, lastFour } = key
  if (act === 'key.revoked') await appendAccountEvent(trx, account.id, act, { keyId, environment })
  await recordAct(trx, { actor, act, accountId: account.id, subject: keyId, facts: { environment, name } })
  if (actor.kind === 'service') return
  await queueMailToOwners(trx, {
    accountId: account.id,
    kind: act === 'key.created' ? ('key_created' as const) : ('key_revoked' as const),
    facts: {
      accountName: account.name,
      keyName: name,
      keyHint: `${displayStart}…${lastFour}`,
      // The address of an operator stays private.
      by: actor.kind === 'owner' ? actor.mailbox : null,
    },
  })
}
