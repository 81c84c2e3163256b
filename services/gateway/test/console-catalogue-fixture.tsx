// Every page of the console in every state, for pictures, accessibility checks and measurements.
// Each entry has the name of its picture and the shared sample data. The console is drawn at `NOW`, apart from
// the application and the choice of a plan.
import type { VNode } from 'preact'
import type { CodeState } from '@paraph/codes/code-state'
import { NDA, sha256Of } from '@paraph/signing/test/catalogue-data-fixture'
import { sampleChain } from '@paraph/signing/test/evidence-fixture'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { API_URL, NOW, OWNER, SECOND_OWNER } from '@paraph/testing/test/sample-data-fixture'
import type { Locale } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import type { Access } from '../src/accounts/access.js'
import type { AccountRow } from '../src/accounts/account-store.js'
import type { QueuedApplication } from '../src/accounts/application-store.js'
import type { AuditEntry } from '../src/accounts/audit.js'
import {
  AccountAuditPage,
  AccountPage,
  ExportWaitPage,
  ReplyCodePage,
  ReplyWaitPage,
} from '../src/console/people/account-page.js'
import { ApplicationPage, PendingPage, RefusedPage, WithdrawPage } from '../src/console/people/application-pages.js'
import type { PageProps, ShellProps } from '../src/console/frame/page-props.js'
import type {
  ContractDetail,
  ContractMails,
  ContractHistory,
  ListedContract,
  ListedReport,
} from '../src/console/contracts/contract-rows.js'
import { CancelPage, ErasePage } from '../src/console/contracts/contract-end-pages.js'
import { ContractListPage } from '../src/console/contracts/contract-list-page.js'
import { ContractPage } from '../src/console/contracts/contract-page.js'
import { contractMessages } from '../src/console/contracts/messages.js'
import { RevokeKeyPage, RotateKeyPage, KeysPage, type ShownKey } from '../src/console/keys/keys-page.js'
import { KeyAlreadyPage, KeyOncePage, NewKeyPage } from '../src/console/keys/new-key-pages.js'
import { keyMessages } from '../src/console/keys/messages.js'
import {
  AccountListPage,
  OperatorAccountPage,
  OperatorQuestion,
  AuditPage,
} from '../src/console/operator/operator-account-pages.js'
import { ReportsPage } from '../src/console/operator/reports-page.js'
import { QueuePage } from '../src/console/operator/queue-page.js'
import { operatorMessages } from '../src/console/operator/messages.js'
import { PlanPage } from '../src/console/plan/plan-page.js'
import { SessionsPage } from '../src/console/people/sessions-page.js'
import {
  AccountsPage,
  OutcomePage,
  SignInCodePage,
  SignInPage,
  SignOutPage,
  WaitPage,
} from '../src/console/people/sign-in-pages.js'
import { UsagePage } from '../src/console/usage/usage-page.js'

interface CatalogueEntry {
  /** Unique; also the file name of its picture. */
  name: string
  /** The HTTP status of the page. */
  status: number
  /** Renders the document with its style sheet at `styleHref`. */
  render: (locale: Locale, styleHref: string) => string
}

const at = (instant: string): Date => new Date(instant)
const NAME = shared.ACCOUNT_NAME
/** Half an hour after `NOW`. */
const TRY_AGAIN_AT = at('2026-11-24T12:40:00.000Z')
const SECRET = 'paraph_test_ExampleKeyDoNotUse4hT0wq8LrZ2Vb6Nm3Xs9c'
const TIME_ZONE = 'UTC'

const ACTIVE: Access = { step: 'active', tier: 'startup', periodEnd: null }
const APPLY: Access = { step: 'apply' }
const PENDING: Access = { step: 'pending', sentAt: shared.APPLIED_AT }
const CHOOSE_PLAN: Access = { step: 'choose_plan' }
const TRIAL: Access = { step: 'trial', tier: 'startup', periodEnd: null }
/** The accesses of an account that has not created a contract or a key. */
const NEW_STEPS = new Set<Access['step']>(['apply', 'pending', 'refused', 'choose_plan', 'plan_chosen', 'trial'])

