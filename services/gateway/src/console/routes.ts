// Every address of the console: which method, who may, which step. The role × action matrix is this table; docs/console.md shows it and
// console-roles.int.test.ts walks it.
import type { createSteps } from './steps/all-steps.js'
import type { Role } from './roles.js'

export type StepName = keyof ReturnType<typeof createSteps>

export interface Route {
  method: 'GET' | 'POST'
  /** With `:name` for a part that is an id. */
  path: string
  may: Role
  step: StepName
}

const route = (method: Route['method'], path: string, may: Role, step: StepName): Route => ({ method, path, may, step })

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
  route('GET', '/console/contracts/:environment/:contract/openings', 'owner', 'openingsFile'),
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

/** One part of a path: an id of ours. */
const PART = '([A-Za-z0-9_-]{1,100})'

const COMPILED = ROUTES.map((each) => ({
  ...each,
  pattern: new RegExp(`^${each.path.replace(/:(\w+)/g, (_, name: string) => `(?<${name}>${PART})`)}$`),
}))

/** The route of a path and the ids in it, or undefined. HEAD is GET. The first that fits wins. */
export function findRoute(
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string> } | undefined {
  const asked = method === 'HEAD' ? 'GET' : method
  for (const { pattern, ...found } of COMPILED) {
    const match = found.method === asked ? pattern.exec(path) : null
    if (match) return { route: found, parameters: { ...match.groups } }
  }
  return undefined
}

/** The page that a form at `path` stood on, or the nearest above it: what can be fetched where an answer to the form cannot. */
export function pageOfForm(path: string): string {
  return path === '' || findRoute('GET', path) ? path : pageOfForm(path.slice(0, path.lastIndexOf('/')))
}
