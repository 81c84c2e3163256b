// The routes of the console: method, path, required role, handler. docs/internal/console.md shows this role × action matrix and
// console-roles.int.test.ts requests every row.
import { createRouteFinder } from '@paraph/http/route-table'
import type { ConsoleRequest, Handler, OwnerRequest, SignedInRequest } from './console-context.js'
import * as account from './handlers/account.js'
import * as application from './handlers/application.js'
import * as contract from './handlers/contract.js'
import * as key from './handlers/key.js'
import * as operator from './handlers/operator.js'
import * as requests from './handlers/requests.js'
import * as signIn from './handlers/sign-in.js'
import * as testMail from './handlers/test-mail.js'
import * as usage from './handlers/usage.js'
import * as webhook from './handlers/webhook.js'

/**
 * Role → the request that its handlers get. `signed_in`: a proven mailbox. `owner`: an owner of the account that the session shows.
 * `operator`: a mailbox of OPERATOR_EMAILS.
 */
interface RequestOf {
  anybody: ConsoleRequest
  signed_in: SignedInRequest
  owner: OwnerRequest
  operator: SignedInRequest
}

export interface Route {
  method: 'GET' | 'POST'
  /** `:name` stands for an id. */
  path: string
  /** The required role. */
  may: keyof RequestOf
  /** Call the handler only with a request of the required role. */
  handler: Handler
}

const route = <Role extends keyof RequestOf>(
  method: Route['method'],
  path: string,
  may: Role,
  handler: Handler<RequestOf[Role]>,
): Route => ({ method, path, may, handler: handler as Handler })

