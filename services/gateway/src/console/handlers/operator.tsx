// Handlers for operators: decide applications, grant and end subscriptions, suspend and resume accounts. Every act is audited. [D37, D38]
import type { Context } from 'koa'
import { isUnstorable } from '@paraph/protocol/text-rules'
import { DomainError } from '@paraph/protocol/errors'
import type { FieldError } from '@paraph/web/fields'
import { reasonError, trimReason } from '../../accounts/application.js'
import type { AccountRow } from '../../accounts/account-store.js'
import { listActs } from '../../accounts/audit.js'
import { subscriptionStatusOf } from '../../accounts/subscription.js'
import { operatorOf, type Console, type SignedInRequest, type Handler } from '../console-context.js'
import { to } from '../frame/links.js'
import { AccountListPage, OperatorAccountPage, OperatorQuestion } from '../operator/operator-account-pages.js'
import { AuditPage, ReportsPage } from '../operator/operator-log-pages.js'
import { QueuePage } from '../operator/queue-page.js'
import { operatorMessages } from '../operator/messages.js'
import { OutcomePage } from '../people/sign-in-pages.js'
import { beforeOf } from './account.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const REPORTS_SHOWN = 100
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

export function createOperatorHandlers({ database, accounts, applications, owners, reports }: Console) {
  const tierNames = async (): Promise<string[]> => (await accounts.tiers()).map(({ name }) => name)

  const queue: Handler<SignedInRequest> = async (ctx, { page }) => showQueue(ctx, page, {})

  const decide: Handler<SignedInRequest> = async (ctx, request) => {
    const { page, fields, parameters } = request
    const id = parameters['application'] ?? ''
    const reason = trimReason(fields.get(`reason-${id}`) ?? '')
    const tier = fields.get(`tier-${id}`) ?? ''
    const isRefusal = fields.get('decision') === 'refuse'
    const revision = Number(fields.get('revision'))
    const text = operatorMessages(page.locale)
    const field = `reason-${id}`
    const error = isRefusal || reason !== '' ? reasonError(reason) : undefined
    if (error) {
      const message = { missing: text.reasonMissing, too_long: text.reasonLong, wrong: text.reasonWrong }[error]
      return showQueue(ctx, page, { errors: [{ field, message }], typed: { id, reason } })
    }
    try {
      if (isRefusal) await applications.refuse(id, operatorOf(request), reason, revision)
      else await approve(request, { id, reason, tier, revision })
    } catch (error) {
      // Decided by another operator, withdrawn, changed since it was shown, or unknown: the queue shows the current state.
      const isGone = error instanceof DomainError && ['invalid_request', 'not_found'].includes(error.code)
      if (!isGone) throw error
      return showQueue(ctx, page, { isDecided: true })
    }
    seeOther(ctx, to.operator.applications)
  }

  /** With a tier the account gets its subscription; without one its owner chooses a plan. */
  async function approve(
    request: SignedInRequest,
    { id, reason, tier, revision }: { id: string; reason: string; tier: string; revision: number },
  ): Promise<void> {
    const known = tier === '' || (await tierNames()).includes(tier)
    if (!known) throw new DomainError('invalid_request', 'Choose a plan from the list.')
    const actor = operatorOf(request)
    const { accountId } = await applications.approve(id, actor, reason === '' ? undefined : reason, revision)
    if (tier !== '') await accounts.grant(accountId, { tier, periodEnd: null }, actor)
  }

  const accountList: Handler<SignedInRequest> = async (ctx, { page }) => {
    const { name, id } = ctx.query
    const isCursor = typeof name === 'string' && typeof id === 'string' && !isUnstorable(name) && !isUnstorable(id)
    const after = isCursor ? { name, id } : undefined
    const { accounts: rows, hasMore } = await accounts.page(after)
    const last = rows.at(-1)
    const next = hasMore && last ? new URLSearchParams({ name: last.name, id: last.id }).toString() : undefined
    sendPage(ctx, 200, <AccountListPage {...{ page, next, accounts: rows }} />)
  }

  /** Calls `handle` with the account that the path names, or sends the 404 page. */
  const withAccount =
    (
      handle: (ctx: Context, request: SignedInRequest, account: AccountRow) => Promise<void>,
    ): Handler<SignedInRequest> =>
    async (ctx, request) => {
      let account: AccountRow
      try {
        account = await accounts.show(request.parameters['account'] ?? '')
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
        return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
      }
      return handle(ctx, request, account)
    }

  const operatorAccount = withAccount((ctx, request, account) => showAccount(ctx, request, account, {}))

  const suspendPage = withAccount(async (ctx, { page }, account) =>
    sendPage(ctx, 200, <OperatorQuestion {...{ page, account }} kind="suspend" />),
  )
  const suspend = withAccount(async (ctx, request, { id }) => {
    await accounts.setStatus(id, 'suspended', operatorOf(request))
    seeOther(ctx, to.operator.account(id))
  })
  const resume = withAccount(async (ctx, request, { id }) => {
    await accounts.setStatus(id, 'active', operatorOf(request))
    seeOther(ctx, to.operator.account(id))
  })

  const grant = withAccount(async (ctx, request, account) => {
    const { page, fields, now } = request
    const text = operatorMessages(page.locale)
    const typed = { tier: fields.get('tier') ?? '', lastDay: (fields.get('lastDay') ?? '').trim() }
    const periodEnd = typed.lastDay === '' ? null : endOfDay(typed.lastDay)
    const errors: FieldError[] = []
    if (!(await tierNames()).includes(typed.tier)) errors.push({ field: 'tier', message: text.tierWrong })
    if (periodEnd === undefined || (periodEnd !== null && periodEnd <= now))
      errors.push({ field: 'lastDay', message: text.lastDayWrong })
    if (errors.length > 0 || periodEnd === undefined) return showAccount(ctx, request, account, { errors, typed })
    await accounts.grant(account.id, { tier: typed.tier, periodEnd }, operatorOf(request))
    seeOther(ctx, to.operator.account(account.id))
  })

  const endPlanPage = withAccount(async (ctx, { page }, account) =>
    sendPage(ctx, 200, <OperatorQuestion {...{ page, account }} kind="endPlan" />),
  )
  const endPlan = withAccount(async (ctx, request, account) => {
    if (account.tier !== null) await accounts.endSubscription(account.id, operatorOf(request))
    seeOther(ctx, to.operator.account(account.id))
  })

  const reportList: Handler<SignedInRequest> = async (ctx, { page }) => {
    const listed = await reports.list.query({ count: REPORTS_SHOWN })
    sendPage(ctx, 200, <ReportsPage page={page} reports={listed.reports} />)
  }

  const auditLog: Handler<SignedInRequest> = async (ctx, { page }) => {
    const { entries, hasMore } = await listActs(database, { before: beforeOf(ctx) })
    sendPage(ctx, 200, <AuditPage {...{ page, entries }} older={hasMore ? entries.at(-1)?.id : undefined} />)
  }

  async function showQueue(
    ctx: Context,
    page: SignedInRequest['page'],
    more: Pick<Parameters<typeof QueuePage>[0], 'errors' | 'typed' | 'isDecided'>,
  ): Promise<void> {
    const [waiting, tiers] = [await applications.queue(), await tierNames()]
    const status = more.errors ? 422 : more.isDecided ? 409 : 200
    sendPage(ctx, status, <QueuePage {...{ page, tiers, ...waiting, ...more }} />)
  }

  async function showAccount(
    ctx: Context,
    { page, now }: SignedInRequest,
    account: AccountRow,
    more: Pick<Parameters<typeof OperatorAccountPage>[0], 'errors' | 'typed'>,
  ): Promise<void> {
    const { entries } = await listActs(database, { accountId: account.id })
    const { tier, subscriptionStatus: status, periodEnd } = account
    const subscriptionStatus = subscriptionStatusOf({ tier, status, periodEnd }, now)
    const props = {
      page,
      account,
      subscriptionStatus,
      entries,
      owners: await owners.list(account.id),
      tiers: await tierNames(),
    }
    sendPage(ctx, more.errors ? 422 : 200, <OperatorAccountPage {...props} {...more} />)
  }

  return {
    queue,
    decide,
    accountList,
    operatorAccount,
    suspendPage,
    suspend,
    resume,
    grant,
    endPlanPage,
    endPlan,
    reportList,
    auditLog,
  }
}

/** The last millisecond of a UTC day; undefined if `day` is not a date. */
function endOfDay(day: string): Date | undefined {
  if (!DAY.test(day)) return undefined
  const end = new Date(`${day}T23:59:59.999Z`)
  // `Date` accepts 31 February and moves it to March.
  return Number.isNaN(end.getTime()) || end.toISOString().slice(0, 10) !== day ? undefined : end
}
