// The routes of the console: method, path, what they require, handler. docs/internal/console.md shows this role × action matrix and
// console-roles.int.test.ts requests every row. permissions.ts says which role has which permission.
import { createRouteFinder } from '@paraph/http/route-table'
import type { ConsoleRequest, Handler, OwnerRequest, PendingRequest, SignedInRequest } from './console-context.js'
import { isAllowed, isPermission, type Permission } from './permissions.js'
import * as account from './handlers/account.js'
import * as application from './handlers/application.js'
import * as audit from './handlers/audit-log.js'
import * as billing from './handlers/billing.js'
import * as brand from './handlers/brand.js'
import * as contract from './handlers/contract.js'
import * as issuer from './handlers/issuer.js'
import * as key from './handlers/key.js'
import * as operator from './handlers/operator.js'
import * as passkey from './handlers/passkey.js'
import * as prove from './handlers/prove.js'
import * as report from './handlers/report.js'
import * as requests from './handlers/requests.js'
import * as secondFactor from './handlers/second-factor.js'
import * as signIn from './handlers/sign-in.js'
import * as testMail from './handlers/test-mail.js'
import * as usage from './handlers/usage.js'
import * as webhook from './handlers/webhook.js'

/**
 * What a route requires → the request that its handlers get. `signed_in`: a proven mailbox, with its second factor if it has one.
 * `pending`: a proven mailbox whose second factor is missing. `proven`: one of these two. `operator`: a member of the operators' group, or
 * a mailbox of OPERATOR_EMAILS. A permission: a role that has it in the account that the session shows.
 */
interface RequestOf extends Record<Permission, OwnerRequest> {
  anybody: ConsoleRequest
  pending: PendingRequest
  proven: ConsoleRequest
  signed_in: SignedInRequest
  operator: SignedInRequest
}

export interface Route {
  method: 'GET' | 'POST'
  /** `:name` stands for an id. */
  path: string
  /** What it requires. */
  may: keyof RequestOf
  /** Call the handler only with a request that has what the route requires. */
  handler: Handler
  /** Its form has a file. */
  hasFile?: boolean
  /** It needs a proof of the person that is at most ten minutes old; a function says for which requests. [D73] */
  fresh?: true | ((request: OwnerRequest) => boolean | Promise<boolean>)
  /** Answers with a file: a proof leads back to the page with the link to it. */
  isFile?: true
}

const route = <May extends keyof RequestOf>(
  method: Route['method'],
  path: string,
  may: May,
  handler: Handler<RequestOf[May]>,
): Route => ({ method, path, may, handler: handler as Handler })

/** The same route, for a grave act. */
const fresh = (grave: Route, when: NonNullable<Route['fresh']> = true): Route => ({ ...grave, fresh: when })

