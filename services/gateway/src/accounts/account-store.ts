// The account store: creates, suspends and renames accounts, changes their settings and their subscriptions. [D4, D8, D34, D37, D38, D47]
// Each change writes its audit entry and its event in one transaction. Does not own: keys (key-store), owners (account-owners), what an
// account may do (access).
import { sql } from 'kysely'
import { elementAt } from '@paraph/protocol/element-at'
import { readClock } from '@paraph/database/clock'
import { DomainError } from '@paraph/protocol/errors'
import type { MailLanguage } from '@paraph/protocol/principal'
import type { AccountStatus, KeptSubscriptionStatus } from '../database.js'
import {
  appendAccountEvent,
  clock,
  createChangeAccount,
  createTransactions,
  lockAccount,
  newId,
  notifyKeyChange,
} from './account-change.js'
import type { ChangeAccount, StoreDeps, Trx } from './account-change.js'
import { addOwner } from './account-owners.js'
import { createAccountQueries } from './account-queries.js'
import { recordAct, type Act, type Actor } from './audit.js'
import { queueMailToOwners } from './owner-mail-queue.js'

/** An export reads every text of the account. Enough for a person who lost a file, too few for a link that repeats. */
const EXPORTS_PER_HOUR = 6

/** The settings that owners may change. */
interface AccountSettings {
  /** Sender name of contracts that do not state one. [D23] */
  senderName: string
  language: MailLanguage
  timeZone: string
  stopAtQuota: boolean
  /** Whether a party that declines cancels the contract; for contracts created from then on. [D57] */
  cancelsOnDecline: boolean
  /** Whether parties are reminded; for contracts created from then on. [D58] */
  remindsParties: boolean
  /** What owners hear of their contracts. [D70] */
  mailsRefused: boolean
  mailsDeclined: boolean
  mailsCompleted: 'daily' | 'each' | 'off'
  mailsExpired: boolean
}

/** The account store, for operators and owners. @param deps `hasProvider`: owners pay at a payment provider */
export function createAccountStore(deps: StoreDeps & { hasProvider?: boolean }) {
  const { database, hasProvider = false } = deps
  const change = createChangeAccount(deps)
  const commands = { ...createAccountCommands(deps, change), ...createSubscriptionCommands(change, hasProvider) }
  return { ...createAccountQueries(database), ...commands }
}

export type AccountStore = ReturnType<typeof createAccountStore>
export type AccountRow = Awaited<ReturnType<AccountStore['show']>>

