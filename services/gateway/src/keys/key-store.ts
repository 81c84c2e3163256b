// The store of API keys: creates, finds (by hash), rotates and revokes keys. [Authentication, D28]
// The key itself is never stored. Does not own: its format (api-key), the lifetime of cached keys (key-cache).
import { randomInt } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { Scope } from '@paraph/protocol/scope'
import { DomainError } from '@paraph/protocol/errors'
import type { Account } from '../accounts/access.js'
import {
  appendAccountEvent,
  createTransactions,
  lockAccount,
  newId,
  notifyKeyChange,
} from '../accounts/account-change.js'
import type { LockedAccount, StoreDeps, Trx } from '../accounts/account-change.js'
import { recordAct, type Actor } from '../accounts/audit.js'
import { composeKey, recordOf } from './api-key.js'
import { queueMailToOwners } from '../accounts/owner-mail-queue.js'
import { limitsOf, subscriptionStatusOf } from '../accounts/subscription.js'
import type { GatewayDatabase } from '../database.js'

/** Active keys per account and environment. [D28] */
export const ACTIVE_KEYS_MAX = 20

interface NewKey {
  accountId: string
  environment: Environment
  name: string
  scopes: Scope[]
  /** Days of 24 hours from now; undefined: without an end. */
  expiresInDays: number | undefined
  /** Id of the submitted form, which can create only one key. */
  formId?: string | undefined
}

/** The key store. Owners get a mail for each key that is created or revoked. */
export function createKeyStore({ database, triggerRelay, triggerMails }: StoreDeps) {
  const inTransaction = createTransactions(database, triggerRelay, triggerMails)

  /**
   * Finds the key with this hexadecimal SHA-256 and all data that the edge needs; undefined if it is revoked or, by the store's clock,
   * expired. `expiresInMs` is the remaining life of the key by that clock; null: without an end.
   */
  async function find(fingerprint: string) {
    const row = await database
      .selectFrom('api_key')
      .innerJoin('account', 'account.id', 'account_id')
      .innerJoin('tier', 'tier.name', 'account.tier')
      .selectAll('tier')
      .select(['api_key.id', 'api_key.name as keyName', 'environment', 'scopes', 'api_key.created_at as createdAt'])
      .select(['expires_at as expiresAt', 'account_id as accountId', 'account.name as accountName'])
      .select(['sender_name as senderName', 'status', 'subscription_status as subscriptionStatus'])
      .select(['period_end as periodEnd', 'stop_at_quota as stopAtQuota', 'language', 'time_zone as timeZone'])
      .select(['reply_address as replyAddress', 'cancels_on_decline as cancelsOnDecline'])
      .select('reminds_parties as remindsParties')
      .select(sql<number | null>`extract(epoch from expires_at - now())::float8 * 1000`.as('expiresInMs'))
      .select(sql<Date>`clock_timestamp()`.as('readAt'))
      .where('sha256', '=', Buffer.from(fingerprint, 'hex'))
      .where(isActive)
      .executeTakeFirst()
    if (!row) return undefined
    const { id, keyName, environment, scopes, createdAt, expiresAt, expiresInMs, name: tier } = row
    const { accountId, status, stopAtQuota, accountName, senderName, language, timeZone } = row
    const { replyAddress, cancelsOnDecline, remindsParties } = row
    const subscriptionStatus = subscriptionStatusOf(row, row.readAt)
    const account: Account = {
      id: accountId,
      status,
      // Keys are created under a subscription only; treat a missing one as ended.
      subscriptionStatus: subscriptionStatus === 'none' ? 'ended' : subscriptionStatus,
      stopAtQuota,
      data: {
        name: accountName,
        senderName: senderName ?? accountName,
        language,
        timeZone,
        replyAddress,
        cancelsOnDecline,
        remindsParties,
      },
    }
    const limits = limitsOf(row, environment)
    return { id, name: keyName, environment, scopes, createdAt, expiresAt, expiresInMs, account, tier, limits }
  }

  /**
   * Creates a key.
   * @throws DomainError `not_found` for an unknown account; `invalid_request` beyond 20 active keys or without a subscription;
   *   `idempotency_key_reused` if the form has created its key already
   */
  async function create(wanted: NewKey, actor: Actor) {
    return inTransaction(async (trx) => {
      const account = await lockAccount(trx, wanted.accountId)
      const key = await insert(trx, account, wanted, 'Revoke one first.')
      await recordKeyAct(trx, account, key, 'key.created', actor)
      return key
    })
  }

  /**
   * Creates a key with the account, environment, name and scopes of an old one, which ends `overlapDays` (0 to 7) from now or sooner.
   * Both count as active during the overlap.
   * @param wanted life and form of the new key
   * @throws DomainError `not_found`; `invalid_request` for a key that has ended; as `create`
   */
  async function rotate(
    id: string,
    { overlapDays, ...wanted }: { overlapDays: number } & Pick<NewKey, 'expiresInDays' | 'formId'>,
    actor: Actor,
  ) {
    return inTransaction(async (trx) => {
      const account = await lockAccountOf(trx, id)
      const old = await trx
        .updateTable('api_key')
        .set({ expires_at: sql<Date>`least(expires_at, ${clock} + make_interval(hours => ${24 * overlapDays}))` })
        .where('id', '=', id)
        .where(isActive)
        .returning(['environment', 'name', 'scopes', sql<Date>`expires_at`.as('expiresAt')])
        .executeTakeFirst()
      if (!old)
        throw new DomainError('invalid_request', 'This key has ended, so it cannot be rotated. Make a new key instead.')
      const { expiresAt, ...kept } = old
      const remedy = 'Revoke one first, or rotate with an overlap of 0 days.'
      const key = await insert(trx, account, { ...kept, ...wanted }, remedy)
      const facts = { replacedBy: key.id, endsAt: expiresAt.toISOString() }
      await recordAct(trx, { actor, act: 'key.rotated', accountId: account.id, subject: id, facts })
      await recordKeyAct(trx, account, key, 'key.created', actor)
      await notifyKeyChange.execute(trx)
      return { key, old: { id, expiresAt } }
    })
  }

  /** Keys of one account or of all accounts, oldest first, without their hashes. */
  function list(accountId: string | undefined) {
    const keys = selectKeys(database)
    return (accountId === undefined ? keys : keys.where('account_id', '=', accountId)).execute()
  }

  /** Revokes a key; gateways refuse it as soon as they get the NOTIFY, or after 5 s. Idempotent. @throws DomainError `not_found` */
  async function revoke(id: string, actor: Actor): Promise<{ id: string; revokedAt: Date }> {
    return inTransaction(async (trx) => {
      const account = await lockAccountOf(trx, id)
      const key = await selectKeys(trx).where('id', '=', id).executeTakeFirstOrThrow()
      if (key.revokedAt) return { id, revokedAt: key.revokedAt }
      const { revokedAt } = await trx
        .updateTable('api_key')
        .set({ revoked_at: sql<Date>`now()` })
        .where('id', '=', id)
        .returning(sql<Date>`revoked_at`.as('revokedAt'))
        .executeTakeFirstOrThrow()
      await recordKeyAct(trx, account, key, 'key.revoked', actor)
      await notifyKeyChange.execute(trx)
      return { id, revokedAt }
    })
  }

  return { find, create, rotate, list, revoke }
}

