// The start of the console: redirects to the next thing to do.
import type { SignedInRequest, Handler } from '../console-context.js'
import { to } from '../frame/links.js'
import { seeOther } from '@paraph/web/page-answer'

export function createHomeHandler() {
  const home: Handler<SignedInRequest> = async (ctx, request) => seeOther(ctx, nextPath(request))
  return { home }
}

/** The path to continue at after sign-in. */
function nextPath({ account, session, owned, isOperator, page }: SignedInRequest): string {
  // A pending invitation comes first, until an account is chosen.
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
