// The limits of a tier in each environment. Pure; tiers are rows (0001-accounts). [Subscription tiers, D8]
import type { Selectable } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { GatewayDatabase } from '../database.js'

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
