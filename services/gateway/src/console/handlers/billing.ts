// Handlers of paying: links that lead to the pages of the payment provider and back. [D74]
// They are links, because a form may lead to no other origin (`form-action 'self'`).
import type { Context } from 'koa'
import { withTimeout } from '@paraph/protocol/deadline'
import { seeOther } from '@paraph/web/page-answer'
import type { Handler, OwnerRequest } from '../console-context.js'
import { to } from '../frame/links.js'
import type { PlanPayment } from '../plan/payment.js'

/** An owner who comes back does not wait longer for the provider. */
const RETURN_MS_MAX = 4_000

/** Leads an owner to the provider's page for a plan. Safe to repeat; from another site it leads to the plans. */
export const checkout: Handler<OwnerRequest> = async (ctx, { deps, parameters, account, session }) => {
  const { billing } = deps
  const { tier = '' } = parameters
  const { row, access } = account
  const mayPay = row.approvedAt !== null && access.step !== 'suspended'
  const isOffered = billing?.tiers.has(tier) && (await deps.accounts.offeredTiers()).some(({ name }) => name === tier)
  if (!billing || !mayPay || !isOffered || !isOwnLink(ctx, deps.baseUrl)) return seeOther(ctx, to.plan)
  const payer = { accountId: row.id, accountName: row.name, mailbox: session.mailbox }
  seeOther(ctx, await billing.planUrl(payer, tier))
}

/** Leads an owner to the provider's page about card, invoices and cancellation, also while the account is suspended. */
export const portal: Handler<OwnerRequest> = async (ctx, { deps, account }) => {
  const url = isOwnLink(ctx, deps.baseUrl) ? await deps.billing?.portalUrl(account.row.id) : undefined
  seeOther(ctx, url ?? to.plan)
}

/**
 * Asks the provider after a return from its pages, because its event may still be on its way. True if the page of the plan is up to date
 * without a word about the payment.
 */
export async function isSettled(ctx: Context, { deps: { billing }, account }: OwnerRequest): Promise<boolean> {
  const from = ctx.query['from']
  if (!billing || (from !== 'checkout' && from !== 'portal')) return false
  const { id } = account.row
  // Without an answer the page says so, and the event follows.
  await withTimeout(RETURN_MS_MAX, billing.refresh(id)).catch(() => undefined)
  return from === 'portal' || Boolean((await billing.read(id))?.isOpen)
}

/** What the page of the plan shows of the payment; undefined if the operator writes invoices. */
export async function paymentOf(ctx: Context, { deps, account }: OwnerRequest): Promise<PlanPayment | undefined> {
  const { billing, mayTry } = deps
  if (!billing) return undefined
  const kept = await billing.read(account.row.id)
  return {
    tiers: billing.tiers,
    status: kept?.status ?? undefined,
    isOpen: kept?.isOpen ?? false,
    cancelAt: kept?.cancelAt ?? null,
    isConfirming: ctx.query['from'] === 'checkout',
    mayTry,
  }
}

/**
 * True for a link of our own pages: a link of another site must not begin a payment. Browsers without `Sec-Fetch-Site` name our page in
 * `Referer`, as the referrer policy of our pages asks.
 */
function isOwnLink(ctx: Context, baseUrl: string): boolean {
  if (ctx.method !== 'GET') return false
  const site = ctx.get('sec-fetch-site')
  if (site !== '') return site === 'same-origin'
  return URL.parse(ctx.get('referer'))?.origin === new URL(baseUrl).origin
}