export const ROUTES: readonly Route[] = [
  route('GET', '/console', 'signed_in', signIn.home),
  route('GET', '/console/sign-in', 'anybody', signIn.signIn),
  route('POST', '/console/sign-in', 'anybody', signIn.requestCode),
  route('POST', '/console/sign-in/again', 'anybody', signIn.resendCode),
  route('GET', '/console/sign-in/:challenge', 'anybody', signIn.showChallenge),
  route('POST', '/console/sign-in/:challenge', 'anybody', signIn.checkCode),
  route('GET', '/console/sign-in/issuer/:kind', 'anybody', issuer.beginAtIssuer),
  route('GET', '/console/sign-in/issuer/callback/:kind', 'anybody', issuer.finishAtIssuer),
  route('GET', '/console/prove/issuer', 'signed_in', issuer.proveAtIssuer),
  route('GET', '/console/second-factor', 'pending', secondFactor.secondFactorPage),
  route('POST', '/console/second-factor/passkey', 'pending', secondFactor.usePasskey),
  route('POST', '/console/second-factor/code', 'pending', secondFactor.useRecoveryCode),
  route('POST', '/console/second-factor/first', 'pending', secondFactor.makeFirstPasskey),
  route('GET', '/console/sign-out', 'signed_in', signIn.signOutPage),
  route('POST', '/console/sign-out', 'proven', signIn.signOut),
  route('GET', '/console/prove', 'signed_in', prove.provePage),
  route('POST', '/console/prove/passkey', 'signed_in', prove.provePasskey),
  route('POST', '/console/prove/recovery', 'signed_in', prove.proveByRecoveryCode),
  route('POST', '/console/prove/send', 'signed_in', prove.sendCode),
  route('GET', '/console/prove/code/:challenge', 'signed_in', prove.codePage),
  route('POST', '/console/prove/code/:challenge', 'signed_in', prove.checkCode),
  fresh(route('GET', '/console/sessions/passkeys/new', 'signed_in', passkey.newPasskeyPage)),
  fresh(route('POST', '/console/sessions/passkeys/new', 'signed_in', passkey.addPasskey)),
  fresh(route('POST', '/console/sessions/passkeys/remove', 'signed_in', passkey.removePasskey)),
  fresh(route('GET', '/console/sessions/recovery-codes', 'signed_in', passkey.recoveryCodesPage)),
  fresh(route('POST', '/console/sessions/recovery-codes', 'signed_in', passkey.replaceRecoveryCodes)),
  route('GET', '/console/sessions', 'signed_in', signIn.sessionsPage),
  route('POST', '/console/sessions/end', 'signed_in', signIn.endSession),
  route('POST', '/console/sessions/end-all', 'signed_in', signIn.signOutEverywhere),
  route('GET', '/console/accounts', 'signed_in', signIn.chooseAccountPage),
  route('POST', '/console/accounts', 'signed_in', signIn.chooseAccount),

  route('GET', '/console/application', 'signed_in', application.applicationPage),
  route('POST', '/console/application', 'signed_in', application.sendApplication),
  route('GET', '/console/application/withdraw', 'manage', application.withdrawPage),
  route('POST', '/console/application/withdraw', 'manage', application.withdraw),
  route('GET', '/console/plan', 'manage', application.planPage),
  route('POST', '/console/plan', 'manage', application.choosePlan),
  route('GET', '/console/plan/checkout/:tier', 'manage', billing.checkout),
  route('GET', '/console/plan/portal', 'manage', billing.portal),

  route('GET', '/console/overview', 'read', usage.usagePage),
  route('POST', '/console/overview/quota', 'manage', usage.switchQuota),

  route('GET', '/console/keys', 'develop', key.keysPage),
  route('GET', '/console/keys/new', 'develop', key.newKeyPage),
  fresh(route('POST', '/console/keys/new', 'develop', key.createKey), key.isForProduction),
  fresh(route('GET', '/console/keys/:key/rotate', 'develop', key.rotateKeyPage), key.isOfProduction),
  fresh(route('POST', '/console/keys/:key/rotate', 'develop', key.rotateKey), key.isOfProduction),
  route('GET', '/console/keys/:key/revoke', 'develop', key.revokeKeyPage),
  route('POST', '/console/keys/:key/revoke', 'develop', key.revokeKey),

  route('GET', '/console/requests', 'develop', requests.requestsPage),

  route('GET', '/console/webhooks', 'develop', webhook.webhookList),
  route('POST', '/console/webhooks', 'develop', webhook.createWebhook),
  route('GET', '/console/webhooks/:environment/:hook', 'develop', webhook.webhookPage),
  route('POST', '/console/webhooks/:environment/:hook/test', 'develop', webhook.testWebhook),
  route('POST', '/console/webhooks/:environment/:hook/enable', 'develop', webhook.enableWebhook),
  route('POST', '/console/webhooks/:environment/:hook/again', 'develop', webhook.sendWebhookAgain),
  route('GET', '/console/webhooks/:environment/:hook/rotate', 'develop', webhook.rotateWebhookPage),
  route('POST', '/console/webhooks/:environment/:hook/rotate', 'develop', webhook.rotateWebhook),
  route('GET', '/console/webhooks/:environment/:hook/remove', 'develop', webhook.removeWebhookPage),
  route('POST', '/console/webhooks/:environment/:hook/remove', 'develop', webhook.removeWebhook),

  route('GET', '/console/test-mail', 'develop', testMail.testMails),
  route('GET', '/console/test-mail/:mail', 'develop', testMail.testMailPage),
  route('GET', '/console/test-mail/:mail/html', 'develop', testMail.testMailHtml),
  route('GET', '/console/test-mail/:mail/raw', 'develop', testMail.testMailRaw),

  route('GET', '/console/contracts', 'read', contract.contractList),
  { ...fresh(route('GET', '/console/contracts/export', 'manage', contract.exportContracts)), isFile: true },
  route('GET', '/console/contracts/:environment/:contract', 'read', contract.contractPage),
  route('POST', '/console/contracts/:environment/:contract/invitation', 'act', contract.sendAgain),
  route('GET', '/console/contracts/:environment/:contract/parties/:party/address', 'act', contract.addressPage),
  route('POST', '/console/contracts/:environment/:contract/parties/:party/address', 'act', contract.correctAddress),
  route('POST', '/console/contracts/:environment/:contract/sign', 'act', contract.signAs),
  route('POST', '/console/contracts/:environment/:contract/expire', 'act', contract.expireNow),
  route('GET', '/console/contracts/:environment/:contract/cancel', 'act', contract.cancelPage),
  route('POST', '/console/contracts/:environment/:contract/cancel', 'act', contract.cancelContract),
  fresh(route('GET', '/console/contracts/:environment/:contract/erase', 'manage', contract.erasePage)),
  fresh(route('POST', '/console/contracts/:environment/:contract/erase', 'manage', contract.eraseContract)),
  route('POST', '/console/contracts/:environment/:contract/keep', 'manage', contract.keepContract),
  route('GET', '/console/contracts/:environment/:contract/evidence', 'act', contract.evidenceFile),
  route('GET', '/console/contracts/:environment/:contract/openings', 'act', contract.disclosuresFile),
  route('GET', '/console/contracts/:environment/:contract/copy', 'act', contract.copyFile),

  route('GET', '/console/account', 'belong', account.accountPage),
  route('POST', '/console/account/settings', 'manage', account.changeSettings),
  route('POST', '/console/account/mails', 'manage', account.changeMails),
  fresh(route('POST', '/console/account/reply', 'manage', account.askReplyAddress)),
  fresh(route('POST', '/console/account/reply-again', 'manage', account.askReplyAgain)),
  fresh(route('POST', '/console/account/reply-remove', 'manage', account.removeReplyAddress)),
  route('GET', '/console/account/reply/:challenge', 'manage', account.replyChallenge),
  fresh(route('POST', '/console/account/reply/:challenge', 'manage', account.confirmReplyAddress)),
  route('GET', '/console/account/brand', 'manage', brand.brandPage),
  { ...fresh(route('POST', '/console/account/brand', 'manage', brand.askForBrand)), hasFile: true },
  fresh(route('POST', '/console/account/brand/remove', 'manage', brand.removeBrand)),
  route('GET', '/console/account/brand/logo/:state', 'manage', brand.brandLogo),
  fresh(route('POST', '/console/account/owners', 'manage', account.inviteOwner)),
  fresh(route('POST', '/console/account/owners/role', 'manage', account.changeRole)),
  fresh(route('POST', '/console/account/owners/remove', 'manage', account.removeOwner)),
  fresh(route('POST', '/console/account/owners/passkeys', 'manage', passkey.resetPasskeys)),
  fresh(route('POST', '/console/account/leave', 'belong', account.leave)),
  route('GET', '/console/account/audit', 'manage', account.accountAudit),
  { ...fresh(route('GET', '/console/account/export', 'manage', account.exportAll)), isFile: true },

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
  route('GET', '/console/operator/accounts/:account/brand', 'operator', brand.operatorBrand),
  route('POST', '/console/operator/accounts/:account/brand', 'operator', brand.decideBrand),
  route('GET', '/console/operator/accounts/:account/brand/logo/:state', 'operator', brand.operatorBrandLogo),
  route('GET', '/console/operator/accounts/:account/contracts/:environment/:contract', 'operator', report.contractPage),
  route(
    'GET',
    '/console/operator/accounts/:account/contracts/:environment/:contract/cancel',
    'operator',
    report.cancelPage,
  ),
  route(
    'POST',
    '/console/operator/accounts/:account/contracts/:environment/:contract/cancel',
    'operator',
    report.cancelContract,
  ),
  route('GET', '/console/operator/reports', 'operator', report.reportList),
  route('GET', '/console/operator/reports/:report', 'operator', report.reportPage),
  route('POST', '/console/operator/reports/:report', 'operator', report.handleReport),
  route('GET', '/console/operator/audit', 'operator', audit.auditLog),
  route('GET', '/console/operator/audit/csv', 'operator', audit.auditCsv),
]

/** A path parameter: one of our ids. */
const PARAMETER = '[A-Za-z0-9_-]{1,100}'

/** Finds the first route that matches, with its path parameters. HEAD matches GET. */
export const findRoute = createRouteFinder(
  ROUTES.map((each) => ({ ...each, template: each.path.replace(/:(\w+)/g, '{$1}') })),
  PARAMETER,
)

/** Whether the sender of a request has what a route requires. */
export function mayAs(may: Route['may'], { session, pending, account, isOperator, page }: ConsoleRequest): boolean {
  if (may === 'anybody') return true
  if (may === 'pending') return pending !== undefined
  if (may === 'proven') return (session ?? pending) !== undefined
  if (!session) return false
  if (isPermission(may)) return account !== undefined && isAllowed(account.role, may, page.shell?.account?.environment)
  return may === 'operator' ? isOperator : true
}

/** The path of the page that shows the form of `path`, or of the nearest ancestor with a page; links can lead to that page. */
export function pageOfForm(path: string): string {
  return path === '' || findRoute('GET', path) ? path : pageOfForm(path.slice(0, path.lastIndexOf('/')))
}
