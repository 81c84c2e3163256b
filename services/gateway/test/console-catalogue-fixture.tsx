// Every page of the console in every state, for pictures, accessibility checks and measurements.
// Each entry has the name of its picture in docs/screens and the sample data of the pictures.
import type { VNode } from 'preact'
import type { CodeState } from '@paraph/codes/code-state'
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

const NOW = new Date('2026-11-24T12:10:00.000Z')
const at = (instant: string): Date => new Date(instant)
const OWNER = 'owner@nordicfoods.example'
const NAME = 'Nordic Foods Ltd.'
const API_URL = 'http://localhost:8080/api/external/v2'
const SECRET = 'paraph_test_ExampleKeyDoNotUse4hT0wq8LrZ2Vb6Nm3Xs9c'
const TIME_ZONE = 'UTC'

const ACTIVE: Access = { step: 'active', tier: 'startup', periodEnd: null }

const shellWith = (access: Access, isOperator = false): ShellProps => ({
  mailbox: OWNER,
  account: {
    name: NAME,
    access,
    environment: 'production',
    contracts: { production: { count: 1_000, isMore: true }, sandbox: { count: 3, isMore: false } },
    keys: 3,
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
        statusHref: 'https://status.example.com',
        operatorAddress: 'operator@example.com',
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
  sentAt: at('2026-11-21T09:41:00.000Z'),
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
  sentAt: at('2026-11-21T10:58:00.000Z'),
  volume: 'more',
}
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
  lastFour: '7Hq2',
  scopes: ['contracts:read', 'contracts:write'],
  createdAt: at('2026-11-03T10:20:00.000Z'),
  lastUsedAt: at('2026-11-24T12:08:00.000Z'),
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
    lastUsedAt: at('2026-11-24T02:00:00.000Z'),
    expiresAt: at('2027-02-01T10:20:00.000Z'),
  }),
  key('key_3', 'Continuous integration', { environment: 'sandbox', lastFour: 'Zk91', lastUsedAt: null }),
  key('key_4', 'First attempt', { lastFour: 'aa11', isActive: false, revokedAt: at('2026-11-04T08:00:00.000Z') }),
  key('key_5', 'Summer', { lastFour: 'bb22', isActive: false, expiresAt: at('2026-10-01T00:00:00.000Z') }),
]
const keys = (shown: readonly ShownKey[]) => (page: PageProps) => (
  <KeysPage
    {...{ page, keys: shown, max: 20, apiUrl: API_URL, timeZone: TIME_ZONE }}
    mayCreate={page.shell?.account?.access.step !== 'suspended'}
  />
)

const DAYS = Array.from({ length: 24 }, (_, index) => {
  const day = index + 1
  const isWeekend = [0, 6].includes(new Date(Date.UTC(2026, 10, day)).getUTCDay())
  const billable = isWeekend ? 40 + ((day * 7) % 30) : 270 + ((day * 29) % 90)
  return { day: `2026-11-${String(day).padStart(2, '0')}`, billable, total: Math.round(billable * 1.4) }
})
const MONTHS = Array.from({ length: 12 }, (_, back) => {
  const month = new Date(Date.UTC(2026, 10 - back, 1)).toISOString().slice(0, 7)
  return {
    month,
    billable: back === 0 ? 5_412 : back < 5 ? 4_000 - back * 310 : 0,
    total: back < 5 ? 7_891 - back * 900 : 0,
  }
})
const usage = (quotaLimit: number, stopAtQuota: boolean) => (page: PageProps) => (
  <UsagePage
    {...{
      page,
      environment: 'production',
      days: DAYS,
      months: MONTHS,
      stopAtQuota,
      isNow: true,
      requestsPerMinute: 60,
      timeZone: TIME_ZONE,
    }}
    usage={{
      period: '2026-11',
      totalCalls: 7_891,
      billableCalls: 5_412,
      quotaLimit,
      remaining: Math.max(0, quotaLimit - 5_412),
      overageCalls: Math.max(0, 5_412 - quotaLimit),
      endpointBreakdown: {
        'GET /contracts/:id': 4_281,
        'GET /status': 2_310,
        'POST /contracts': 1_204,
        'GET /usage': 96,
      },
      periodStart: '2026-11-01T00:00:00.000Z',
      periodEnd: '2026-11-30T23:59:59.999Z',
    }}
    nextTier={{ name: 'growth', monthly_quota: 25_000 }}
    now={{
      waiting: { count: 38, isMore: false },
      total: { count: 1_000, isMore: true },
      lastCreatedAt: '2026-11-24T11:52:00.000Z',
    }}
  />
)

