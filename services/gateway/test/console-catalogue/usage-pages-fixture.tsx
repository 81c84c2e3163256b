// The usage of a month over its quota, and of a month within it.
import type { PageProps } from '../../src/console/frame/page-props.js'
import type { ContractFigures } from '../../src/console/contracts/contract-rows.js'
import { UsagePage } from '../../src/console/usage/usage-page.js'
import { ACTIVE, member, owned, type CatalogueEntry } from './entry-fixture.js'
import { TIERS } from './plan-pages-fixture.js'

/** Billable calls of each day of November. The 1st is a Sunday, and the 24th is not over. */
const BILLABLE = [
  47, 328, 357, 296, 325, 354, 58, 65, 351, 290, 319, 348, 287, 48, 55, 284, 313, 342, 281, 310, 66, 44, 307, 137,
]
const DAYS = BILLABLE.map((billable, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, '0')}`,
  billable,
  total: Math.round(billable * 1.4),
}))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const CALLS = { billable: sum(BILLABLE), total: sum(DAYS.map(({ total }) => total)) }
/** The plan began in July. */
const MONTHS = Array.from({ length: 12 }, (_, back) => {
  const month = new Date(Date.UTC(2026, 10 - back, 1)).toISOString().slice(0, 7)
  if (back === 0) return { month, ...CALLS }
  return back < 5
    ? { month, billable: 4_000 - back * 310, total: 5_600 - back * 430 }
    : { month, billable: 0, total: 0 }
})
const FIGURES: ContractFigures = {
  waiting: { count: 38, isMore: false },
  expiring: { count: 4, isMore: false },
  delivery: { count: 2, isMore: false },
  declined: { count: 1, isMore: false },
  completed: { count: 1_000, isMore: true },
  medianMs: 14 * 3_600_000,
}
const NO_FIGURES: ContractFigures = {
  waiting: { count: 0, isMore: false },
  expiring: { count: 0, isMore: false },
  delivery: { count: 0, isMore: false },
  declined: { count: 0, isMore: false },
  completed: { count: 0, isMore: false },
  medianMs: null,
}
type More = Partial<Parameters<typeof UsagePage>[0]>
const usage =
  (tier: number, stopAtQuota: boolean, more: More = {}) =>
  (page: PageProps) => {
    const { monthly_quota: quotaLimit, requests_per_minute: requestsPerMinute } = TIERS[tier]!
    return (
      <UsagePage
        {...{
          page,
          environment: 'production',
          days: DAYS,
          months: MONTHS,
          stopAtQuota,
          isNow: true,
          requestsPerMinute,
        }}
        usage={{
          period: '2026-11',
          totalCalls: CALLS.total,
          billableCalls: CALLS.billable,
          quotaLimit,
          remaining: Math.max(0, quotaLimit - CALLS.billable),
          overageCalls: Math.max(0, CALLS.billable - quotaLimit),
          endpointBreakdown: {
            'GET /contracts/:id': CALLS.billable - 904,
            'GET /status': CALLS.total - CALLS.billable - 96,
            'POST /contracts': 904,
            'GET /usage': 96,
          },
          periodStart: '2026-11-01T00:00:00.000Z',
          periodEnd: '2026-11-30T23:59:59.999Z',
        }}
        nextTier={TIERS[tier + 1]!}
        contracts={FIGURES}
        {...more}
      />
    )
  }

export const usagePages: readonly CatalogueEntry[] = [
  owned('console-05-overview', usage(0, false)),
  member('console-05v-overview-viewer', 'viewer', usage(0, false)),
  owned('console-05s-overview-sandbox-new', usage(0, false, { environment: 'sandbox', contracts: NO_FIGURES })),
  owned('console-05u-overview-contracts-unavailable', usage(0, true, { contracts: undefined })),
  owned('console-05q-overview-within', usage(1, true), 200, { ...ACTIVE, tier: 'growth' }),
]
