// The dimensions of usage and quota: account, environment and billing period, a calendar month in UTC. Pure. [Usage, Limits]
import type { Environment } from '@paraph/protocol/environment'

export interface UsageOwner {
  accountId: string
  environment: Environment
}

/** The billing period that `instant` falls into: `YYYY-MM`, the first instant and the last millisecond of the month. */
export function billingPeriodOf(instant: Date) {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()]
  return {
    period: instant.toISOString().slice(0, 7),
    startAt: new Date(Date.UTC(year, month, 1)),
    endAt: new Date(Date.UTC(year, month + 1, 1) - 1),
  }
}
