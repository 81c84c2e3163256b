// Handlers of the onboarding after sign-in: apply, change, withdraw, choose a plan. [Authentication, D38]
import type { Context } from 'koa'
import { CONTRACT_TYPES } from '@paraph/protocol/contract'
import { readApplication, VOLUMES } from '../../accounts/application.js'
import { isRefused, ownerOf } from '../console-context.js'
import type { Handler, OwnerRequest, ShownAccount, SignedInRequest } from '../console-context.js'
import { to } from '../frame/links.js'
import * as pages from '../people/application-pages.js'
import { PlanPage } from '../plan/plan-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'
import { isSettled, paymentOf } from './billing.js'

const EMPTY = { company: '', website: '', purpose: '', contractTypes: [], otherParties: '', volume: '', timeZone: '' }

/** Shows the form, the pending application or the refusal. */
export const applicationPage: Handler<SignedInRequest> = async (ctx, { deps, page, account }) => {
  if (!mayApply(account)) return seeOther(ctx, to.home)
  const step = account?.access.step
  const application = account && (await deps.applications.newestOf(account.row.id))
  if (application && ctx.query['change'] === undefined) {
    if (step === 'pending') return sendPage(ctx, 200, <pages.PendingPage {...{ page, application }} />)
    if (step === 'refused') return sendPage(ctx, 200, <pages.RefusedPage {...{ page, application }} />)
  }
  const typed = application ? { ...application, timeZone: account!.row.timeZone } : EMPTY
  sendPage(ctx, 200, <pages.ApplicationPage {...{ page, typed }} isChange={step === 'pending'} />)
}

export const sendApplication: Handler<SignedInRequest> = async (ctx, request) => {
  const { deps, page, fields, account, session } = request
  if (!mayApply(account)) return seeOther(ctx, to.home)
  const isChange = account?.access.step === 'pending'
  const field = (name: string): string => fields.get(name) ?? ''
  const typed = {
    company: field('company'),
    website: field('website'),
    purpose: field('purpose'),
    otherParties: field('otherParties'),
    volume: field('volume'),
    timeZone: field('timeZone'),
    contractTypes: CONTRACT_TYPES.filter((type) => fields.get(`contractTypes-${type}`) === 'yes'),
  }
  const read = readApplication(typed)
  const terms = isChange || fields.get('terms') === 'yes' ? {} : { terms: 'missing' as const }
  const formErrors = { ...('faults' in read ? read.faults : {}), ...terms }
  if ('faults' in read || Object.keys(formErrors).length > 0)
    return sendPage(ctx, 422, <pages.ApplicationPage {...{ page, typed, formErrors, isChange }} />)
  const owner = { mailbox: session.mailbox, address: session.mailbox, session }
  await ignoreDecided(
    isChange
      ? deps.applications.change(account.row.id, read.form, { kind: 'owner', mailbox: session.mailbox })
      : deps.applications.send(read.form, owner, account?.row.id),
  )
  seeOther(ctx, to.home)
}

export const withdrawPage: Handler<OwnerRequest> = async (ctx, { page }) =>
  sendPage(ctx, 200, <pages.WithdrawPage page={page} />)

export const withdraw: Handler<OwnerRequest> = async (ctx, request) => {
  await ignoreDecided(request.deps.applications.withdraw(request.account.row.id, ownerOf(request)))
  seeOther(ctx, to.home)
}

export const planPage: Handler<OwnerRequest> = async (ctx, request) => {
  const { deps, page, account } = request
  if (account.row.approvedAt === null) return seeOther(ctx, to.home)
  if (await isSettled(ctx, request)) return seeOther(ctx, to.plan)
  const tiers = await deps.accounts.offeredTiers()
  const application = await deps.applications.newestOf(account.row.id)
  const contractsAMonth = application && VOLUMES[application.volume]
  const payment = await paymentOf(ctx, request)
  const { row, access } = account
  sendPage(ctx, 200, <PlanPage {...{ page, access, account: row, tiers, contractsAMonth, payment }} />)
}

export const choosePlan: Handler<OwnerRequest> = async (ctx: Context, request) => {
  const { deps, account, fields } = request
  const choice = { tier: fields.get('tier') ?? '', from: fields.get('from') || null }
  const outcome = await deps.accounts.choosePlan(account.row.id, choice, ownerOf(request), deps.mayTry)
  seeOther(ctx, { trial: to.keys, waiting: to.plan, overtaken: to.home }[outcome])
}

/** True for an owner until the application is approved. The owner of a suspended account must write to the operator instead. */
const mayApply = (account: ShownAccount | undefined): boolean =>
  account === undefined || (account.role === 'owner' && ['apply', 'pending', 'refused'].includes(account.access.step))

/** Ignores that the application was decided, or sent by a second click, in the meantime: the next page shows its state. */
async function ignoreDecided(change: Promise<void>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!isRefused(error)) throw error
  })
}
