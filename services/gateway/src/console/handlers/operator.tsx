// Handlers for operators: decide applications, grant and end subscriptions, suspend and resume accounts. Every act is audited. [D37, D38]
import type { Context } from 'koa'
import { z } from 'zod'
import { isUnstorable } from '@paraph/protocol/text-rules'
import { DomainError } from '@paraph/protocol/errors'
import type { FieldError } from '@paraph/web/fields'
import { wholeNumberOf } from '@paraph/web/form-body'
import { reasonError, trimReason } from '../../accounts/application.js'
import type { AccountRow } from '../../accounts/account-store.js'
import { listActs } from '../../accounts/audit.js'
import { subscriptionStatusOf } from '../../accounts/subscription.js'
import { asPageNotFound, isRefused, operatorOf, principalOf } from '../console-context.js'
import type { Handler, SignedInRequest } from '../console-context.js'
import { to } from '../frame/links.js'
import * as pages from '../operator/operator-account-pages.js'
import { QueuePage } from '../operator/queue-page.js'
import { operatorMessages } from '../operator/messages.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const tierNames = async ({ deps }: SignedInRequest): Promise<string[]> =>
  (await deps.accounts.tiers()).map(({ name }) => name)

export const queue: Handler<SignedInRequest> = async (ctx, request) => showQueue(ctx, request, {})

export const decide: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, page, fields, parameters } = request
  const id = parameters['application'] ?? ''
  const field = `reason-${id}`
  const reason = trimReason(fields.get(field) ?? '')
  const isRefusal = fields.get('decision') === 'refuse'
  const revision = wholeNumberOf(fields.get('revision'))
  const text = operatorMessages(page.locale)
  const error = isRefusal || reason !== '' ? reasonError(reason) : undefined
  if (error) {
    const message = { missing: text.reasonMissing, too_long: text.reasonLong, wrong: text.reasonWrong }[error]
    return showQueue(ctx, request, { errors: [{ field, message }], typed: { id, reason } })
  }
  const actor = operatorOf(request)
  const tier = fields.get(`tier-${id}`) ?? ''
  try {
    if (isRefusal) await deps.applications.refuse(id, actor, reason, revision)
    else {
      if (tier !== '') await requireTier(request, tier)
      const { accountId } = await deps.applications.approve(id, actor, reason === '' ? undefined : reason, revision)
      // Without a tier the owner chooses a plan.
      if (tier !== '') await deps.accounts.grant(accountId, { tier, periodEnd: null }, actor)
    }
  } catch (error) {
    // The application was decided, withdrawn or changed in the meantime, or is unknown: the queue shows the current state.
    if (!isRefused(error) && !isNotFound(error)) throw error
    return showQueue(ctx, request, { isDecided: true })
  }
  seeOther(ctx, to.operator.applications)
}

async function requireTier(request: SignedInRequest, tier: string): Promise<void> {
  if ((await tierNames(request)).includes(tier)) return
  throw new DomainError('invalid_request', 'Choose a plan from the list.')
}

export const accountList: Handler<SignedInRequest> = async (ctx, { deps, page }) => {
  const { name, id } = ctx.query
  const isCursor = typeof name === 'string' && typeof id === 'string' && !isUnstorable(name) && !isUnstorable(id)
  const typed = ctx.query['search']
  const search = typeof typed === 'string' && !isUnstorable(typed) ? typed.slice(0, 200).trim() : ''
  const { accounts, hasMore } = await deps.accounts.page(isCursor ? { name, id } : undefined, search || undefined)
  const last = accounts.at(-1)
  const next = hasMore && last ? new URLSearchParams({ search, name: last.name, id: last.id }).toString() : undefined
  sendPage(ctx, 200, <pages.AccountListPage {...{ page, next, search, accounts }} />)
}

/** Calls `handle` with the account that the path names. */
export const withAccount =
  (handle: (ctx: Context, request: SignedInRequest, account: AccountRow) => Promise<void>): Handler<SignedInRequest> =>
  async (ctx, request) => {
    const account = await request.deps.accounts.show(request.parameters['account'] ?? '').catch(asPageNotFound)
    return handle(ctx, request, account)
  }

const isNotFound = (error: unknown): boolean => error instanceof DomainError && error.code === 'not_found'

/** Runs `act` on the account that the path names, and redirects to the page of that account. */
const actOn = (act: (request: SignedInRequest, account: AccountRow) => Promise<unknown>) =>
  withAccount(async (ctx, request, account) => {
    await act(request, account)
    seeOther(ctx, to.operator.account(account.id))
  })

