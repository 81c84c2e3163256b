// What operators do: decide applications, grant and end subscriptions, put accounts on hold and take them off. Every act is audited. [D37, D38]
import type { Context } from 'koa'
import { isUnstorable } from '@paraph/protocol/text-rules'
import { DomainError } from '@paraph/protocol/errors'
import type { FieldError } from '@paraph/web/fields'
import { faultOfReason, trimReason } from '../../application.js'
import type { AccountRow } from '../../account-store.js'
import { listActs } from '../../audit.js'
import { standingOf } from '../../subscription.js'
import { operatorOf, type Console, type SignedInRequest, type Step } from '../console.js'
import { to } from '../pages/links.js'
import { AccountListPage, OperatorAccountPage, OperatorQuestion } from '../pages/operator-account-pages.js'
import { AuditPage, ReportsPage } from '../pages/operator-log-pages.js'
import { QueuePage } from '../pages/queue-page.js'
import { operatorWords } from '../pages/operator-words.js'
import { OutcomePage } from '../pages/sign-in-pages.js'
import { beforeOf } from './account-steps.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const REPORTS_SHOWN = 100
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

export function createOperatorSteps({ database, accounts, applications, owners, reports }: Console) {
  const tierNames = async (): Promise<string[]> => (await accounts.tiers()).map(({ name }) => name)

  const queue: Step<SignedInRequest> = async (ctx, { page }) => showQueue(ctx, page, {})

  const decide: Step<SignedInRequest> = async (ctx, request) => {
    const { page, fields, parameters } = request
    const id = parameters['application'] ?? ''
    const reason = trimReason(fields.get(`reason-${id}`) ?? '')
    const tier = fields.get(`tier-${id}`) ?? ''
    const isRefusal = fields.get('decision') === 'refuse'
    const revision = Number(fields.get('revision'))
    const say = operatorWords(page.locale)
    const field = `reason-${id}`
    const fault = isRefusal || reason !== '' ? faultOfReason(reason) : undefined
    if (fault) {
      const message = { missing: say.reasonMissing, too_long: say.reasonLong, wrong: say.reasonWrong }[fault]
      return showQueue(ctx, page, { errors: [{ field, message }], typed: { id, reason } })
    }
    try {
      if (isRefusal) await applications.refuse(id, operatorOf(request), reason, revision)
      else await approve(request, { id, reason, tier, revision })
    } catch (error) {
      // Decided by somebody else, withdrawn, changed since it was read, or no application at all: the queue says what waits now.
      const isGone = error instanceof DomainError && ['invalid_request', 'not_found'].includes(error.code)
      if (!isGone) throw error
      return showQueue(ctx, page, { isDecided: true })
    }
    seeOther(ctx, to.operator.applications)
  }

  /** With a tier the account can begin at once; without one its owner chooses. */
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

  const accountList: Step<SignedInRequest> = async (ctx, { page }) => {
    const { name, id } = ctx.query
    const isPlace = typeof name === 'string' && typeof id === 'string' && !isUnstorable(name) && !isUnstorable(id)
    const after = isPlace ? { name, id } : undefined
    const { accounts: rows, hasMore } = await accounts.page(after)
    const last = rows.at(-1)
    const next = hasMore && last ? new URLSearchParams({ name: last.name, id: last.id }).toString() : undefined
    sendPage(ctx, 200, <AccountListPage {...{ page, next, accounts: rows }} />)
  }

  /** Runs `act` on the account that the path names; a page that says there is none otherwise. */
  const withAccount =
    (act: (ctx: Context, request: SignedInRequest, account: AccountRow) => Promise<void>): Step<SignedInRequest> =>
    async (ctx, request) => {
      let account: AccountRow
      try {
        account = await accounts.show(request.parameters['account'] ?? '')
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
        return sendPage(ctx, 404, <OutcomePage page={request.page} kind="notFound" />)
      }
      return act(ctx, request, account)
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
    const say = operatorWords(page.locale)
    const typed = { tier: fields.get('tier') ?? '', lastDay: (fields.get('lastDay') ?? '').trim() }
    const periodEnd = typed.lastDay === '' ? null : endOfDay(typed.lastDay)
    const errors: FieldError[] = []
    if (!(await tierNames()).includes(typed.tier)) errors.push({ field: 'tier', message: say.tierWrong })
    if (periodEnd === undefined || (periodEnd !== null && periodEnd <= now))
      errors.push({ field: 'lastDay', message: say.lastDayWrong })
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

  const reportList: Step<SignedInRequest> = async (ctx, { page }) => {
    const listed = await reports.list.query({ count: REPORTS_SHOWN })
    sendPage(ctx, 200, <ReportsPage page={page} reports={listed.reports} />)
  }

  const auditLog: Step<SignedInRequest> = async (ctx, { page }) => {
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
    const standing = standingOf({ tier, status, periodEnd }, now)
    const props = { page, account, standing, entries, owners: await owners.list(account.id), tiers: await tierNames() }
    sendPage(ctx, more.errors ? 422 : 200, <OperatorAccountPage {...props} {...more} />)
  }

  return {
    ...{ queue, decide, accountList, operatorAccount, suspendPage, suspend, resume },
    ...{ grant, endPlanPage, endPlan, reportList, auditLog },
  }
}

/** The last millisecond of a UTC day; undefined for what is no day. */
function endOfDay(day: string): Date | undefined {
  if (!DAY.test(day)) return undefined
  const end = new Date(`${day}T23:59:59.999Z`)
  // 31 February is no day, though it looks like one.
  return Number.isNaN(end.getTime()) || end.toISOString().slice(0, 10) !== day ? undefined : end
}