const NO_CONTRACTS = { count: 0, isMore: false }

const shellWith = (access: Access, isOperator = false): ShellProps => ({
  mailbox: OWNER,
  account: {
    name: NAME,
    access,
    environment: 'production',
    ...(NEW_STEPS.has(access.step)
      ? { contracts: { production: NO_CONTRACTS, sandbox: NO_CONTRACTS }, keys: 0 }
      : { contracts: { production: { count: 1_000, isMore: true }, sandbox: { count: 3, isMore: false } }, keys: 3 }),
  },
  operator: isOperator ? { applications: 2 } : undefined,
})

/** @param shell undefined for a page before sign-in */
const entry = (
  name: string,
  status: number,
  shell: ShellProps | undefined,
  page: (frame: PageProps) => VNode,
): CatalogueEntry => ({
  name,
  status,
  render: (locale, styleHref) =>
    renderPage(
      page({
        locale,
        styleHref,
        scriptHref: '/assets/gateway/copy.js',
        path: '/console',
        shell,
        formToken: shell && 'sample-form-token',
        statusHref: shared.STATUS_URL,
        operatorAddress: shared.OPERATOR_ADDRESS,
      }),
    ),
})

const solo = (name: string, page: (frame: PageProps) => VNode, status = 200) => entry(name, status, undefined, page)
const owned = (name: string, page: (frame: PageProps) => VNode, status = 200, access: Access = ACTIVE) =>
  entry(name, status, shellWith(access), page)
const operated = (name: string, page: (frame: PageProps) => VNode, status = 200) =>
  entry(name, status, shellWith(ACTIVE, true), page)

const code = (name: string, status: number, state: CodeState, typed?: string): CatalogueEntry =>
  solo(
    name,
    (page) => (
      <SignInCodePage
        {...{ page, state, typed, signInToken: 'sample', next: '/console', email: OWNER, digits: 8 }}
        challenge="sample-challenge"
      />
    ),
    status,
  )

const PURPOSE =
  'Our order system creates a non-disclosure agreement for each new supplier, before we show prices or cold-chain measurements. Suppliers know us and expect the e-mail.'

const APPLICATION: QueuedApplication = {
  id: 'app_sample1',
  accountId: 'acc_sample1',
  mailbox: OWNER,
  company: NAME,
  website: 'nordicfoods.example',
  purpose: PURPOSE,
  contractTypes: ['nda', 'service'],
  otherParties: 'Suppliers and carriers in Canada and Norway',
  volume: '200-1000',
  state: 'pending',
  revision: 1,
  reason: null,
  sentAt: shared.APPLIED_AT,
  decidedAt: null,
  decidedBy: null,
  earlierRefusals: 0,
}
const SUSPICIOUS: QueuedApplication = {
  ...APPLICATION,
  id: 'app_sample2',
  company: 'Fast Invoices',
  website: 'fastinvoices.example',
  mailbox: 'boss@mail.example',
  purpose: 'Invoices, many.',
  earlierRefusals: 2,
  sentAt: at('2026-07-06T10:58:44.517Z'),
  volume: 'more',
}
const REFUSAL = 'We could not find your company under this name. Tell us its number, or who speaks for it.'
const TYPED = { company: '', website: 'no website', purpose: '', contractTypes: [], otherParties: '', volume: '' }

const SANDBOX = { sandbox_requests_per_minute: 60, sandbox_monthly_quota: 1_000 }
const TIERS = [
  { ...SANDBOX, name: 'startup', monthly_price_cad: 29, requests_per_minute: 60, monthly_quota: 5_000 },
  { ...SANDBOX, name: 'growth', monthly_price_cad: 99, requests_per_minute: 300, monthly_quota: 25_000 },
  { ...SANDBOX, name: 'enterprise', monthly_price_cad: 499, requests_per_minute: 1_000, monthly_quota: 250_000 },
]
const plan = (access: Access) => (page: PageProps) => (
  <PlanPage
    {...{ page, access, tiers: TIERS, contractsAMonth: 1_000 }}
    account={{
      name: NAME,
      tier: 'tier' in access ? access.tier : null,
      wantedTier: access.step === 'plan_chosen' ? access.wantedTier : null,
    }}
  />
)