const question = (kind: 'suspend' | 'endPlan') =>
  withAccount(async (ctx, { page }, account) =>
    sendPage(ctx, 200, <pages.OperatorQuestion {...{ page, account, kind }} />),
  )

export const operatorAccount = withAccount((ctx, request, account) => showAccount(ctx, request, account, {}))

export const suspendPage = question('suspend')
export const suspend = actOn((request, { id }) => request.deps.accounts.setStatus(id, 'suspended', operatorOf(request)))
export const resume = actOn((request, { id }) => request.deps.accounts.setStatus(id, 'active', operatorOf(request)))

export const grant = withAccount(async (ctx, request, account) => {
  const { deps, page, fields, now } = request
  const text = operatorMessages(page.locale)
  const typed = { tier: fields.get('tier') ?? '', lastDay: (fields.get('lastDay') ?? '').trim() }
  const periodEnd = typed.lastDay === '' ? null : endOfDay(typed.lastDay)
  const errors: FieldError[] = []
  if (!(await tierNames(request)).includes(typed.tier)) errors.push({ field: 'tier', message: text.tierWrong })
  if (periodEnd === undefined || (periodEnd !== null && periodEnd <= now))
    errors.push({ field: 'lastDay', message: text.lastDayWrong })
  if (errors.length > 0 || periodEnd === undefined) return showAccount(ctx, request, account, { errors, typed })
  await deps.accounts.grant(account.id, { tier: typed.tier, periodEnd }, operatorOf(request))
  seeOther(ctx, to.operator.account(account.id))
})

export const endPlanPage = question('endPlan')
export const endPlan = actOn(async (request, { id, tier }) => {
  if (tier !== null) await request.deps.accounts.endSubscription(id, operatorOf(request))
})

async function showQueue(
  ctx: Context,
  request: SignedInRequest,
  more: Pick<Parameters<typeof QueuePage>[0], 'errors' | 'typed' | 'isDecided'>,
): Promise<void> {
  const waiting = await request.deps.applications.queue()
  const brands = await request.deps.brands.waiting()
  const props = { page: request.page, tiers: await tierNames(request), brands, ...waiting, ...more }
  sendPage(ctx, more.errors ? 422 : more.isDecided ? 409 : 200, <QueuePage {...props} />)
}

async function showAccount(
  ctx: Context,
  request: SignedInRequest,
  account: AccountRow,
  more: Pick<Parameters<typeof pages.OperatorAccountPage>[0], 'errors' | 'typed'>,
): Promise<void> {
  const { deps, page, now } = request
  const { entries } = await listActs(deps.database, { accountId: account.id })
  const subscriptionStatus = subscriptionStatusOf(account, now)
  const [owners, tiers, use, brands, payment] = await Promise.all([
    deps.owners.list(account.id),
    deps.accounts.tiers(),
    useOf(request, account),
    deps.brands.read(account.id),
    deps.billing?.read(account.id),
  ])
  const quota = tiers.find(({ name }) => name === account.tier)?.monthly_quota
  const names = tiers.map(({ name }) => name)
  const props = {
    page,
    account,
    subscriptionStatus,
    entries,
    owners,
    tiers: names,
    brands,
    use: { ...use, quota },
    payment: payment && { ...payment, href: deps.billing!.customerHref(payment.customerId) },
    ...more,
  }
  sendPage(ctx, more.errors ? 422 : 200, <pages.OperatorAccountPage {...props} />)
}

/** What the account does in production. Undefined: the service that knows does not respond. */
async function useOf({ deps, now }: SignedInRequest, account: AccountRow): Promise<Omit<pages.AccountUse, 'quota'>> {
  const unknown = () => undefined
  const [{ billableCalls }, lately, reports] = await Promise.all([
    deps.usage.read({ accountId: account.id, environment: 'production' }, now, 0),
    deps.others(principalOf(account, 'production')).contract.lately.query().catch(unknown),
    deps.reports.countOpen.query({ accountId: account.id }).catch(unknown),
  ])
  return { billableCalls, lately, reports }
}

/** The last millisecond of a UTC day; undefined if `day` is not a date. */
const endOfDay = (day: string): Date | undefined =>
  z.iso.date().safeParse(day).success ? new Date(`${day}T23:59:59.999Z`) : undefined
