// Every path of the console.
const BASE = '/console'

/** Makes a browser that goes back show the picture that belongs to the page. */
const versionOf = (logo: { sha256: string } | null): string => (logo ? `?v=${logo.sha256.slice(0, 16)}` : '')

export const to = {
  home: BASE,
  signIn: `${BASE}/sign-in`,
  challenge: (id: string) => `${BASE}/sign-in/${id}`,
  resend: `${BASE}/sign-in/again`,
  issuer: (kind: string, next: string) =>
    `${BASE}/sign-in/issuer/${kind}${next === BASE ? '' : `?${new URLSearchParams({ next }).toString()}`}`,
  issuerCallback: (kind: string) => `${BASE}/sign-in/issuer/callback/${kind}`,
  signOut: `${BASE}/sign-out`,
  secondFactor: `${BASE}/second-factor`,
  secondFactorPasskey: `${BASE}/second-factor/passkey`,
  secondFactorCode: `${BASE}/second-factor/code`,
  firstPasskey: `${BASE}/second-factor/first`,
  prove: `${BASE}/prove`,
  proveAtIssuer: `${BASE}/prove/issuer`,
  provePasskey: `${BASE}/prove/passkey`,
  proveRecovery: `${BASE}/prove/recovery`,
  proveSend: `${BASE}/prove/send`,
  proveChallenge: (id: string) => `${BASE}/prove/code/${id}`,
  newPasskey: `${BASE}/sessions/passkeys/new`,
  removePasskey: `${BASE}/sessions/passkeys/remove`,
  recoveryCodes: `${BASE}/sessions/recovery-codes`,
  resetPasskeys: `${BASE}/account/owners/passkeys`,
  sessions: `${BASE}/sessions`,
  endSession: `${BASE}/sessions/end`,
  signOutEverywhere: `${BASE}/sessions/end-all`,
  chooseAccount: `${BASE}/accounts`,
  application: `${BASE}/application`,
  withdraw: `${BASE}/application/withdraw`,
  plan: `${BASE}/plan`,
  checkout: (tier: string) => `${BASE}/plan/checkout/${tier}`,
  portal: `${BASE}/plan/portal`,
  overview: `${BASE}/overview`,
  quota: `${BASE}/overview/quota`,
  keys: `${BASE}/keys`,
  newKey: `${BASE}/keys/new`,
  rotateKey: (id: string) => `${BASE}/keys/${id}/rotate`,
  revokeKey: (id: string) => `${BASE}/keys/${id}/revoke`,
  requests: `${BASE}/requests`,
  webhooks: `${BASE}/webhooks`,
  webhook: (environment: string, id: string) => `${BASE}/webhooks/${environment}/${id}`,
  testMails: `${BASE}/test-mail`,
  testMail: (id: number) => `${BASE}/test-mail/${id}`,
  contracts: `${BASE}/contracts`,
  address: (environment: string, id: string, party: number) =>
    `${BASE}/contracts/${environment}/${id}/parties/${party}/address`,
  contractsCsv: `${BASE}/contracts/export`,
  contract: (environment: string, id: string) => `${BASE}/contracts/${environment}/${id}`,
  account: `${BASE}/account`,
  settings: `${BASE}/account/settings`,
  contractMails: `${BASE}/account/mails`,
  reply: `${BASE}/account/reply`,
  replyChallenge: (id: string) => `${BASE}/account/reply/${id}`,
  replyAgain: `${BASE}/account/reply-again`,
  removeReply: `${BASE}/account/reply-remove`,
  brand: `${BASE}/account/brand`,
  removeBrand: `${BASE}/account/brand/remove`,
  brandLogo: (state: string, logo: { sha256: string } | null) =>
    `${BASE}/account/brand/logo/${state}${versionOf(logo)}`,
  owners: `${BASE}/account/owners`,
  ownerRole: `${BASE}/account/owners/role`,
  removeOwner: `${BASE}/account/owners/remove`,
  leave: `${BASE}/account/leave`,
  audit: `${BASE}/account/audit`,
  exportAll: `${BASE}/account/export`,
  operator: {
    applications: `${BASE}/operator/applications`,
    accounts: `${BASE}/operator/accounts`,
    account: (id: string) => `${BASE}/operator/accounts/${id}`,
    decide: (id: string) => `${BASE}/operator/applications/${id}`,
    suspend: (id: string) => `${BASE}/operator/accounts/${id}/suspend`,
    resume: (id: string) => `${BASE}/operator/accounts/${id}/resume`,
    grant: (id: string) => `${BASE}/operator/accounts/${id}/grant`,
    endPlan: (id: string) => `${BASE}/operator/accounts/${id}/end-plan`,
    brand: (id: string) => `${BASE}/operator/accounts/${id}/brand`,
    brandLogo: (id: string, state: string, logo: { sha256: string } | null) =>
      `${BASE}/operator/accounts/${id}/brand/logo/${state}${versionOf(logo)}`,
    contract: (account: string, environment: string, id: string) =>
      `${BASE}/operator/accounts/${account}/contracts/${environment}/${id}`,
    reports: `${BASE}/operator/reports`,
    reportsOf: (account: string | undefined, isHandled: boolean) =>
      `${BASE}/operator/reports?${new URLSearchParams({
        ...(account !== undefined && { account }),
        state: isHandled ? 'handled' : 'open',
      }).toString()}`,
    report: (id: string) => `${BASE}/operator/reports/${id}`,
    audit: `${BASE}/operator/audit`,
    auditCsv: `${BASE}/operator/audit/csv`,
  },
  docs: '/docs',
  help: '/help',
  privacy: '/privacy',
} as const

/** `path` with the page that follows it. */
export const withNext = (path: string, next: string): string =>
  next === BASE ? path : `${path}?${new URLSearchParams({ next }).toString()}`

/** The page after sign-in or a proof: `next` if it is a page of the console, else the start. Prevents an open redirect. */
export function pageAfterSignIn(next: unknown): string {
  return typeof next === 'string' && /^\/console(\/[A-Za-z0-9_-]+){0,7}(\?[A-Za-z0-9_.~%+&=-]*)?$/.test(next)
    ? next
    : to.home
}
