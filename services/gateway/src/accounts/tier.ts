// What a tier allows in each environment. Pure; tiers are rows (first migration). [Subscription tiers, D8]
import type { Environment } from '@paraph/protocol/caller'

interface Tier {
  name: string
  requestsPerMinute: number
  monthlyQuota: number
  sandboxRequestsPerMinute: number
  sandboxMonthlyQuota: number
}

/** Limits of one account in one environment. [D10] */
export interface Limits {
  requestsPerMinute: number
  /** Calls per billing period. */
  monthlyQuota: number
}

/** The limits that a key of `environment` has on `tier`. */
export function limitsOf(tier: Tier, environment: Environment): Limits {
  return environment === 'production'
    ? { requestsPerMinute: tier.requestsPerMinute, monthlyQuota: tier.monthlyQuota }
    : { requestsPerMinute: tier.sandboxRequestsPerMinute, monthlyQuota: tier.sandboxMonthlyQuota }
}
