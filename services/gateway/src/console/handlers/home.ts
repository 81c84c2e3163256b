// The start of the console: leads to the one thing that comes next.
import type { SignedInRequest, Step } from '../console.js'
import { to } from '../pages/links.js'
import { seeOther } from '@paraph/web/page-answer'

export function createHomeStep() {
  const home: Step<SignedInRequest> = async (ctx, request) => seeOther(ctx, nextPlaceOf(request))
  return { home }
}

/** Where whoever signs in goes on. */
export function nextPlaceOf({
  account,
  session,
  owned,
  isOperator,
  page,
}: Pick<SignedInRequest, 'account' | 'session' | 'owned' | 'isOperator' | 'page'>): string {
  // An invitation is read once; whoever then opens an account goes on there.
  if (session.accountId === null && owned.some(({ isConfirmed }) => !isConfirmed)) return to.chooseAccount
  if (!account) {
    if (owned.length > 0) return to.chooseAccount
    return isOperator ? to.operator.applications : to.application
  }
  switch (account.access.step) {
    case 'apply':
    case 'pending':
    case 'refused':
      return to.application
    case 'choose_plan':
    case 'plan_chosen':
      return to.plan
    default:
      return page.shell?.account?.keys === 0 ? to.keys : to.overview
  }
}
