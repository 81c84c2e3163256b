// What Stripe's subscriptions of a customer mean: which one counts, its tier and its period. Pure. [D74]
import type { Stripe } from 'stripe'
import { PROVIDER_STATUSES, type ProvidedSubscription, type ProviderStatus } from './provider.js'
import type { Prices } from './prices.js'

/** In the metadata of what Checkout creates: the account. */
export const ACCOUNT_METADATA = 'paraph_account'

/** The best state first: of two subscriptions the one that gives more counts, whatever the order in which they were made. */
const RANK: Readonly<Record<ProviderStatus, number>> = {
  active: 0,
  trialing: 0,
  past_due: 1,
  unpaid: 2,
  paused: 3,
  canceled: 4,
  incomplete: 5,
  incomplete_expired: 5,
}

type Subscriptions = readonly Stripe.Subscription[]

/**
 * The subscription that counts, of all that a customer has or had; undefined without one. Subscriptions of other products do not count.
 * @throws Error if one that our Checkout made has no price of STRIPE_PRICES or a status that we do not know
 */
export function subscriptionThatCounts(subscriptions: Subscriptions, prices: Prices): ProvidedSubscription | undefined {
  const ours = subscriptions.flatMap((each) => {
    const item = each.items.data.find(({ price }) => prices.has(price.id))
    const status = PROVIDER_STATUSES.find((known) => known === each.status)
    const isFinal = status === 'canceled' || status === 'incomplete_expired'
    if (item && status) return [{ each, item, status }]
    // A plan that ended at a price of the past changes nothing.
    if ((item && !status) || (ACCOUNT_METADATA in each.metadata && !isFinal))
      throw new Error(
        `Stripe's subscription ${each.id} has the status ${each.status} and the price ${each.items.data[0]?.price.id}: STRIPE_PRICES or this version does not know it`,
      )
    return []
  })
  const [first] = ours.sort((a, b) => RANK[a.status] - RANK[b.status] || b.each.created - a.each.created)
  if (!first) return undefined
  const { each, item, status } = first
  const periodEnd = instant(item.current_period_end)
  const end = each.cancel_at === null ? null : instant(each.cancel_at)
  return {
    id: each.id,
    status,
    tier: prices.get(item.price.id)!,
    periodEnd,
    cancelAt: end ?? (each.cancel_at_period_end ? periodEnd : null),
    unpaidSince: status === 'past_due' || status === 'unpaid' ? dueOf(each, item.current_period_start) : null,
  }
}

/** When the newest invoice had to be paid. The running period is no measure: it begins anew although the last one is not paid. */
function dueOf({ latest_invoice: invoice }: Stripe.Subscription, periodStart: number): Date {
  return instant(typeof invoice === 'object' && invoice ? (invoice.due_date ?? invoice.created) : periodStart)
}

const instant = (seconds: number): Date => new Date(seconds * 1_000)