const ACCOUNT: AccountRow = {
  id: 'acc_sample1',
  name: NAME,
  tier: 'startup',
  status: 'active',
  subscriptionStatus: 'active',
  periodEnd: null,
  wantedTier: null,
  approvedAt: at('2026-11-22T08:00:00.000Z'),
  language: 'en+fr',
  timeZone: TIME_ZONE,
  senderName: null,
  replyAddress: 'answers@nordicfoods.example',
  stopAtQuota: false,
  createdAt: at('2026-11-21T09:41:00.000Z'),
}
const OWNERS = [
  { mailbox: OWNER, address: OWNER, invitedBy: null },
  { mailbox: 'second@nordicfoods.example', address: 'second@nordicfoods.example', invitedBy: OWNER },
].map((owner, index) => ({
  ...owner,
  invitedAt: at('2026-11-21T09:41:00.000Z'),
  confirmedAt: index === 0 ? at('2026-11-21T09:41:00.000Z') : null,
}))
const SESSIONS = [
  {
    id: 'session-1',
    createdAt: at('2026-11-24T08:00:00.000Z'),
    lastSeenAt: NOW,
    network: '203.0.113.0/24',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  },
  {
    id: 'session-2',
    createdAt: at('2026-11-24T07:00:00.000Z'),
    lastSeenAt: null,
    network: '2001:db8:1::/48',
    userAgent: '',
  },
]
const account =
  (more: Partial<Parameters<typeof AccountPage>[0]> = {}) =>
  (page: PageProps) => <AccountPage {...{ page, account: ACCOUNT, owners: OWNERS }} {...more} />

const act = (id: number, more: Partial<AuditEntry>): AuditEntry => ({
  id,
  at: at('2026-11-24T11:52:00.000Z'),
  actor: 'owner',
  actorName: null,
  mailbox: OWNER,
  accountId: 'acc_sample1',
  act: 'key.created',
  subject: 'key_1',
  facts: { environment: 'production', name: 'Order system' },
  ...more,
})
const ACTS = [
  act(10, {
    act: 'operator.read',
    subject: 'acc_sample1',
    actor: 'operator',
    mailbox: 'operator@example.com',
    facts: {},
  }),
  act(9, {}),
  act(8, {
    act: 'subscription.granted',
    subject: null,
    actor: 'operator',
    mailbox: 'operator@example.com',
    facts: { tier: 'startup', status: 'active', periodEnd: null },
  }),
  act(7, { act: 'plan.chosen', subject: null, facts: { tier: 'startup' } }),
  act(6, {
    act: 'application.approved',
    subject: 'app_sample1',
    actor: 'command_line',
    actorName: 'marie',
    mailbox: null,
    facts: {},
  }),
  act(5, { act: 'application.sent', subject: 'app_sample1', facts: {} }),
]

const listed = (number: string, more: Partial<ListedContract>): ListedContract => ({
  id: `contract-${number}`,
  contractNumber: `EXT-${number}`,
  contractType: 'nda',
  senderName: 'Nordic Foods procurement',
  partyNames: [NAME, 'Jane Roe'],
  status: 'signed',
  signed: 2,
  total: 2,
  createdAt: '2026-11-19T08:30:00.000Z',
  expiresAt: '2026-12-03T08:30:00.000Z',
  endedAt: '2026-11-19T12:01:00.000Z',
  isErased: false,
  eraseDueAt: null,
  isHeld: false,
  ...more,
})
const LIST: readonly ListedContract[] = [
  listed('20261124-9FWT3RZB', { contractType: 'service', status: 'pending_signature', signed: 0, endedAt: null }),
  listed('20261120-7KQ4MXTA', { status: 'partially_signed', signed: 1, total: 3, endedAt: null }),
  listed('20261119-QH52XNDE', { isHeld: true }),
  listed('20261118-U6BK8VYP', {
    contractType: 'sales-agreement',
    status: 'cancelled',
    signed: 1,
    eraseDueAt: '2026-12-01T09:00:00.000Z',
  }),
  listed('20261117-C4JMA7SG', { contractType: 'revenue-share', signed: 12, total: 12 }),
  listed('20261109-T8RPE2HD', { contractType: 'employment', status: 'expired', signed: 1 }),
]
const contractList =
  (contracts: readonly ListedContract[], number = '') =>
  (page: PageProps) => (
    <ContractListPage
      {...{ page, contracts, environment: 'production', older: 'place', newer: null, timeZone: TIME_ZONE }}
      filter={{ number, status: '', contractType: '' }}
    />
  )

