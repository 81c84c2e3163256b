// The pages before sign-in, and the sessions and the accounts of a person.
import type { CodeState } from '@paraph/codes/code-state'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { NOW, OWNER } from '@paraph/testing/test/sample-data-fixture'
import { LeaveIssuerPage } from '../../src/console/people/issuer-pages.js'
import { SessionsPage } from '../../src/console/people/sessions-page.js'
import {
  AccountsPage,
  SignInCodePage,
  SignInPage,
  SignOutPage,
  WaitPage,
} from '../../src/console/people/sign-in-pages.js'
import { at, owned, solo, TRY_AGAIN_AT, unproven, type CatalogueEntry } from './entry-fixture.js'
import { secondFactorPages } from './second-factor-pages-fixture.js'

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

const signIn = (name: string, more: Partial<Parameters<typeof SignInPage>[0]>, status = 200): CatalogueEntry =>
  solo(
    name,
    (page) => (
      <SignInPage
        {...{ page, signInToken: 'sample', next: '/console' }}
        offers={{ owners: false, operators: false, codes: true }}
        {...more}
      />
    ),
    status,
  )

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

const FACTORS = {
  passkeys: [
    { id: 'passkey-1', name: 'Chrome 142 on Windows', createdAt: at('2026-10-02T14:05:00.000Z'), lastUsedAt: NOW },
    { id: 'passkey-2', name: 'Security key in the safe', createdAt: at('2026-10-02T14:09:30.000Z'), lastUsedAt: null },
  ],
  codesLeft: 9,
  isFull: false,
}
const NO_FACTORS = { passkeys: [], codesLeft: 0, isFull: false }

export const signInPages: readonly CatalogueEntry[] = [
  signIn('console-01-sign-in', {}),
  signIn('console-01e-sign-in-error', { email: 'owner@', error: 'format' }, 422),
  signIn('console-01b-busy', { email: OWNER, error: 'busy' }, 503),
  signIn('console-01i-company-account', { offers: { owners: true, operators: true, codes: true } }),
  signIn(
    'console-01j-company-account-error',
    { offers: { owners: true, operators: true, codes: false }, issuerProblem: 'expired' },
    422,
  ),
  solo('console-01k-company-sign-out', (page) => <LeaveIssuerPage page={page} href="https://sso.example/logout" />),
  code('console-01c-code', 200, { kind: 'sent' }),
  code('console-01w-wrong-code', 422, { kind: 'wrong', triesLeft: 3 }, '40718825'),
  code('console-01n-not-sent-yet', 200, { kind: 'not_sent_yet' }),
  code('console-01p-other-browser', 403, { kind: 'other_browser' }),
  code('console-01d-no-tries', 429, { kind: 'dead', tryAgainAt: TRY_AGAIN_AT }),
  solo('console-01l-too-many', (page) => <WaitPage page={page} tryAgainAt={TRY_AGAIN_AT} />, 429),
  owned('console-01o-sign-out', (page) => <SignOutPage page={page} />),
  owned('console-01s-sessions', (page) => (
    <SessionsPage {...{ page, sessions: SESSIONS, factors: FACTORS }} sessionId="session-1" />
  )),
  owned('console-01t-sessions-recovered', (page) => (
    <SessionsPage {...{ page, sessions: SESSIONS, factors: FACTORS }} sessionId="session-1" notice="recovered" />
  )),
  unproven('console-01u-sessions-unproven', (page) => (
    <SessionsPage {...{ page, sessions: SESSIONS, factors: NO_FACTORS }} sessionId="session-1" />
  )),
  ...secondFactorPages,
  owned('console-01a-accounts', (page) => (
    <AccountsPage
      page={page}
      owned={[
        {
          accountId: 'acc_sample1',
          accountName: shared.ACCOUNT_NAME,
          role: 'owner',
          invitedBy: null,
          isConfirmed: true,
        },
        {
          accountId: 'acc_sample2',
          accountName: 'Harbour Analytics Inc.',
          role: 'viewer',
          invitedBy: shared.PARTIES[2].email,
          isConfirmed: false,
        },
      ]}
    />
  )),
]