const key = (id: string, name: string, more: Partial<ShownKey> = {}): ShownKey => ({
  id,
  name,
  environment: 'production',
  lastFour: shared.KEY_LAST_FOUR,
  scopes: ['contracts:read', 'contracts:write'],
  createdAt: at('2026-07-08T08:04:31.000Z'),
  lastUsedAt: at('2026-11-24T12:08:17.000Z'),
  expiresAt: null,
  revokedAt: null,
  isActive: true,
  ...more,
})
const KEYS = [
  key('key_1', 'Order system'),
  key('key_2', 'Nightly report', {
    lastFour: 'mB0x',
    scopes: ['contracts:read'],
    createdAt: at('2026-11-03T10:20:06.000Z'),
    lastUsedAt: at('2026-11-24T02:00:11.000Z'),
    expiresAt: at('2027-02-01T10:20:06.000Z'),
  }),
  key('key_3', 'Continuous integration', {
    environment: 'sandbox',
    lastFour: 'Zk91',
    createdAt: at('2026-11-23T16:05:49.000Z'),
    lastUsedAt: null,
  }),
  key('key_4', 'First attempt', {
    lastFour: 'aa11',
    createdAt: at('2026-07-07T08:32:20.000Z'),
    isActive: false,
    revokedAt: at('2026-07-08T08:06:02.000Z'),
  }),
  key('key_5', 'Summer', {
    lastFour: 'bb22',
    createdAt: at('2026-07-15T13:11:57.000Z'),
    isActive: false,
    expiresAt: at('2026-10-13T13:11:57.000Z'),
  }),
]
const keys = (shown: readonly ShownKey[]) => (page: PageProps) => (
  <KeysPage
    {...{ page, keys: shown, max: 20, apiUrl: API_URL, timeZone: TIME_ZONE }}
    mayCreate={page.shell?.account?.access.step !== 'suspended'}
  />
)

/** Billable calls of each day of November. The 1st is a Sunday, and the 24th is not over. */
const BILLABLE = [
  47, 328, 357, 296, 325, 354, 58, 65, 351, 290, 319, 348, 287, 48, 55, 284, 313, 342, 281, 310, 66, 44, 307, 137,
]
const DAYS = BILLABLE.map((billable, index) => ({
  day: `2026-11-${String(index + 1).padStart(2, '0')}`,
  billable,
  total: Math.round(billable * 1.4),
}))
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const CALLS = { billable: sum(BILLABLE), total: sum(DAYS.map(({ total }) => total)) }
/** The plan began in July. */
const MONTHS = Array.from({ length: 12 }, (_, back) => {
  const month = new Date(Date.UTC(2026, 10 - back, 1)).toISOString().slice(0, 7)
  if (back === 0) return { month, ...CALLS }
  return back < 5
    ? { month, billable: 4_000 - back * 310, total: 5_600 - back * 430 }
    : { month, billable: 0, total: 0 }
})
const usage = (tier: number, stopAtQuota: boolean) => (page: PageProps) => {
  const { monthly_quota: quotaLimit, requests_per_minute: requestsPerMinute } = TIERS[tier]!
  return (
    <UsagePage
      {...{ page, environment: 'production', days: DAYS, months: MONTHS, stopAtQuota, isNow: true, requestsPerMinute }}
      timeZone={TIME_ZONE}
      usage={{
        period: '2026-11',
        totalCalls: CALLS.total,
        billableCalls: CALLS.billable,
        quotaLimit,
        remaining: Math.max(0, quotaLimit - CALLS.billable),
        overageCalls: Math.max(0, CALLS.billable - quotaLimit),
        endpointBreakdown: {
          'GET /contracts/:id': CALLS.billable - 904,
          'GET /status': CALLS.total - CALLS.billable - 96,
          'POST /contracts': 904,
          'GET /usage': 96,
        },
        periodStart: '2026-11-01T00:00:00.000Z',
        periodEnd: '2026-11-30T23:59:59.999Z',
      }}
      nextTier={TIERS[tier + 1]!}
      now={{
        waiting: { count: 38, isMore: false },
        total: { count: 1_000, isMore: true },
        lastCreatedAt: LIST[0]!.createdAt,
      }}
    />
  )
}

