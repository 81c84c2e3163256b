// A subscription: its status at an instant, and the limits of its tier, a row of the table `tier`. Pure.
// [Subscription tiers, D8, D38]
import type { Selectable } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { GatewayDatabase, KeptSubscriptionStatus } from '../database.js'

/** Days after the end of a period during which keys still work and the console warns. */
const GRACE_DAYS = 7

export interface Subscription {
  subscriptionStatus: KeptSubscriptionStatus
  /** End of the granted or paid period; null: without an end. */
  periodEnd: Date | null
}

/** `past_due`: the period has ended, but the grace period has not. */
export type SubscriptionStatus = KeptSubscriptionStatus | 'past_due'

/** The status at `now`. A trial has no grace period, because no production call depends on a trial. */
export function subscriptionStatusOf(subscription: Subscription, now: Date): SubscriptionStatus {
  const { subscriptionStatus: status, periodEnd } = subscription
  if (periodEnd === null || now < periodEnd) return status
  if (status === 'active') return now < graceEndOf(periodEnd) ? 'past_due' : 'ended'
  return status === 'trial' ? 'ended' : status
}

/** The instant at which keys stop. */
export const graceEndOf = (periodEnd: Date): Date => new Date(periodEnd.getTime() + GRACE_DAYS * 86_400_000)

/** Limits of one account in one environment. [D10] */
export interface Limits {
  requestsPerMinute: number
  /** Calls per billing period. */
  monthlyQuota: number
}

/** The limits of a key of `environment` on `tier`. */
export function limitsOf(tier: Selectable<GatewayDatabase['tier']>, environment: Environment): Limits {
  return environment === 'production'
    ? { requestsPerMinute: tier.requests_per_minute, monthlyQuota: tier.monthly_quota }
    : { requestsPerMinute: tier.sandbox_requests_per_minute, monthlyQuota: tier.sandbox_monthly_quota }
}