export type KeyStore = ReturnType<typeof createKeyStore>
export type ApiKey = NonNullable<Awaited<ReturnType<KeyStore['find']>>>
export type CreatedKey = Awaited<ReturnType<typeof insert>>

const selectKeys = (database: Kysely<GatewayDatabase>) =>
  database
    .selectFrom('api_key')
    .select(['id', 'account_id as accountId', 'environment', 'name', 'display_start as displayStart'])
    .select(['last_four as lastFour', 'scopes', 'created_at as createdAt', 'expires_at as expiresAt'])
    .select(['revoked_at as revokedAt', 'last_used_at as lastUsedAt'])
    .orderBy('created_at')
    .orderBy('id')

/** Whole milliseconds, rounded down, so that a stored "now" is never in the future. */
const clock = sql<Date>`date_trunc('milliseconds', clock_timestamp())`

/** Neither revoked nor, by the store's clock, expired. */
const isActive = sql<boolean>`api_key.revoked_at is null and (api_key.expires_at is null or api_key.expires_at > clock_timestamp())`

/** Locks the account of a key. @throws DomainError `not_found` */
async function lockAccountOf(trx: Trx, keyId: string): Promise<LockedAccount> {
  const key = await trx.selectFrom('api_key').select('account_id').where('id', '=', keyId).executeTakeFirst()
  if (!key) throw new DomainError('not_found', 'There is no key with this id. List the keys to find it.')
  return lockAccount(trx, key.account_id)
}

/**
 * Requires the account's lock.
 * @param remedy ends the error sentence when there are 20 active keys already
 * @returns the new row, and `secret`, the whole key, which cannot be read again
 */
async function insert(
  trx: Trx,
  { id: accountId, tier }: LockedAccount,
  { environment, name, scopes, expiresInDays, formId }: Omit<NewKey, 'accountId'>,
  remedy: string,
) {
  if (tier === null)
    throw new DomainError('invalid_request', 'This account has no subscription. Keys are made once it has a tier.')
  if (formId !== undefined) await requireNewForm(trx, formId)
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
  const life = expiresInDays === undefined ? null : `${expiresInDays * 24} hours`
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
      expires_at: sql<Date | null>`${clock} + ${life}::interval`,
    })
    .returning(['id', 'expires_at as expiresAt'])
    .executeTakeFirstOrThrow()
  return { id, secret, environment, name, displayStart, lastFour, scopes, expiresAt }
}

/** Requires the account's lock, so that a second click waits for the first. @throws DomainError `idempotency_key_reused` */
async function requireNewForm(trx: Trx, formId: string): Promise<void> {
  const key = await trx.selectFrom('api_key').select('id').where('form_id', '=', formId).executeTakeFirst()
  if (!key) return
  const sentence = 'This form has made its key already. If you did not save that key, revoke it and make another.'
  throw new DomainError('idempotency_key_reused', sentence)
}

/** Adds the event, the audit entry and a mail to every owner, in the transaction that changes a key. */
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
  await queueMailToOwners(trx, {
    accountId: account.id,
    kind: act === 'key.created' ? 'key_created' : 'key_revoked',
    data: {
      accountName: account.name,
      keyName: name,
      keyHint: `${displayStart}…${lastFour}`,
      // The address of an operator stays private.
      by: actor.kind === 'operator' ? null : (actor.mailbox ?? null),
    },
  })
}
