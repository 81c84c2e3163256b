// From a proven mailbox to a plan: apply, change, take back, choose. [Authentication, D38]
import type { Context } from 'koa'
import { CONTRACT_TYPES } from '@paraph/protocol/contract'
import { DomainError } from '@paraph/protocol/errors'
import { readApplication, VOLUMES } from '../../application.js'
import type { Application } from '../../application-store.js'
import {
  ownerOf,
  type Console,
  type OwnerRequest,
  type ShownAccount,
  type SignedInRequest,
  type Step,
} from '../console.js'
import { to } from '../pages/links.js'
import {
  ApplicationPage,
  PendingPage,
  RefusedPage,
  WithdrawPage,
  type TypedApplication,
} from '../pages/application-pages.js'
import { PlanPage } from '../pages/plan-page.js'
import { seeOther, sendPage } from '@paraph/web/page-answer'

const NOTHING_TYPED: TypedApplication = {
  ...{ company: '', website: '', purpose: '', contractTypes: [], otherParties: '', volume: '' },
}

/** @param mayTry `AUTO_APPROVE=trial`: a chosen plan begins as a trial at once */
export function createApplicationSteps({ accounts, applications }: Console, { mayTry }: { mayTry: boolean }) {
  /** Where the account stands decides which page this is. */
  const applicationPage: Step<SignedInRequest> = async (ctx, { page, account }) => {
    if (!mayApply(account)) return seeOther(ctx, to.home)
    const step = account?.access.step
    const application = account && (await applications.newestOf(account.row.id))
    if (application && ctx.query['change'] === undefined) {
      if (step === 'pending') return sendPage(ctx, 200, <PendingPage {...{ page, application }} />)
      if (step === 'refused') return sendPage(ctx, 200, <RefusedPage {...{ page, application }} />)
    }
    const typed = application ?? NOTHING_TYPED
    sendPage(ctx, 200, <ApplicationPage {...{ page, typed }} isChange={step === 'pending'} />)
  }

  const sendApplication: Step<SignedInRequest> = async (ctx, request) => {
    const { page, fields, account, session } = request
    if (!mayApply(account)) return seeOther(ctx, to.home)
    const isChange = account?.access.step === 'pending'
    const field = (name: string): string => fields.get(name) ?? ''
    const typed = {
      ...{ company: field('company'), website: field('website'), purpose: field('purpose') },
      ...{ otherParties: field('otherParties'), volume: field('volume') },
      contractTypes: CONTRACT_TYPES.filter((type) => fields.get(`contractTypes-${type}`) === 'yes'),
    }
    const read = readApplication(typed)
    const terms = isChange || fields.get('terms') === 'yes' ? {} : { terms: 'missing' as const }
    const faults = { ...('faults' in read ? read.faults : {}), ...terms }
    if ('faults' in read || Object.keys(faults).length > 0)
      return sendPage(ctx, 422, <ApplicationPage {...{ page, typed, faults, isChange }} />)
    const owner = { mailbox: session.mailbox, address: session.mailbox, session }
    await unlessDecided(
      isChange
        ? applications.change(account.row.id, read.form, ownerOf(request))
        : applications.send(read.form, owner, account?.row.id),
    )
    seeOther(ctx, to.home)
  }

  const withdrawPage: Step<OwnerRequest> = async (ctx, { page }) => sendPage(ctx, 200, <WithdrawPage page={page} />)

  const withdraw: Step<OwnerRequest> = async (ctx, request) => {
    await unlessDecided(applications.withdraw(request.account.row.id, ownerOf(request)))
    seeOther(ctx, to.home)
  }

  const planPage: Step<OwnerRequest> = async (ctx, { page, account }) => {
    if (account.row.approvedAt === null) return seeOther(ctx, to.home)
    const tiers = await accounts.offeredTiers()
    sendPage(
      ctx,
      200,
      <PlanPage
        {...{
          page,
          access: account.access,
          accountName: account.row.name,
          tier: account.row.tier,
          wantedTier: account.row.wantedTier,
        }}
        contractsAMonth={contractsOf(await applications.newestOf(account.row.id))}
        tiers={tiers.map((tier) => ({
          ...{ name: tier.name, priceCad: tier.monthly_price_cad!, monthlyQuota: tier.monthly_quota },
          ...{ requestsPerMinute: tier.requests_per_minute, sandboxMonthlyQuota: tier.sandbox_monthly_quota },
        }))}
      />,
    )
  }

  const choosePlan: Step<OwnerRequest> = async (ctx: Context, request) => {
    const { account, fields } = request
    const choice = { tier: fields.get('tier') ?? '', from: fields.get('from') || null }
    const outcome = await accounts.choosePlan(account.row.id, choice, ownerOf(request), mayTry)
    seeOther(ctx, { trial: to.keys, waiting: to.plan, overtaken: to.home }[outcome])
  }

  return { applicationPage, sendApplication, withdrawPage, withdraw, planPage, choosePlan }
}

/** Before the approval; a suspended account's way is the operator. */
const mayApply = (account: ShownAccount | undefined): boolean =>
  account === undefined || ['apply', 'pending', 'refused'].includes(account.access.step)

/** Whoever was overtaken by a decision, or by their own second click, is led to what stands. */
async function unlessDecided(act: Promise<void>): Promise<void> {
  await act.catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'invalid_request') throw error
  })
}

const contractsOf = (application: Application | undefined): number | undefined =>
  application && VOLUMES[application.volume]
