// The limits of a tier in each environment. Pure; tiers are rows (0001-accounts). [Subscription tiers, D8]
import type { Environment } from '@paraph/protocol/environment'

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

/** The limits of a key of `environment` on `tier`. */
export function limitsOf(tier: Tier, environment: Environment): Limits {
  return environment === 'production'
    ? { requestsPerMinute: tier.requestsPerMinute, monthlyQuota: tier.monthlyQuota }
    : { requestsPerMinute: tier.sandboxRequestsPerMinute, monthlyQuota: tier.sandboxMonthlyQuota }
}
