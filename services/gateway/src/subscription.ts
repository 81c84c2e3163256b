// What an account has, by what was granted or paid and the clock. Pure. [Subscription tiers, D38]
import type { KeptSubscriptionStatus } from './database.js'

/** Days after the end of a period in which keys still work and the console warns. */
export const GRACE_DAYS = 7

export interface Subscription {
  /** Null while there is none. */
  tier: string | null
  status: KeptSubscriptionStatus
  /** When what was granted or paid ends; null for one without an end. */
  periodEnd: Date | null
}

/** `past_due`: the period has ended, and the days of grace have not. */
export type SubscriptionStanding = KeptSubscriptionStatus | 'past_due'

/** How it stands at `now`. A trial has no days of grace: nothing real depends on it. */
export function standingOf({ status, periodEnd }: Subscription, now: Date): SubscriptionStanding {
  if (periodEnd === null || now < periodEnd) return status
  if (status === 'active') return now < graceEndOf(periodEnd) ? 'past_due' : 'ended'
  return status === 'trial' ? 'ended' : status
}

/** When keys stop. */
export const graceEndOf = (periodEnd: Date): Date => new Date(periodEnd.getTime() + GRACE_DAYS * 86_400_000)
