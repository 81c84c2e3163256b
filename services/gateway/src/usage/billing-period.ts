// The billing period of quota and usage: a calendar month in UTC. Pure. [Usage, Limits]

interface BillingPeriod {
  /** `YYYY-MM`. */
  period: string
  /** First instant of the month. */
  startAt: Date
  /** Last millisecond of the month. */
  endAt: Date
}

/** The billing period that `instant` falls into. */
export function billingPeriodOf(instant: Date): BillingPeriod {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()]
  return {
    period: instant.toISOString().slice(0, 7),
    startAt: new Date(Date.UTC(year, month, 1)),
    endAt: new Date(Date.UTC(year, month + 1, 1) - 1),
  }
}