const ACCOUNT: AccountRow = {
  id: 'acc_sample1',
  name: NAME,
  tier: 'startup',
  status: 'active',
  subscriptionStatus: 'active',
  periodEnd: null,
  wantedTier: null,
  approvedAt: shared.APPROVED_AT,
  language: 'en+fr',
  timeZone: TIME_ZONE,
  senderName: null,
  replyAddress: shared.REPLY_ADDRESS,
  stopAtQuota: false,
  createdAt: shared.APPLIED_AT,
}
const owner = (mailbox: string, invitedBy: string | null, invitedAt: Date, confirmedAt: Date | null) => ({
  mailbox,
  address: mailbox,
  invitedBy,
  invitedAt,
  confirmedAt,
})
const OWNERS = [
  owner(OWNER, null, shared.APPLIED_AT, shared.APPLIED_AT),
  owner(SECOND_OWNER, OWNER, at('2026-07-07T08:15:12.000Z'), at('2026-07-07T09:02:40.000Z')),
  owner(shared.INVITED_OWNER, SECOND_OWNER, at('2026-11-23T09:15:36.000Z'), null),
]
const SESSIONS = [
  {
    id: 'session-1',
    createdAt: at('2026-11-24T08:00:27.000Z'),
    lastSeenAt: NOW,
    network: '203.0.113.0/24',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  },
  {
    id: 'session-2',
    createdAt: at('2026-11-23T17:46:08.000Z'),
    lastSeenAt: null,
    network: '2001:db8:1::/48',
    userAgent: '',
  },
]
const account =
  (more: Partial<Parameters<typeof AccountPage>[0]> = {}) =>
  (page: PageProps) => <AccountPage {...{ page, account: ACCOUNT, owners: OWNERS }} {...more} />

const act = (id: number, time: string, more: Partial<AuditEntry>): AuditEntry => ({
  id,
  at: at(time),
  actor: 'owner',
  actorName: null,
  mailbox: OWNER,
  accountId: 'acc_sample1',
  act: 'key.created',
  subject: 'key_1',
  facts: {},
  ...more,
})
const OPERATOR = { actor: 'operator', mailbox: shared.OPERATOR_ADDRESS } as const
const ACTS = [
  act(10, '2026-11-24T11:58:02.000Z', { ...OPERATOR, act: 'operator.read', subject: 'acc_sample1' }),
  act(9, '2026-07-08T08:04:31.000Z', { facts: { environment: 'production', name: 'Order system' } }),
  act(8, '2026-07-07T08:10:55.000Z', {
    ...OPERATOR,
    act: 'subscription.granted',
    subject: null,
    facts: { tier: 'startup', status: 'active', periodEnd: null },
  }),
  act(7, '2026-07-06T15:12:19.000Z', { act: 'plan.chosen', subject: null, facts: { tier: 'startup' } }),
  act(6, shared.APPROVED_AT.toISOString(), {
    act: 'application.approved',
    subject: 'app_sample1',
    actor: 'command_line',
    actorName: 'marie',
    mailbox: null,
  }),
  act(5, shared.APPLIED_AT.toISOString(), { act: 'application.sent', subject: 'app_sample1' }),
]

