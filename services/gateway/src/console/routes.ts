// The routes of the console: method, path, required role, handler. docs/console.md shows this role × action matrix and
// console-roles.int.test.ts requests every row.
import { createRouteFinder } from '@paraph/http/route-table'
import type { createHandlers } from './handlers/all-handlers.js'
import type { Role } from './roles.js'

export type HandlerName = keyof ReturnType<typeof createHandlers>

export interface Route {
  method: 'GET' | 'POST'
  /** `:name` stands for an id. */
  path: string
  /** The required role. */
  may: Role
  handler: HandlerName
}

const route = (method: Route['method'], path: string, may: Role, handler: HandlerName): Route => ({
  method,
  path,
  may,
  handler,
})

export const ROUTES: readonly Route[] = [
  route('GET', '/console', 'signed_in', 'home'),
  route('GET', '/console/sign-in', 'anybody', 'signIn'),
  route('POST', '/console/sign-in', 'anybody', 'requestCode'),
  route('POST', '/console/sign-in/again', 'anybody', 'resendCode'),
  route('GET', '/console/sign-in/:challenge', 'anybody', 'showChallenge'),
  route('POST', '/console/sign-in/:challenge', 'anybody', 'checkCode'),
  route('GET', '/console/sign-out', 'signed_in', 'signOutPage'),
  route('POST', '/console/sign-out', 'signed_in', 'signOut'),
  route('GET', '/console/accounts', 'signed_in', 'chooseAccountPage'),
  route('POST', '/console/accounts', 'signed_in', 'chooseAccount'),

  route('GET', '/console/application', 'signed_in', 'applicationPage'),
  route('POST', '/console/application', 'signed_in', 'sendApplication'),
  route('GET', '/console/application/withdraw', 'owner', 'withdrawPage'),
  route('POST', '/console/application/withdraw', 'owner', 'withdraw'),
  route('GET', '/console/plan', 'owner', 'planPage'),
  route('POST', '/console/plan', 'owner', 'choosePlan'),

  route('GET', '/console/overview', 'owner', 'usagePage'),
  route('POST', '/console/overview/quota', 'owner', 'switchQuota'),

  route('GET', '/console/keys', 'owner', 'keysPage'),
  route('GET', '/console/keys/new', 'owner', 'newKeyPage'),
  route('POST', '/console/keys/new', 'owner', 'createKey'),
  route('GET', '/console/keys/:key/rotate', 'owner', 'rotateKeyPage'),
  route('POST', '/console/keys/:key/rotate', 'owner', 'rotateKey'),
  route('GET', '/console/keys/:key/revoke', 'owner', 'revokeKeyPage'),
  route('POST', '/console/keys/:key/revoke', 'owner', 'revokeKey'),

  route('GET', '/console/contracts', 'owner', 'contractList'),
  route('GET', '/console/contracts/:environment/:contract', 'owner', 'contractPage'),
  route('POST', '/console/contracts/:environment/:contract/invitation', 'owner', 'sendAgain'),
  route('GET', '/console/contracts/:environment/:contract/cancel', 'owner', 'cancelPage'),
  route('POST', '/console/contracts/:environment/:contract/cancel', 'owner', 'cancelContract'),
  route('GET', '/console/contracts/:environment/:contract/erase', 'owner', 'erasePage'),
  route('POST', '/console/contracts/:environment/:contract/erase', 'owner', 'eraseContract'),
  route('GET', '/console/contracts/:environment/:contract/evidence', 'owner', 'evidenceFile'),
  route('GET', '/console/contracts/:environment/:contract/openings', 'owner', 'disclosuresFile'),
  route('GET', '/console/contracts/:environment/:contract/copy', 'owner', 'copyFile'),

  route('GET', '/console/account', 'owner', 'accountPage'),
  route('POST', '/console/account/settings', 'owner', 'changeSettings'),
  route('POST', '/console/account/reply', 'owner', 'askReplyAddress'),
  route('POST', '/console/account/reply-again', 'owner', 'askReplyAgain'),
  route('POST', '/console/account/reply-remove', 'owner', 'removeReplyAddress'),
  route('GET', '/console/account/reply/:challenge', 'owner', 'replyChallenge'),
  route('POST', '/console/account/reply/:challenge', 'owner', 'confirmReplyAddress'),
  route('POST', '/console/account/owners', 'owner', 'inviteOwner'),
  route('POST', '/console/account/owners/remove', 'owner', 'removeOwner'),
  route('POST', '/console/account/sign-out-everywhere', 'owner', 'signOutEverywhere'),
  route('GET', '/console/account/audit', 'owner', 'accountAudit'),
  route('GET', '/console/account/export', 'owner', 'exportAll'),

  route('GET', '/console/operator/applications', 'operator', 'queue'),
  route('POST', '/console/operator/applications/:application', 'operator', 'decide'),
  route('GET', '/console/operator/accounts', 'operator', 'accountList'),
  route('GET', '/console/operator/accounts/:account', 'operator', 'operatorAccount'),
  route('GET', '/console/operator/accounts/:account/suspend', 'operator', 'suspendPage'),
  route('POST', '/console/operator/accounts/:account/suspend', 'operator', 'suspend'),
  route('POST', '/console/operator/accounts/:account/resume', 'operator', 'resume'),
  route('POST', '/console/operator/accounts/:account/grant', 'operator', 'grant'),
  route('GET', '/console/operator/accounts/:account/end-plan', 'operator', 'endPlanPage'),
  route('POST', '/console/operator/accounts/:account/end-plan', 'operator', 'endPlan'),
  route('GET', '/console/operator/reports', 'operator', 'reportList'),
  route('GET', '/console/operator/audit', 'operator', 'auditLog'),
]

/** A path parameter: one of our ids. */
const PARAMETER = '[A-Za-z0-9_-]{1,100}'

export const findRoute = createRouteFinder(
  ROUTES.map((each) => ({ ...each, template: each.path.replace(/:(\w+)/g, '{$1}') })),
  PARAMETER,
)

/** The path of the page that shows the form of `path`, or of its nearest ancestor with a page. A link can lead there. */
export function pageOfForm(path: string): string {
  return path === '' || findRoute('GET', path) ? path : pageOfForm(path.slice(0, path.lastIndexOf('/')))
}
