// What an account gets from a subscription at the payment provider. Pure. [D38, D74]
import type { KeptSubscriptionStatus } from '../database.js'
import { isOpen, type ProvidedSubscription } from './provider.js'

/** What the gateway stored at the last look. */
export interface KeptState {
  isOpen: boolean
  unpaidSince: Date | null
}

export interface PlanState {
  tier: string
  status: Extract<KeptSubscriptionStatus, 'active' | 'ended'>
  periodEnd: Date | null
}

/**
 * The plan that follows. Undefined: the subscription changes nothing, because its first payment is not made, or because it ended earlier:
 * the provider ends only what it gave, never what an operator granted since.
 */
export function planStateOf(found: ProvidedSubscription, kept: KeptState): PlanState | undefined {
  const { status, tier, periodEnd } = found
  if (status === 'active' || status === 'trialing') return { tier, status: 'active', periodEnd }
  // The grace of subscription.ts begins where the payments end. Keys stop by the clock, without a further event.
  const unpaidSince = unpaidSinceOf(found, kept)
  if (unpaidSince) return { tier, status: 'active', periodEnd: unpaidSince }
  const isEnd = status === 'canceled' || status === 'paused'
  return isEnd && kept.isOpen ? { tier, status: 'ended', periodEnd: null } : undefined
}

/** Since when payments are missing. A further unpaid invoice gives no further grace. */
export const unpaidSinceOf = ({ status, unpaidSince }: ProvidedSubscription, kept: KeptState): Date | null =>
  isOpen(status) && unpaidSince ? (kept.unpaidSince ?? unpaidSince) : null