/** @param createdAt the day of the number, and a time */
const listed = (number: string, createdAt: string, more: Partial<ListedContract>): ListedContract => ({
  id: `contract-${number}`,
  contractNumber: `EXT-${number}`,
  contractType: 'nda',
  senderName: 'Nordic Foods procurement',
  partyNames: [NAME, 'Jane Roe'],
  status: 'signed',
  signed: 2,
  total: 2,
  createdAt,
  expiresAt: new Date(at(createdAt).getTime() + 14 * 86_400_000).toISOString(),
  endedAt: null,
  isErased: false,
  eraseDueAt: null,
  isHeld: false,
  ...more,
})
const LIST: readonly ListedContract[] = [
  listed('20261124-9FWT3RZB', '2026-11-24T11:52:07.364Z', {
    contractType: 'service',
    status: 'pending_signature',
    signed: 0,
  }),
  listed(shared.CONTRACT_NUMBER.slice('EXT-'.length), shared.CREATED_AT.toISOString(), {
    status: 'partially_signed',
    total: 3,
  }),
  listed('20261119-QH52XNDE', '2026-11-19T08:30:49.215Z', { isHeld: true, endedAt: '2026-11-19T12:01:33.708Z' }),
  listed('20261118-U6BK8VYP', '2026-11-18T16:17:20.932Z', {
    contractType: 'sales-agreement',
    status: 'cancelled',
    signed: 1,
    endedAt: '2026-11-20T09:44:58.120Z',
    eraseDueAt: '2026-11-27T09:45:30.676Z',
  }),
  listed('20261117-C4JMA7SG', '2026-11-17T10:05:14.087Z', {
    contractType: 'revenue-share',
    signed: 12,
    total: 12,
    endedAt: '2026-11-23T21:30:02.541Z',
  }),
  listed('20261109-T8RPE2HD', '2026-11-09T13:26:41.650Z', {
    contractType: 'employment',
    status: 'expired',
    signed: 1,
    endedAt: '2026-11-23T13:26:41.650Z',
  }),
]
const contractList =
  (contracts: readonly ListedContract[], number = '') =>
  (page: PageProps) => (
    <ContractListPage
      {...{ page, contracts, environment: 'production', newer: null, timeZone: TIME_ZONE }}
      older={contracts.length === 0 ? null : 'place'}
      filter={{ number, status: '', contractType: '' }}
    />
  )

const CONTRACT: ContractDetail = {
  id: shared.CONTRACT_ID,
  contractNumber: shared.CONTRACT_NUMBER,
  contractType: 'nda',
  status: 'partially_signed',
  senderName: shared.SENDER_NAME,
  accountName: NAME,
  language: 'en+fr',
  contentSha256: sha256Of(NDA),
  contentBytes: Buffer.byteLength(NDA),
  metadata: { supplier: 'S-2041', region: 'Canada' },
  signingProgress: { signed: 2, total: 3, pending: 1, percentage: 66.67 },
  parties: shared.PARTIES.map((party, index) => ({
    ...party,
    signedAt: index < 2 ? shared.SIGNED_AT[index]!.toISOString() : null,
  })),
  createdAt: shared.CREATED_AT.toISOString(),
  expiresAt: shared.EXPIRES_AT.toISOString(),
  completedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  erasedAt: null,
  erasure: null,
  isHeld: false,
  shareUrl: shared.SHARE_URL,
}
const mail = (state: 'accepted' | 'failed' | 'due'): ContractMails['parties'][number]['mails'][number] => ({
  kind: 'invitation',
  sendNumber: 1,
  state,
  why: null,
  createdAt: '2026-11-20T14:03:11.500Z',
  reason: state === 'failed' ? 'refused' : null,
  smtpCode: state === 'failed' ? 552 : null,
  finishedAt: state === 'due' ? null : '2026-11-20T14:03:12.000Z',
})
const MAILS: ContractMails = {
  isHeld: false,
  parties: (['accepted', 'accepted', 'failed'] as const).map((state, index) => ({
    index,
    mails: [mail(state)],
    resendAfter: null,
  })),
}
/** The entries of the evidence until the second signature, newest first: the creation, and five for each of two parties. */
const HISTORY: ContractHistory = {
  entries: sampleChain()
    .lines.slice(0, 11)
    .map((line, index) => {
      const {
        seq,
        type,
        at: time,
      } = JSON.parse(line) as Pick<ContractHistory['entries'][number], 'seq' | 'type' | 'at'>
      const party = Math.floor((index - 1) / 5)
      const parties = index === 0 ? [] : [{ index: party, role: shared.PARTIES[party]!.role }]
      return { seq, type, at: time, hashStart: sha256Of(line).slice(0, 8), parties }
    })
    .reverse(),
  hasOlder: false,
  isClosed: false,
  copies: { state: 'preparing' as const },
}
const CANCELLED: ContractDetail = {
  ...CONTRACT,
  status: 'cancelled',
  cancelledAt: shared.CANCELLED_AT.toISOString(),
  cancelledBy: 'owner',
  cancelReason: 'Agreed by telephone to begin again.',
}
const TO_BE_ERASED: ContractDetail = { ...CANCELLED, erasure: { at: shared.ERASED_AT.toISOString(), by: SECOND_OWNER } }
const ERASED: ContractDetail = {
  ...CANCELLED,
  erasedAt: shared.ERASED_AT.toISOString(),
  cancelReason: null,
  shareUrl: null,
  senderName: 'erased',
  metadata: {},
  parties: CONTRACT.parties.map((party) => ({ ...party, legalName: 'erased', email: '', role: 'erased' })),
}
const contract =
  (shown: ContractDetail, more: Partial<Parameters<typeof ContractPage>[0]> = {}) =>
  (page: PageProps) => (
    <ContractPage
      {...{ page, contract: shown, environment: 'production', timeZone: TIME_ZONE, mails: MAILS, history: HISTORY }}
      content={NDA}
      {...more}
    />
  )
