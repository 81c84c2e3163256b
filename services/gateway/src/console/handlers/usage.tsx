// The overview: usage by the function behind GET /usage, and the switch at the quota. [Usage, D3, D4]
import type { Environment } from '@paraph/protocol/caller'
import { billingPeriodOf } from '../../billing-period.js'
import { limitsOf } from '../../tier.js'
import { readUsageDays, readUsageMonths } from '../../usage-history.js'
import { ownerOf, principalOf, type Console, type OwnerRequest, type Step } from '../console.js'
import { to } from '../pages/links.js'
import { UsagePage } from '../pages/usage-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

/** The environment that an address asks for: production unless it says otherwise. */
export const environmentOf = (asked: unknown): Environment => (asked === 'sandbox' ? 'sandbox' : 'production')

export function createUsageSteps({ database, accounts, usage, others }: Console) {
  const usagePage: Step<OwnerRequest> = async (ctx, { page, account: shown, now }) => {
    const { row } = shown
    const tiers = await accounts.tiers()
    const tier = tiers.find(({ name }) => name === row.tier)
    if (!tier) return seeOther(ctx, to.home)
    const environment = environmentOf(ctx.query['environment'])
    const running = billingPeriodOf(now).period
    const limits = limitsOf(
      {
        ...{ name: tier.name, requestsPerMinute: tier.requests_per_minute, monthlyQuota: tier.monthly_quota },
        sandboxRequestsPerMinute: tier.sandbox_requests_per_minute,
        sandboxMonthlyQuota: tier.sandbox_monthly_quota,
      },
      environment,
    )
    const whose = { accountId: row.id, environment }
    const months = await readUsageMonths(database, whose, running)
    // One of those that the page offers: a typed one may be thousands of years, and a chart of their days everybody's time.
    const month = months.find((each) => each.month === ctx.query['month'])?.month ?? running
    const isNow = month === running
    const first = new Date(`${month}-01T00:00:00.000Z`)
    const last = (isNow ? now : billingPeriodOf(first).endAt).toISOString().slice(0, 10)
    const { contract } = others(principalOf(row, environment))
    const [view, days, rightNow] = await Promise.all([
      usage.read(whose, isNow ? now : first, limits.monthlyQuota),
      readUsageDays(database, whose, month, last),
      contract.count.query().catch(() => undefined),
    ])
    const above = tiers.find((each) => each.monthly_price_cad !== null && each.monthly_quota > tier.monthly_quota)
    sendPage(
      ctx,
      200,
      <UsagePage
        {...{ page, environment, days, months, isNow, usage: view, now: rightNow, stopAtQuota: row.stopAtQuota }}
        requestsPerMinute={limits.requestsPerMinute}
        nextTier={above && { name: above.name, monthlyQuota: above.monthly_quota }}
      />,
    )
  }

  const switchQuota: Step<OwnerRequest> = async (ctx, request) => {
    const stopAtQuota = request.fields.get('stop') === 'yes'
    await accounts.changeSettings(request.account.row.id, { stopAtQuota }, ownerOf(request))
    seeOther(ctx, to.overview)
  }

  return { usagePage, switchQuota }
}