const CONTRACT: ContractDetail = {
  id: 'contract-1795183391482-k3v9x2m4q',
  contractNumber: 'EXT-20261120-7KQ4MXTA',
  contractType: 'nda',
  status: 'partially_signed',
  senderName: 'Nordic Foods procurement',
  accountName: NAME,
  language: 'en+fr',
  contentSha256: '3f'.repeat(32),
  contentBytes: 4_120,
  metadata: { supplier: 'S-2041', region: 'Canada' },
  signingProgress: { signed: 1, total: 3, pending: 2, percentage: 33.33 },
  parties: [
    { role: 'Discloser', legalName: NAME, email: 'legal@nordicfoods.example', signedAt: '2026-11-20T15:20:44.102Z' },
    { role: 'Recipient', legalName: 'Jane Roe', email: 'jane.roe@example.com', signedAt: null },
    { role: 'Recipient', legalName: 'Harbour Analytics Inc.', email: 'contracts@harbour.example', signedAt: null },
  ],
  createdAt: '2026-11-20T14:03:11.482Z',
  expiresAt: '2026-12-04T14:03:11.482Z',
  completedAt: null,
  cancelledAt: null,
  cancelledBy: null,
  cancelReason: null,
  erasedAt: null,
  erasure: null,
  isHeld: false,
  shareUrl: `https://sign.example.com/contract/${'Sample'.repeat(7)}X`,
}
const CONTENT =
  'Non-disclosure agreement\n\n1. Each of us keeps the secrets of the other.\n2. This ends after three years.'
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
const DISCLOSER = [{ index: 0, role: 'Discloser' }]
const HISTORY: ContractHistory = {
  entries: [
    {
      seq: 5,
      type: 'signature.accepted' as const,
      at: '2026-11-20T15:20:44.102Z',
      hashStart: '9c41e0b7',
      parties: DISCLOSER,
    },
    {
      seq: 4,
      type: 'consent.given' as const,
      at: '2026-11-20T15:20:44.102Z',
      hashStart: '3f7a52d0',
      parties: DISCLOSER,
    },
    { seq: 3, type: 'text.shown' as const, at: '2026-11-20T15:16:03.771Z', hashStart: 'e18b6c9f', parties: DISCLOSER },
    {
      seq: 2,
      type: 'code.verified' as const,
      at: '2026-11-20T15:15:40.218Z',
      hashStart: '70d2a4c9',
      parties: DISCLOSER,
    },
    { seq: 1, type: 'contract.created' as const, at: '2026-11-20T14:03:11.482Z', hashStart: 'b5e90312', parties: [] },
  ],
  hasOlder: false,
  isClosed: false,
  copies: { state: 'preparing' as const },
}
const CANCELLED: ContractDetail = {
  ...CONTRACT,
  status: 'cancelled',
  cancelledAt: '2026-11-22T09:00:00.000Z',
  cancelledBy: 'owner',
  cancelReason: 'Agreed by telephone to begin again.',
}
const TO_BE_ERASED: ContractDetail = {
  ...CANCELLED,
  erasure: { at: '2026-12-01T09:00:00.000Z', by: 'paul.roy@nordicfoods.example' },
}
const ERASED: ContractDetail = {
  ...CANCELLED,
  erasedAt: '2026-11-24T09:00:00.000Z',
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
      content={CONTENT}
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
    createdAt: '2026-11-23T10:00:00.000Z',
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
  code('console-01d-no-tries', 429, { kind: 'dead', tryAgainAt: at('2026-11-24T12:40:00.000Z') }),
  solo('console-01l-too-many', (page) => <WaitPage page={page} tryAgainAt={at('2026-11-24T12:40:00.000Z')} />, 429),
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
          invitedBy: 'jane@harbour.example',
          isConfirmed: false,
        },
      ]}
    />
  )),
  owned('console-02-application', (page) => (
    <ApplicationPage {...{ page, typed: { ...TYPED, ...APPLICATION }, isChange: false }} />
  )),
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
  ),
  owned('console-03-application-pending', (page) => <PendingPage page={page} application={APPLICATION} />),
  owned('console-03r-application-refused', (page) => (
    <RefusedPage
      page={page}
      application={{
        ...APPLICATION,
        state: 'refused',
        decidedAt: at('2026-11-22T08:00:00.000Z'),
        reason: 'We could not find your company under this name. Tell us its number, or who speaks for it.',
      }}
    />
  )),
  owned('console-03w-withdraw', (page) => <WithdrawPage page={page} />),
  owned('console-04-plan', plan({ step: 'choose_plan' })),
  owned('console-04b-plan-and-billing', plan({ ...ACTIVE, periodEnd: at('2027-01-31T23:59:59.999Z') })),
  entry(
    'console-04w-plan-chosen',
    200,
    shellWith({ step: 'plan_chosen', wantedTier: 'growth' }),
    plan({ step: 'plan_chosen', wantedTier: 'growth' }),
  ),
  owned('console-05-overview', usage(5_000, false)),
  owned('console-05q-overview-within', usage(25_000, true)),
  owned('console-06-api-access', keys(KEYS)),
  owned('console-06n-api-access-none', keys([]), 200, { step: 'trial', tier: 'startup', periodEnd: null }),
  owned('console-06p-past-due', keys(KEYS.slice(0, 1)), 200, {
    step: 'past_due',
    tier: 'startup',
    keysStopAt: at('2026-11-30T23:59:59.999Z'),
  }),
  owned('console-06h-on-hold', keys(KEYS.slice(0, 1)), 200, { step: 'suspended' }),
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
  owned('console-10n-contracts-none', contractList([])),
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
      {...{ page, challenge: 'sample', email: 'answers@nordicfoods.example', digits: 8, state: { kind: 'sent' } }}
    />
  )),
  owned(
    'console-14l-reply-too-many',
    (page) => <ReplyWaitPage page={page} tryAgainAt={at('2026-11-24T12:40:00.000Z')} />,
    429,
  ),
  owned(
    'console-14x-export-wait',
    (page) => <ExportWaitPage page={page} tryAgainAt={at('2026-11-24T12:40:00.000Z')} />,
    429,
  ),
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
