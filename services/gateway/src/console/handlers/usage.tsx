// Handlers of the overview: contracts, usage as GET /usage counts it, and the switch "Stop at quota". [Usage, D3, D4]
import { billingPeriodOf } from '../../usage/billing-period.js'
import { limitsOf } from '../../accounts/subscription.js'
import { readUsageDays, readUsageMonths } from '../../usage/history.js'
import { ownerOf, principalOf, type Handler, type OwnerRequest } from '../console-context.js'
import { shownEnvironment } from '../environment.js'
import { to } from '../frame/links.js'
import { UsagePage } from '../usage/usage-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

export const usagePage: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, account, now } = request
  const { row } = account
  const { database, accounts, usage, others } = deps
  const tiers = await accounts.tiers()
  const tier = tiers.find(({ name }) => name === row.tier)
  if (!tier) return seeOther(ctx, to.home)
  const environment = shownEnvironment(ctx, request)
  const currentMonth = billingPeriodOf(now).period
  const { requestsPerMinute, monthlyQuota } = limitsOf(tier, environment)
  const scope = { accountId: row.id, environment }
  const months = await readUsageMonths(database, scope, currentMonth)
  // Accepts only the last twelve months: a typed month could make the query and the chart cover thousands of years.
  const month = months.find((each) => each.month === ctx.query['month'])?.month ?? currentMonth
  const isNow = month === currentMonth
  const first = new Date(`${month}-01T00:00:00.000Z`)
  const last = (isNow ? now : billingPeriodOf(first).endAt).toISOString().slice(0, 10)
  const { contract } = others(principalOf(row, environment))
  const [view, days, contracts] = await Promise.all([
    usage.read(scope, isNow ? now : first, monthlyQuota),
    readUsageDays(database, scope, month, last),
    isNow ? contract.overview.query().catch(() => undefined) : undefined,
  ])
  const nextTier = tiers.find((each) => each.monthly_price_cad !== null && each.monthly_quota > tier.monthly_quota)
  // Months before the account existed have no calls.
  const offered = months.filter(({ month, total }) => total > 0 || month >= row.createdAt.toISOString().slice(0, 7))
  const shown = { environment, days, months: offered, isNow, usage: view, contracts, stopAtQuota: row.stopAtQuota }
  sendPage(ctx, 200, <UsagePage {...{ page, ...shown, requestsPerMinute, nextTier }} />)
}

export const switchQuota: Handler<OwnerRequest> = async (ctx, request) => {
  const stopAtQuota = request.fields.get('stop') === 'yes'
  await request.deps.accounts.changeSettings(request.account.row.id, { stopAtQuota }, ownerOf(request))
  // The switch is about production alone.
  seeOther(ctx, `${to.overview}?environment=production`)
}