function createAccountCommands({ database, triggerMails }: StoreDeps, change: ChangeAccount) {
  const inTransaction = createTransactions(database, triggerMails)
  return {
    /** Creates an approved account with a granted subscription. @throws DomainError `invalid_request` for an unknown tier */
    async create({ name, email, tier }: { name: string; email: string; tier: string }, actor: Actor) {
      const id = newId('acc')
      await database.transaction().execute(async (trx) => {
        await requireTier(trx, tier)
        await trx
          .insertInto('account')
          .values({ id, name, tier, subscription_status: 'active', approved_at: clock })
          .execute()
        await addOwner(trx, id, email)
        await recordAct(trx, { actor, act: 'account.created', accountId: id, facts: { tier } })
      })
      return { id, name, tier }
    },

    /**
     * Suspends or resumes an account, and publishes the event that stops or resumes its share links. Idempotent.
     * @throws DomainError `not_found`
     */
    async setStatus(id: string, status: AccountStatus, actor: Actor): Promise<{ id: string; status: AccountStatus }> {
      return change(id, async (trx, account) => {
        if (account.status === status) return { id, status }
        const type = status === 'suspended' ? 'account.suspended' : 'account.resumed'
        await trx.updateTable('account').set({ status }).where('id', '=', id).execute()
        await appendAccountEvent(trx, id, type, {})
        await recordAct(trx, { actor, act: type, accountId: id })
        await notifyKeyChange.execute(trx)
        return { id, status }
      })
    },

    /** Gives the account another approved name. @throws DomainError `not_found` [D36] */
    async rename(id: string, name: string, actor: Actor): Promise<{ id: string; name: string }> {
      return change(id, async (trx) => {
        await trx.updateTable('account').set({ name }).where('id', '=', id).execute()
        await recordAct(trx, { actor, act: 'account.renamed', accountId: id, facts: { name } })
        await notifyKeyChange.execute(trx)
        return { id, name }
      })
    },

    /** Changes settings. The audit entry contains only settings whose value changed. @throws DomainError `not_found` */
    async changeSettings(id: string, settings: Partial<AccountSettings>, actor: Actor): Promise<void> {
      await change(id, async (trx) => {
        const before = await trx
          .selectFrom('account')
          .select(['sender_name as senderName', 'language', 'time_zone as timeZone', 'stop_at_quota as stopAtQuota'])
          .select(['cancels_on_decline as cancelsOnDecline', 'reminds_parties as remindsParties'])
          .select(['mails_refused as mailsRefused', 'mails_declined as mailsDeclined'])
          .select(['mails_completed as mailsCompleted', 'mails_expired as mailsExpired'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        const { stopAtQuota, ...others } = { ...before, ...settings }
        const next = {
          sender_name: others.senderName,
          language: others.language,
          time_zone: others.timeZone,
          cancels_on_decline: others.cancelsOnDecline,
          reminds_parties: others.remindsParties,
          mails_refused: others.mailsRefused,
          mails_declined: others.mailsDeclined,
          mails_completed: others.mailsCompleted,
          mails_expired: others.mailsExpired,
          stop_at_quota: stopAtQuota,
        }
        await trx.updateTable('account').set(next).where('id', '=', id).execute()
        if (stopAtQuota !== before.stopAtQuota)
          await recordAct(trx, { actor, act: stopAtQuota ? 'quota.stopped' : 'quota.served', accountId: id })
        const changed = Object.entries(others).filter(([name, value]) => value !== before[name as keyof typeof others])
        if (changed.length > 0)
          await recordAct(trx, { actor, act: 'account.changed', accountId: id, facts: Object.fromEntries(changed) })
        await notifyKeyChange.execute(trx)
      })
    },

    /** Sets the reply address of the account's mails, in the transaction that proved the address; null removes it. */
    async setReplyAddress(
      trx: Trx,
      id: string,
      address: string | null,
      actor: Actor & { mailbox: string },
    ): Promise<void> {
      const { name: accountName } = await lockAccount(trx, id)
      await trx.updateTable('account').set({ reply_address: address }).where('id', '=', id).execute()
      const act = address === null ? 'reply_address.removed' : 'reply_address.confirmed'
      await recordAct(trx, { actor, act, accountId: id, facts: address === null ? {} : { address } })
      const data = { accountName, by: actor.mailbox, address }
      await queueMailToOwners(trx, { accountId: id, kind: 'reply_address_changed', data })
      await notifyKeyChange.execute(trx)
    },

    /** Records an act that another service performed, such as a cancellation of a contract or a download of evidence. */
    async recordAct(id: string | null, act: Act, actor: Actor, subject?: string): Promise<void> {
      await database.transaction().execute((trx) => recordAct(trx, { actor, act, accountId: id, subject }))
    },

    /**
     * Records an export of the account or of its list of contracts, and mails it to every owner, at most one mail a person and day. [P33, P34]
     * @returns when the account may be exported again if it was exported too often; nothing is recorded then
     */
    async recordExport(
      { id: accountId, name: accountName }: { id: string; name: string },
      actor: Actor & { mailbox: string },
      act: 'account.exported' | 'contracts.exported' = 'account.exported',
    ): Promise<Date | null> {
      return inTransaction(async (trx) => {
        await lockAccount(trx, accountId)
        const { inHour, nextAt, isKnown } = await readExports(trx, accountId, actor.mailbox)
        if (inHour >= EXPORTS_PER_HOUR) return nextAt
        await recordAct(trx, { actor, act, accountId })
        const data = { accountName, by: actor.mailbox }
        if (!isKnown) await queueMailToOwners(trx, { accountId, kind: 'account_exported', data })
        return null
      })
    },

    /** Records a download of evidence once a mailbox, contract and day: a GET must not fill a log that nobody can shorten. [P34] */
    async recordDownload(accountId: string, actor: Actor & { mailbox: string }, subject: string): Promise<void> {
      await database.transaction().execute(async (trx) => {
        const { rows } = await sql`
          select 1 from audit_entry
           where account_id = ${accountId} and act = 'evidence.downloaded' and subject = ${subject}
             and mailbox = ${actor.mailbox} and at > clock_timestamp() - interval '1 day'`.execute(trx)
        if (rows.length === 0) await recordAct(trx, { actor, act: 'evidence.downloaded', accountId, subject })
      })
    },

    /** Records that an owner requested the erasure of a contract, and mails it to every owner. [P32] */
    async recordErasureRequest(
      { id: accountId, name, timeZone }: { id: string; name: string; timeZone: string },
      contract: { id: string; contractNumber: string; at: string },
      actor: Actor & { mailbox: string },
    ): Promise<void> {
      const { id: subject, ...rest } = contract
      const data = { accountName: name, by: actor.mailbox, timeZone, ...rest }
      await inTransaction(async (trx) => {
        await recordAct(trx, { actor, act: 'contract.erasure_requested', accountId, subject })
        await queueMailToOwners(trx, { accountId, kind: 'erasure_requested', data })
      })
    },
  }
}

/** The exports of the last hour, the end of the hour of the first of them, and whether `mailbox` exported within a day. */
async function readExports(trx: Trx, accountId: string, mailbox: string) {
  const { rows } = await sql<{ inHour: number; nextAt: Date | null; isKnown: boolean }>`
    select count(*) filter (where at > clock_timestamp() - interval '1 hour')::int as "inHour",
           min(at) filter (where at > clock_timestamp() - interval '1 hour') + interval '1 hour' as "nextAt",
           count(*) filter (where mailbox = ${mailbox}) > 0 as "isKnown"
      from audit_entry
     where account_id = ${accountId} and act in ('account.exported', 'contracts.exported') and at > clock_timestamp() - interval '1 day'`.execute(
    trx,
  )
  return elementAt(rows, 0)
}

/** The subscription commands of the account store. @param change runs a transaction under the account's lock */
function createSubscriptionCommands(change: ChangeAccount, hasProvider: boolean) {
  /** The provider would overwrite the plan at its next event, and charge on. [D74] @throws DomainError `invalid_request` */
  async function requireUnpaid(trx: Trx, id: string): Promise<void> {
    if (!hasProvider) return
    const { rows } = await sql`select 1 from billing_customer where account_id = ${id} and is_open`.execute(trx)
    if (rows.length > 0) throw refusal('This account pays through Stripe. Change or cancel its subscription in Stripe.')
  }

  return {
    /**
     * Records the tier that the owner wants. Starts a trial if `mayTry` and there is no subscription yet; else an operator must grant it.
     * @param choice `from` is the tier when the owner chose. If the tier has changed since, nothing happens (`overtaken`)
     * @throws DomainError `invalid_request` before the application is approved, or for a tier that is not on offer; `not_found`
     */
    async choosePlan(
      id: string,
      { tier, from }: { tier: string; from: string | null },
      actor: Actor,
      mayTry: boolean,
    ): Promise<'trial' | 'waiting' | 'overtaken'> {
      return change(id, async (trx, { approvedAt, tier: tierNow, subscriptionStatus }) => {
        if (approvedAt === null) throw refusal('Apply first: a plan is chosen once the application is approved.')
        await requireTier(trx, tier, 'offered')
        if (tierNow !== from) return 'overtaken'
        await recordAct(trx, { actor, act: 'plan.chosen', accountId: id, facts: { tier } })
        if (mayTry && subscriptionStatus === 'none') {
          await setSubscription(trx, { id, tier, status: 'trial', periodEnd: null }, actor, 'subscription.granted')
          return 'trial'
        }
        await trx.updateTable('account').set({ wanted_tier: tier }).where('id', '=', id).execute()
        return 'waiting'
      })
    },

    /**
     * Grants a tier, which counts as paid, until `periodEnd`; null: without an end.
     * @throws DomainError `invalid_request` for an unknown tier, an end in the past, or an account that is not approved or pays by a
     * provider; `not_found`
     */
    async grant(id: string, wanted: { tier: string; periodEnd: Date | null }, actor: Actor): Promise<void> {
      const { tier, periodEnd } = wanted
      await change(id, async (trx, { approvedAt }) => {
        await requireTier(trx, tier)
        if (approvedAt === null) throw refusal('Approve the application of this account first.')
        await requireUnpaid(trx, id)
        if (periodEnd !== null && periodEnd <= (await readClock(trx)))
          throw refusal('The end of the period must be in the future.')
        await setSubscription(trx, { id, tier, status: 'active', periodEnd }, actor, 'subscription.granted')
      })
    },

    /** Ends the subscription now. Idempotent. @throws DomainError `invalid_request` if there is none, or a provider has it; `not_found` */
    async endSubscription(id: string, actor: Actor): Promise<void> {
      await change(id, async (trx, { tier, subscriptionStatus }) => {
        if (tier === null || subscriptionStatus === 'none')
          throw refusal('This account has no subscription that could end.')
        if (subscriptionStatus === 'ended') return
        await requireUnpaid(trx, id)
        await setSubscription(trx, { id, tier, status: 'ended', periodEnd: null }, actor, 'subscription.ended')
      })
    },
  }
}

/** Sets tier and period, and makes gateways look up cached keys again. Requires the account's lock. */
export async function setSubscription(
  trx: Trx,
  { id, tier, status, periodEnd }: { id: string; tier: string; status: KeptSubscriptionStatus; periodEnd: Date | null },
  actor: Actor,
  act: Act,
): Promise<void> {
  await trx
    .updateTable('account')
    .set({ tier, subscription_status: status, period_end: periodEnd, wanted_tier: null })
    .where('id', '=', id)
    .execute()
  const facts = { tier, status, periodEnd: periodEnd?.toISOString() ?? null }
  await recordAct(trx, { actor, act, accountId: id, facts })
  await notifyKeyChange.execute(trx)
}

const refusal = (sentence: string) => new DomainError('invalid_request', sentence)

/** @param which `offered`: only tiers with a price @throws DomainError `invalid_request`, which lists the tiers that are allowed */
async function requireTier(trx: Trx, tier: string, which: 'any' | 'offered' = 'any'): Promise<void> {
  const tiers = await trx.selectFrom('tier').selectAll().orderBy('requests_per_minute').execute()
  const known = which === 'any' ? tiers : tiers.filter((each) => each.monthly_price_cad !== null)
  if (known.some(({ name }) => name === tier)) return
  const sentence = `tier must be one of: ${known.map(({ name }) => name).join(', ')}.`
  throw new DomainError('invalid_request', sentence, { issues: [{ path: 'tier', message: sentence }] })
}
