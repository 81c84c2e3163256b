// The rows of accounts: made, suspended, given a tier, changed by their owners. [D4, D8, D14, D34, D37, D38, D47]
// Owns: the transactions, in which audit entry and event are made too. Does not own keys (key-store), owners (account-owners), what
// an account may do (account, access).
import { randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { MailLanguage } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { readClock } from '@paraph/database/clock'
import type { AccountRecord } from './access.js'
import { tellOfAccount } from './account-events.js'
import { addFirstOwner } from './account-owners.js'
import { noteAct, type Act, type Actor } from './audit.js'
import type { AccountStatus, GatewayDatabase, KeptSubscriptionStatus } from './database.js'
import { announceKeyChange } from './key-changes.js'
import { standingOf } from './subscription.js'

type Trx = Transaction<GatewayDatabase>

interface AccountSummary {
  id: string
  name: string
  tier: string
}

/** What owners may change, each by itself. */
export interface AccountSettings {
  /** Of contracts that name no sender. [D23] */
  senderName: string
  language: MailLanguage
  timeZone: string
  stopAtQuota: boolean
}

const COLUMNS = [
  'account.id',
  'name',
  'sender_name as senderName',
  'tier',
  'status',
  'subscription_status as subscriptionStatus',
  'period_end as periodEnd',
  'wanted_tier as wantedTier',
  'approved_at as approvedAt',
  'language',
  'time_zone as timeZone',
  'reply_address as replyAddress',
  'stop_at_quota as stopAtQuota',
  'account.created_at as createdAt',
] as const

/** Accounts of one page of the operator's list. */
export const ACCOUNTS_PAGE = 50

const unknownAccount = () =>
  new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')

/** The rows of accounts, as the operator and the owner see and change them. @param wakeRelay called when an event waits to be told */
export function createAccountStore({
  database,
  wakeRelay,
}: {
  database: Kysely<GatewayDatabase>
  wakeRelay: () => void
}) {
  /** One transaction under the account's lock. @throws DomainError `not_found` */
  async function change<Result>(
    id: string,
    act: (trx: Trx, account: { status: AccountStatus; approvedAt: Date | null }) => Promise<Result>,
  ): Promise<Result> {
    const result = await database.transaction().execute(async (trx) => {
      const account = await trx
        .selectFrom('account')
        .select(['status', 'approved_at as approvedAt'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!account) throw unknownAccount()
      return act(trx, account)
    })
    wakeRelay()
    return result
  }

  /** The tier and its end from now on; keys hear of it at once. */
  async function setSubscription(
    trx: Trx,
    {
      id,
      tier,
      status,
      periodEnd,
    }: { id: string; tier: string; status: KeptSubscriptionStatus; periodEnd: Date | null },
    actor: Actor,
    act: Act,
  ): Promise<void> {
    await trx
      .updateTable('account')
      .set({ tier, subscription_status: status, period_end: periodEnd, wanted_tier: null })
      .where('id', '=', id)
      .execute()
    const facts = { tier, status, periodEnd: periodEnd?.toISOString() ?? null }
    await tellOfAccount(trx, id, 'subscription.changed', { ...facts, status: status === 'none' ? 'ended' : status })
    await noteAct(trx, { actor, act, accountId: id, facts })
    await announceKeyChange.execute(trx)
  }

  return {
    /** A new approved account whose subscription is granted. @throws DomainError `invalid_request` for an unknown tier */
    async create(
      { name, email, tier }: { name: string; email: string; tier: string },
      actor: Actor,
    ): Promise<AccountSummary> {
      const id = newId('acc')
      await database.transaction().execute(async (trx) => {
        await requireTier(trx, tier)
        await trx
          .insertInto('account')
          .values({ id, name, tier, subscription_status: 'active', approved_at: sql<Date>`clock_timestamp()` })
          .execute()
        await addFirstOwner(trx, id, email)
        await tellOfAccount(trx, id, 'subscription.changed', { tier, status: 'active', periodEnd: null })
        await noteAct(trx, { actor, act: 'account.created', accountId: id, facts: { tier } })
      })
      wakeRelay()
      return { id, name, tier }
    },

    /** Every account, oldest first. */
    list: () => database.selectFrom('account').select(COLUMNS).orderBy('created_at').orderBy('id').execute(),

    /** A page of accounts by name, from the first on. @param after the last of the page before */
    async page(after: { name: string; id: string } | undefined) {
      let query = database
        .selectFrom('account')
        .select(COLUMNS)
        .orderBy('name')
        .orderBy('id')
        .limit(ACCOUNTS_PAGE + 1)
      if (after) query = query.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`)
      const rows = await query.execute()
      return { accounts: rows.slice(0, ACCOUNTS_PAGE), hasMore: rows.length > ACCOUNTS_PAGE }
    },

    /** @throws DomainError `not_found` */
    async show(id: string) {
      const account = await database.selectFrom('account').select(COLUMNS).where('id', '=', id).executeTakeFirst()
      if (!account) throw unknownAccount()
      return account
    },

    /** What decides how far the account has come (access.ts), with the store's clock. @throws DomainError `not_found` */
    async readAccess(id: string): Promise<{ record: AccountRecord; now: Date }> {
      const row = await database
        .selectFrom('account')
        .leftJoinLateral(
          (select) =>
            select
              .selectFrom('application')
              .select(['state', 'sent_at', 'decided_at', 'reason'])
              .whereRef('account_id', '=', 'account.id')
              .orderBy('sent_at', 'desc')
              .limit(1)
              .as('newest'),
          (join) => join.onTrue(),
        )
        .select(['status', 'approved_at', 'wanted_tier', 'tier', 'subscription_status', 'period_end'])
        .select(['newest.state', 'newest.sent_at', 'newest.decided_at', 'newest.reason'])
        .select(sql<Date>`clock_timestamp()`.as('now'))
        .where('account.id', '=', id)
        .executeTakeFirst()
      if (!row) throw unknownAccount()
      return {
        now: row.now,
        record: {
          ...{ status: row.status, approvedAt: row.approved_at, wantedTier: row.wanted_tier },
          subscription: { tier: row.tier, status: row.subscription_status, periodEnd: row.period_end },
          application:
            row.state === null || row.sent_at === null
              ? null
              : { state: row.state, sentAt: row.sent_at, decidedAt: row.decided_at, reason: row.reason },
        },
      }
    },

    /** Tiers that are offered, the smallest first. */
    offeredTiers: () =>
      database
        .selectFrom('tier')
        .selectAll()
        .where('monthly_price_cad', 'is not', null)
        .orderBy('monthly_price_cad')
        .execute(),

    /** Every tier, for the operator, the smallest first. */
    tiers: () => database.selectFrom('tier').selectAll().orderBy('requests_per_minute').execute(),

    /**
     * Suspends or resumes: keys, and the event that stops the share links, change in one transaction. Doing it again changes nothing.
     * @throws DomainError `not_found`
     */
    async setStatus(id: string, status: AccountStatus, actor: Actor): Promise<{ id: string; status: AccountStatus }> {
      return change(id, async (trx, account) => {
        if (account.status === status) return { id, status }
        const type = status === 'suspended' ? 'account.suspended' : 'account.resumed'
        await trx.updateTable('account').set({ status }).where('id', '=', id).execute()
        await tellOfAccount(trx, id, type, {})
        await noteAct(trx, { actor, act: type, accountId: id })
        await announceKeyChange.execute(trx)
        return { id, status }
      })
    },

    /** Gives the account another approved name. [D36] */
    async rename(id: string, name: string, actor: Actor): Promise<{ id: string; name: string }> {
      return change(id, async (trx) => {
        await trx.updateTable('account').set({ name }).where('id', '=', id).execute()
        await noteAct(trx, { actor, act: 'account.renamed', accountId: id, facts: { name } })
        await announceKeyChange.execute(trx)
        return { id, name }
      })
    },

    /**
     * What the owner would have. On trial it begins at once; otherwise it waits to be paid or granted.
     * @param choice with the tier that the account had when it was made: a second click does not choose again what the first one got
     * @throws DomainError `invalid_request` before the application is approved, or for a tier that is not offered
     */
    async choosePlan(
      id: string,
      { tier, from }: { tier: string; from: string | null },
      actor: Actor,
      mayTry: boolean,
    ): Promise<'trial' | 'waiting' | 'overtaken'> {
      return change(id, async (trx, { approvedAt }) => {
        if (approvedAt === null) throw refused('Apply first: a plan is chosen once the application is approved.')
        await requireTier(trx, tier, 'offered')
        const subscription = await readSubscription(trx, id)
        if (subscription.tier !== from) return 'overtaken'
        await noteAct(trx, { actor, act: 'plan.chosen', accountId: id, facts: { tier } })
        if (mayTry && subscription.status === 'none') {
          await setSubscription(trx, { id, tier, status: 'trial', periodEnd: null }, actor, 'subscription.granted')
          return 'trial'
        }
        await trx.updateTable('account').set({ wanted_tier: tier }).where('id', '=', id).execute()
        return 'waiting'
      })
    },

    /**
     * Grants a tier, which counts as paid, until `periodEnd` or without an end; an account that was not approved is from here on.
     * @throws DomainError `invalid_request` for an unknown tier or an end that has passed
     */
    async grant(
      id: string,
      { tier, periodEnd }: { tier: string; periodEnd: Date | null },
      actor: Actor,
    ): Promise<void> {
      await change(id, async (trx, { approvedAt }) => {
        await requireTier(trx, tier)
        if (approvedAt === null) throw refused('Approve the application of this account first.')
        if (periodEnd !== null && periodEnd <= (await readClock(trx)))
          throw refused('The end of the period must be in the future.')
        await setSubscription(trx, { id, tier, status: 'active', periodEnd }, actor, 'subscription.granted')
      })
    },

    /** Ends a subscription now. @throws DomainError `invalid_request` where there is none */
    async endSubscription(id: string, actor: Actor): Promise<void> {
      await change(id, async (trx) => {
        const { tier, status } = await readSubscription(trx, id)
        if (tier === null || status === 'none') throw refused('This account has no subscription that could end.')
        if (status === 'ended') return
        await setSubscription(trx, { id, tier, status: 'ended', periodEnd: null }, actor, 'subscription.ended')
      })
    },

    /** Changes one setting or more; what stays the same leaves no entry. */
    async changeSettings(id: string, settings: Partial<AccountSettings>, actor: Actor): Promise<void> {
      await change(id, async (trx) => {
        const { senderName, language, timeZone, stopAtQuota } = settings
        const before = await trx
          .selectFrom('account')
          .select(['sender_name', 'language', 'time_zone', 'stop_at_quota'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const next = {
          ...{ sender_name: senderName ?? before.sender_name, language: language ?? before.language },
          ...{ time_zone: timeZone ?? before.time_zone, stop_at_quota: stopAtQuota ?? before.stop_at_quota },
        }
        await trx.updateTable('account').set(next).where('id', '=', id).execute()
        if (next.stop_at_quota !== before.stop_at_quota)
          await noteAct(trx, { actor, act: next.stop_at_quota ? 'quota.stopped' : 'quota.served', accountId: id })
        const changed = {
          ...(next.sender_name === before.sender_name ? {} : { senderName: next.sender_name }),
          ...(next.language === before.language ? {} : { language: next.language }),
          ...(next.time_zone === before.time_zone ? {} : { timeZone: next.time_zone }),
        }
        if (Object.keys(changed).length > 0)
          await noteAct(trx, { actor, act: 'account.changed', accountId: id, facts: changed })
        await announceKeyChange.execute(trx)
      })
    },

    /** Where answers to the account's mails go: an address that was proven, or none. In the transaction that proved it. */
    async setReplyAddress(trx: Trx, id: string, address: string | null, actor: Actor): Promise<void> {
      await trx.updateTable('account').set({ reply_address: address }).where('id', '=', id).execute()
      const act = address === null ? 'reply_address.removed' : 'reply_address.confirmed'
      await noteAct(trx, { actor, act, accountId: id, facts: address === null ? {} : { address } })
      await announceKeyChange.execute(trx)
    },

    /** Notes what an owner or operator did elsewhere: a contract cancelled, evidence fetched. */
    async note(id: string, act: Act, actor: Actor, subject?: string): Promise<void> {
      await database.transaction().execute((trx) => noteAct(trx, { actor, act, accountId: id, subject }))
    },
  }
}

export type AccountStore = ReturnType<typeof createAccountStore>
export type AccountRow = Awaited<ReturnType<AccountStore['show']>>

const refused = (sentence: string) => new DomainError('invalid_request', sentence)

/** Under the account's lock. */
async function readSubscription(trx: Trx, id: string) {
  const row = await trx
    .selectFrom('account')
    .select(['tier', 'subscription_status as status', 'period_end as periodEnd'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { ...row, standing: standingOf(row, await readClock(trx)) }
}

/** @throws DomainError `invalid_request` that names those there are */
async function requireTier(trx: Trx, tier: string, which: 'any' | 'offered' = 'any'): Promise<void> {
  const tiers = await trx.selectFrom('tier').selectAll().orderBy('requests_per_minute').execute()
  const known = which === 'any' ? tiers : tiers.filter((each) => each.monthly_price_cad !== null)
  if (known.some(({ name }) => name === tier)) return
  const sentence = `tier must be one of: ${known.map(({ name }) => name).join(', ')}.`
  throw new DomainError('invalid_request', sentence, { issues: [{ path: 'tier', message: sentence }] })
}

const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'

/** An identifier: `prefix_` and 20 characters, 103 random bits. */
export function newId(prefix: 'acc' | 'key' | 'app'): string {
  return `${prefix}_${Array.from({ length: 20 }, () => ID_ALPHABET.charAt(randomInt(ID_ALPHABET.length))).join('')}`
}