export const ROUTES: readonly Route[] = [
  route('GET', '/console', 'signed_in', signIn.home),
  route('GET', '/console/sign-in', 'anybody', signIn.signIn),
  route('POST', '/console/sign-in', 'anybody', signIn.requestCode),
  route('POST', '/console/sign-in/again', 'anybody', signIn.resendCode),
  route('GET', '/console/sign-in/:challenge', 'anybody', signIn.showChallenge),
  route('POST', '/console/sign-in/:challenge', 'anybody', signIn.checkCode),
  route('GET', '/console/sign-out', 'signed_in', signIn.signOutPage),
  route('POST', '/console/sign-out', 'signed_in', signIn.signOut),
  route('GET', '/console/sessions', 'signed_in', signIn.sessionsPage),
  route('POST', '/console/sessions/end', 'signed_in', signIn.endSession),
  route('POST', '/console/sessions/end-all', 'signed_in', signIn.signOutEverywhere),
  route('GET', '/console/accounts', 'signed_in', signIn.chooseAccountPage),
  route('POST', '/console/accounts', 'signed_in', signIn.chooseAccount),

  route('GET', '/console/application', 'signed_in', application.applicationPage),
  route('POST', '/console/application', 'signed_in', application.sendApplication),
  route('GET', '/console/application/withdraw', 'owner', application.withdrawPage),
  route('POST', '/console/application/withdraw', 'owner', application.withdraw),
  route('GET', '/console/plan', 'owner', application.planPage),
  route('POST', '/console/plan', 'owner', application.choosePlan),

  route('GET', '/console/overview', 'owner', usage.usagePage),
  route('POST', '/console/overview/quota', 'owner', usage.switchQuota),

  route('GET', '/console/keys', 'owner', key.keysPage),
  route('GET', '/console/keys/new', 'owner', key.newKeyPage),
  route('POST', '/console/keys/new', 'owner', key.createKey),
  route('GET', '/console/keys/:key/rotate', 'owner', key.rotateKeyPage),
  route('POST', '/console/keys/:key/rotate', 'owner', key.rotateKey),
  route('GET', '/console/keys/:key/revoke', 'owner', key.revokeKeyPage),
  route('POST', '/console/keys/:key/revoke', 'owner', key.revokeKey),

  route('GET', '/console/requests', 'owner', requests.requestsPage),

  route('GET', '/console/webhooks', 'owner', webhook.webhookList),
  route('POST', '/console/webhooks', 'owner', webhook.createWebhook),
  route('GET', '/console/webhooks/:environment/:hook', 'owner', webhook.webhookPage),
  route('POST', '/console/webhooks/:environment/:hook/test', 'owner', webhook.testWebhook),
  route('POST', '/console/webhooks/:environment/:hook/enable', 'owner', webhook.enableWebhook),
  route('POST', '/console/webhooks/:environment/:hook/again', 'owner', webhook.sendWebhookAgain),
  route('GET', '/console/webhooks/:environment/:hook/rotate', 'owner', webhook.rotateWebhookPage),
  route('POST', '/console/webhooks/:environment/:hook/rotate', 'owner', webhook.rotateWebhook),
  route('GET', '/console/webhooks/:environment/:hook/remove', 'owner', webhook.removeWebhookPage),
  route('POST', '/console/webhooks/:environment/:hook/remove', 'owner', webhook.removeWebhook),

  route('GET', '/console/test-mail', 'owner', testMail.testMails),
  route('GET', '/console/test-mail/:mail', 'owner', testMail.testMailPage),
  route('GET', '/console/test-mail/:mail/html', 'owner', testMail.testMailHtml),
  route('GET', '/console/test-mail/:mail/raw', 'owner', testMail.testMailRaw),

  route('GET', '/console/contracts', 'owner', contract.contractList),
  route('GET', '/console/contracts/:environment/:contract', 'owner', contract.contractPage),
  route('POST', '/console/contracts/:environment/:contract/invitation', 'owner', contract.sendAgain),
  route('GET', '/console/contracts/:environment/:contract/parties/:party/address', 'owner', contract.addressPage),
  route('POST', '/console/contracts/:environment/:contract/parties/:party/address', 'owner', contract.correctAddress),
  route('POST', '/console/contracts/:environment/:contract/sign', 'owner', contract.signAs),
  route('POST', '/console/contracts/:environment/:contract/expire', 'owner', contract.expireNow),
  route('GET', '/console/contracts/:environment/:contract/cancel', 'owner', contract.cancelPage),
  route('POST', '/console/contracts/:environment/:contract/cancel', 'owner', contract.cancelContract),
  route('GET', '/console/contracts/:environment/:contract/erase', 'owner', contract.erasePage),
  route('POST', '/console/contracts/:environment/:contract/erase', 'owner', contract.eraseContract),
  route('POST', '/console/contracts/:environment/:contract/keep', 'owner', contract.keepContract),
  route('GET', '/console/contracts/:environment/:contract/evidence', 'owner', contract.evidenceFile),
  route('GET', '/console/contracts/:environment/:contract/openings', 'owner', contract.disclosuresFile),
  route('GET', '/console/contracts/:environment/:contract/copy', 'owner', contract.copyFile),

  route('GET', '/console/account', 'owner', account.accountPage),
  route('POST', '/console/account/settings', 'owner', account.changeSettings),
  route('POST', '/console/account/mails', 'owner', account.changeMails),
  route('POST', '/console/account/reply', 'owner', account.askReplyAddress),
  route('POST', '/console/account/reply-again', 'owner', account.askReplyAgain),
  route('POST', '/console/account/reply-remove', 'owner', account.removeReplyAddress),
  route('GET', '/console/account/reply/:challenge', 'owner', account.replyChallenge),
  route('POST', '/console/account/reply/:challenge', 'owner', account.confirmReplyAddress),
  route('POST', '/console/account/owners', 'owner', account.inviteOwner),
  route('POST', '/console/account/owners/remove', 'owner', account.removeOwner),
  route('GET', '/console/account/audit', 'owner', account.accountAudit),
  route('GET', '/console/account/export', 'owner', account.exportAll),

  route('GET', '/console/operator/applications', 'operator', operator.queue),
  route('POST', '/console/operator/applications/:application', 'operator', operator.decide),
  route('GET', '/console/operator/accounts', 'operator', operator.accountList),
  route('GET', '/console/operator/accounts/:account', 'operator', operator.operatorAccount),
  route('GET', '/console/operator/accounts/:account/suspend', 'operator', operator.suspendPage),
  route('POST', '/console/operator/accounts/:account/suspend', 'operator', operator.suspend),
  route('POST', '/console/operator/accounts/:account/resume', 'operator', operator.resume),
  route('POST', '/console/operator/accounts/:account/grant', 'operator', operator.grant),
  route('GET', '/console/operator/accounts/:account/end-plan', 'operator', operator.endPlanPage),
  route('POST', '/console/operator/accounts/:account/end-plan', 'operator', operator.endPlan),
  route('GET', '/console/operator/reports', 'operator', operator.reportList),
  route('GET', '/console/operator/audit', 'operator', operator.auditLog),
]

/** A path parameter: one of our ids. */
const PARAMETER = '[A-Za-z0-9_-]{1,100}'

/** Finds the first route that matches, with its path parameters. HEAD matches GET. */
export const findRoute = createRouteFinder(
  ROUTES.map((each) => ({ ...each, template: each.path.replace(/:(\w+)/g, '{$1}') })),
  PARAMETER,
)

/** Whether the sender of a request has `role`. */
export function mayAs(role: Route['may'], { session, account, isOperator }: ConsoleRequest): boolean {
  if (role === 'anybody') return true
  if (!session) return false
  if (role === 'owner') return account !== undefined
  return role === 'operator' ? isOperator : true
}

/** The path of the page that shows the form of `path`, or of the nearest ancestor with a page; links can lead to that page. */
export function pageOfForm(path: string): string {
  return path === '' || findRoute('GET', path) ? path : pageOfForm(path.slice(0, path.lastIndexOf('/')))
}