const REPORTS: readonly ListedReport[] = [
  {
    id: 'report-1',
    contractId: CONTRACT.id,
    contract: {
      accountId: 'acc_sample1',
      environment: 'production',
      contractNumber: CONTRACT.contractNumber,
      senderName: CONTRACT.senderName,
    },
    reason: 'unknown_sender',
    createdAt: '2026-11-23T10:22:08.905Z',
    message: 'I do not know these people and never agreed to anything.',
  },
]

/** Every page in every state. */
export const catalogue: readonly CatalogueEntry[] = [
  solo('console-01-sign-in', (page) => <SignInPage {...{ page, signInToken: 'sample', next: '/console' }} />),
  solo(
    'console-01e-sign-in-error',
    (page) => <SignInPage {...{ page, signInToken: 'sample', next: '/console', email: 'owner@', error: 'format' }} />,
    422,
  ),
  solo(
    'console-01b-busy',
    (page) => <SignInPage {...{ page, signInToken: 'sample', next: '/console', email: OWNER, error: 'busy' }} />,
    503,
  ),
  code('console-01c-code', 200, { kind: 'sent' }),
  code('console-01w-wrong-code', 422, { kind: 'wrong', triesLeft: 3 }, '40718825'),
  code('console-01n-not-sent-yet', 200, { kind: 'not_sent_yet' }),
  code('console-01p-other-browser', 403, { kind: 'other_browser' }),
  code('console-01d-no-tries', 429, { kind: 'dead', tryAgainAt: TRY_AGAIN_AT }),
  solo('console-01l-too-many', (page) => <WaitPage page={page} tryAgainAt={TRY_AGAIN_AT} />, 429),
  owned('console-01o-sign-out', (page) => <SignOutPage page={page} />),
  owned('console-01s-sessions', (page) => <SessionsPage {...{ page, sessions: SESSIONS }} sessionId="session-1" />),
  owned('console-01a-accounts', (page) => (
    <AccountsPage
      page={page}
      owned={[
        { accountId: 'acc_sample1', accountName: NAME, invitedBy: null, isConfirmed: true },
        {
          accountId: 'acc_sample2',
          accountName: 'Harbour Analytics Inc.',
          invitedBy: shared.PARTIES[2].email,
          isConfirmed: false,
        },
      ]}
    />
  )),
  owned(
    'console-02-application',
    (page) => <ApplicationPage {...{ page, typed: { ...TYPED, ...APPLICATION }, isChange: false }} />,
    200,
    APPLY,
  ),
  owned(
    'console-02e-application-errors',
    (page) => (
      <ApplicationPage
        {...{ page, typed: TYPED, isChange: false }}
        formErrors={{
          company: 'missing',
          website: 'wrong',
          purpose: 'missing',
          contractTypes: 'missing',
          otherParties: 'missing',
          volume: 'missing',
          terms: 'missing',
        }}
      />
    ),
    422,
    APPLY,
  ),
  owned(
    'console-03-application-pending',
    (page) => <PendingPage page={page} application={APPLICATION} />,
    200,
    PENDING,
  ),
  owned(
    'console-03r-application-refused',
    (page) => (
      <RefusedPage
        page={page}
        application={{ ...APPLICATION, state: 'refused', decidedAt: shared.APPROVED_AT, reason: REFUSAL }}
      />
    ),
    200,
    { step: 'refused', decidedAt: shared.APPROVED_AT, reason: REFUSAL },
  ),
  owned('console-03w-withdraw', (page) => <WithdrawPage page={page} />, 200, PENDING),
  owned('console-04-plan', plan(CHOOSE_PLAN), 200, CHOOSE_PLAN),
  owned('console-04b-plan-and-billing', plan({ ...ACTIVE, periodEnd: at('2027-01-31T23:59:59.999Z') })),
  entry(
    'console-04w-plan-chosen',
    200,
    shellWith({ step: 'plan_chosen', wantedTier: 'growth' }),
    plan({ step: 'plan_chosen', wantedTier: 'growth' }),
  ),
  owned('console-05-overview', usage(0, false)),
  owned('console-05q-overview-within', usage(1, true), 200, { ...ACTIVE, tier: 'growth' }),
  owned('console-06-api-access', keys(KEYS)),
  owned('console-06n-api-access-none', keys([]), 200, TRIAL),
  owned('console-06p-past-due', keys(KEYS), 200, {
    step: 'past_due',
    tier: 'startup',
    keysStopAt: at('2026-11-30T23:59:59.999Z'),
  }),
  owned('console-06h-on-hold', keys(KEYS), 200, { step: 'suspended' }),
  owned('console-07-key-create', (page) => (
    <NewKeyPage
      {...{ page, formId: 'sample', mayUseProduction: true }}
      typed={{
        name: 'Order system',
        environment: 'sandbox',
        scopes: ['contracts:read', 'contracts:write'],
        life: 'never',
      }}
    />
  )),
  owned(
    'console-07e-key-errors',
    (page) => {
      const text = keyMessages(page.locale)
      return (
        <NewKeyPage
          {...{ page, formId: 'sample', mayUseProduction: false }}
          typed={{ name: '', environment: 'production', scopes: [], life: 'never' }}
          errors={[
            { field: 'name', message: text.nameMissing },
            { field: 'environment', message: text.noProduction },
            { field: 'scopes', message: text.scopesMissing },
          ]}
        />
      )
    },
    422,
  ),
  owned(
    'console-08-key-once',
    (page) => (
      <KeyOncePage {...{ page, keyName: 'Order system', environment: 'sandbox', secret: SECRET, apiUrl: API_URL }} />
    ),
    201,
  ),
  owned('console-08a-key-already', (page) => <KeyAlreadyPage page={page} />, 409),
  owned('console-09-key-revoke', (page) => (
    <RevokeKeyPage {...{ page, shown: KEYS[1]!, timeZone: TIME_ZONE }} mayRotate />
  )),
  owned('console-09r-key-rotate', (page) => (
    <RotateKeyPage {...{ page, shown: KEYS[0]!, timeZone: TIME_ZONE, now: NOW, formId: 'sample' }} />
  )),
  owned('console-10-contracts', contractList(LIST)),
  owned('console-10n-contracts-none', contractList([]), 200, TRIAL),
  owned('console-10f-contracts-no-match', contractList([], 'EXT-20261124-00000000')),
  owned('console-11-contract', contract(CONTRACT)),
  owned('console-11c-contract-cancelled', (page) =>
    contract(CANCELLED, { notice: { kind: 'information', text: contractMessages(page.locale).cancelled } })(page),
  ),
  owned('console-11e-contract-erased', contract(ERASED)),
  owned('console-11d-contract-to-be-erased', contract(TO_BE_ERASED)),
  owned('console-11s-contract-to-be-erased-suspended', contract(TO_BE_ERASED, { isSuspended: true })),
  owned('console-11h-contract-held', contract({ ...CANCELLED, isHeld: true })),
  owned(
    'console-11u-contract-others-away',
    contract(CONTRACT, { content: undefined, mails: undefined, history: undefined }),
  ),
  owned('console-12-contract-cancel', (page) => (
    <CancelPage {...{ page, environment: 'production', contract: CONTRACT }} />
  )),
  owned(
    'console-12e-contract-cancel-error',
    (page) => (
      <CancelPage
        {...{ page, environment: 'production', contract: CONTRACT, typed: { number: 'EXT-20261120', reason: '' } }}
        errors={[{ field: 'number', message: contractMessages(page.locale).numberWrong }]}
      />
    ),
    422,
  ),
  owned('console-12r-contract-erase', (page) => (
    <ErasePage {...{ page, environment: 'production', contract: CANCELLED }} />
  )),
  owned('console-14-account', account()),
  owned('console-14n-account-new', account({ account: { ...ACCOUNT, replyAddress: null }, notice: 'saved' })),
  owned(
    'console-14e-account-error',
    account({
      errors: [{ field: 'reply', message: 'Enter an email address in the form name@example.com' }],
      typed: { reply: 'answers@' },
    }),
    422,
  ),
  owned('console-14c-reply-code', (page) => (
    <ReplyCodePage
      {...{ page, challenge: 'sample', email: shared.REPLY_ADDRESS, digits: 8, state: { kind: 'sent' } }}
    />
  )),
  owned('console-14l-reply-too-many', (page) => <ReplyWaitPage page={page} tryAgainAt={TRY_AGAIN_AT} />, 429),
  owned('console-14x-export-wait', (page) => <ExportWaitPage page={page} tryAgainAt={TRY_AGAIN_AT} />, 429),
  owned('console-15-what-was-done', (page) => (
    <AccountAuditPage {...{ page, entries: ACTS, timeZone: TIME_ZONE, older: 5 }} />
  )),
  operated('console-13-operator-applications', (page) => (
    <QueuePage {...{ page, waiting: 2, applications: [APPLICATION, SUSPICIOUS], tiers: ['startup', 'growth'] }} />
  )),
  operated('console-13n-operator-none', (page) => <QueuePage {...{ page, waiting: 0, applications: [], tiers: [] }} />),
  operated(
    'console-13e-operator-no-reason',
    (page) => (
      <QueuePage
        {...{ page, waiting: 2, applications: [APPLICATION, SUSPICIOUS], tiers: ['startup', 'growth'] }}
        errors={[{ field: 'reason-app_sample1', message: operatorMessages(page.locale).reasonMissing }]}
        typed={{ id: 'app_sample1', reason: '' }}
      />
    ),
    422,
  ),
  operated('console-16-operator-accounts', (page) => (
    <AccountListPage
      page={page}
      next="name=Nordic&id=acc_sample1"
      accounts={[
        ACCOUNT,
        { ...ACCOUNT, id: 'acc_sample2', name: 'Harbour Analytics Inc.', tier: null, wantedTier: 'growth' },
      ]}
    />
  )),
  operated('console-16a-operator-account', (page) => (
    <OperatorAccountPage
      {...{ page, account: ACCOUNT, owners: OWNERS, tiers: ['startup', 'growth'], entries: ACTS }}
      subscriptionStatus="active"
    />
  )),
  operated('console-16s-operator-suspend', (page) => (
    <OperatorQuestion {...{ page, account: ACCOUNT, kind: 'suspend' }} />
  )),
  operated('console-16p-operator-end', (page) => <OperatorQuestion {...{ page, account: ACCOUNT, kind: 'endPlan' }} />),
  operated('console-17r-operator-reports', (page) => <ReportsPage page={page} reports={REPORTS} />),
  operated('console-17-operator-audit', (page) => <AuditPage {...{ page, entries: ACTS, older: undefined }} />),
  solo('console-18-not-found', (page) => <OutcomePage page={page} kind="notFound" />, 404),
  owned('console-18f-form', (page) => <OutcomePage page={page} kind="form" />, 403),
  owned('console-18l-too-long', (page) => <OutcomePage page={page} kind="tooLong" />, 413),
  owned('console-18t-trouble', (page) => <OutcomePage page={page} kind="trouble" reference="4f1c2a9e" />, 500),
]
