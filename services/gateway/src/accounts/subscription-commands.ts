// Changes the subscription of an account: chosen by its owner, granted or ended by the operator. [D8, D38]
import { DomainError } from '@paraph/protocol/errors'
import { readClock } from '@paraph/database/clock'
import type { KeptSubscriptionStatus } from '../database.js'
import { notifyKeyChange, type ChangeAccount, type Trx } from './account-change.js'
import { recordAct, type Act, type Actor } from './audit.js'

/** The subscription commands of the account store. @param change runs a transaction under the account's lock */
export function createSubscriptionCommands(change: ChangeAccount) {
  return {
    /**
     * Records the tier that the owner wants. Starts a trial if `mayTry` and there is no subscription yet; otherwise an operator grants it.
     * @param choice `from` is the tier at the time of the choice: a second click must not choose again (`overtaken`)
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
     * @throws DomainError `invalid_request` for an unknown tier, an end in the past, or an account that is not approved; `not_found`
     */
    async grant(id: string, wanted: { tier: string; periodEnd: Date | null }, actor: Actor): Promise<void> {
      const { tier, periodEnd } = wanted
      await change(id, async (trx, { approvedAt }) => {
        await requireTier(trx, tier)
        if (approvedAt === null) throw refusal('Approve the application of this account first.')
        if (periodEnd !== null && periodEnd <= (await readClock(trx)))
          throw refusal('The end of the period must be in the future.')
        await setSubscription(trx, { id, tier, status: 'active', periodEnd }, actor, 'subscription.granted')
      })
    },

    /** Ends the subscription now. Idempotent. @throws DomainError `invalid_request` if there is none; `not_found` */
    async endSubscription(id: string, actor: Actor): Promise<void> {
      await change(id, async (trx, { tier, subscriptionStatus }) => {
        if (tier === null || subscriptionStatus === 'none')
          throw refusal('This account has no subscription that could end.')
        if (subscriptionStatus === 'ended') return
        await setSubscription(trx, { id, tier, status: 'ended', periodEnd: null }, actor, 'subscription.ended')
      })
    },
  }
}

/** Sets tier and period; `notifyKeyChange` makes keys follow. Runs under the account's lock. */
async function setSubscription(
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
export async function requireTier(trx: Trx, tier: string, which: 'any' | 'offered' = 'any'): Promise<void> {
  const tiers = await trx.selectFrom('tier').selectAll().orderBy('requests_per_minute').execute()
  const known = which === 'any' ? tiers : tiers.filter((each) => each.monthly_price_cad !== null)
  if (known.some(({ name }) => name === tier)) return
  const sentence = `tier must be one of: ${known.map(({ name }) => name).join(', ')}.`
  throw new DomainError('invalid_request', sentence, { issues: [{ path: 'tier', message: sentence }] })
}
