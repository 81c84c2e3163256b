// The plans, and the choice of one.
import * as shared from '@paraph/testing/test/sample-data-fixture'
import type { Access } from '../../src/accounts/access.js'
import type { PageProps } from '../../src/console/frame/page-props.js'
import type { PlanPayment } from '../../src/console/plan/payment.js'
import { PlanPage } from '../../src/console/plan/plan-page.js'
import { ACTIVE, at, CHOOSE_PLAN, entry, owned, shellWith, type CatalogueEntry } from './entry-fixture.js'

const SANDBOX = { sandbox_requests_per_minute: 60, sandbox_monthly_quota: 1_000 }
export const TIERS = [
  { ...SANDBOX, name: 'startup', monthly_price_cad: 29, requests_per_minute: 60, monthly_quota: 5_000 },
  { ...SANDBOX, name: 'growth', monthly_price_cad: 99, requests_per_minute: 300, monthly_quota: 25_000 },
  { ...SANDBOX, name: 'enterprise', monthly_price_cad: 499, requests_per_minute: 1_000, monthly_quota: 250_000 },
]
const PAID: PlanPayment = {
  tiers: new Set(TIERS.map(({ name }) => name)),
  status: 'active',
  isOpen: true,
  cancelAt: null,
  isConfirming: false,
  mayTry: false,
}
const NOT_PAID: PlanPayment = { ...PAID, status: undefined, isOpen: false }
const PAST_DUE: Access = { step: 'past_due', tier: 'growth', keysStopAt: at('2026-12-01T15:04:05.000Z') }
const PERIOD_END = at('2026-12-28T15:04:05.000Z')
const plan = (access: Access, payment?: PlanPayment) => (page: PageProps) => (
  <PlanPage
    {...{ page, access, payment, tiers: TIERS, contractsAMonth: 1_000 }}
    account={{
      name: shared.ACCOUNT_NAME,
      tier: 'tier' in access ? access.tier : null,
      wantedTier: access.step === 'plan_chosen' ? access.wantedTier : null,
    }}
  />
)

export const planPages: readonly CatalogueEntry[] = [
  owned('console-04-plan', plan(CHOOSE_PLAN), 200, CHOOSE_PLAN),
  owned('console-04b-plan-and-billing', plan({ ...ACTIVE, periodEnd: at('2027-01-31T23:59:59.999Z') })),
  entry(
    'console-04w-plan-chosen',
    200,
    shellWith({ step: 'plan_chosen', wantedTier: 'growth' }),
    plan({ step: 'plan_chosen', wantedTier: 'growth' }),
  ),
  owned('console-04x-plan-to-pay', plan(CHOOSE_PLAN, NOT_PAID), 200, CHOOSE_PLAN),
  owned(
    'console-04x2-payment-confirmed-soon',
    plan(CHOOSE_PLAN, { ...NOT_PAID, isConfirming: true }),
    200,
    CHOOSE_PLAN,
  ),
  owned('console-04y-plan-paid', plan({ ...ACTIVE, periodEnd: PERIOD_END }, PAID)),
  owned('console-04y2-plan-cancelled', plan({ ...ACTIVE, periodEnd: PERIOD_END }, { ...PAID, cancelAt: PERIOD_END })),
  owned('console-04y3-payment-failed', plan(PAST_DUE, { ...PAID, status: 'past_due' }), 200, PAST_DUE),
]
