import { expect, it } from '@jest/globals'
import { renderPage } from '@paraph/web/page-answer'
import type { AccountRow } from '../../accounts/account-store.js'
import type { PageProps } from '../frame/page-props.js'
import { OperatorAccountPage } from './operator-account-pages.js'
import { ReportsPage } from './reports-page.js'

const page: PageProps = {
  locale: 'fr',
  styleHref: '/style.css',
  scripts: ['/copy.js'],
  isProven: true,
  path: '/console',
  formToken: 'token',
  statusHref: undefined,
  operatorAddress: undefined,
  shell: undefined,
}

const account: AccountRow = {
  id: 'acc_1',
  name: 'Nordic Foods Ltd.',
  status: 'active',
  tier: 'growth',
  subscriptionStatus: 'active',
  periodEnd: new Date('2026-11-20T23:59:59.999Z'),
  wantedTier: null,
  approvedAt: new Date(0),
  language: 'fr',
  timeZone: 'UTC',
  senderName: null,
  replyAddress: null,
  stopAtQuota: false,
  cancelsOnDecline: false,
  remindsParties: true,
  mailsRefused: true,
  mailsDeclined: true,
  mailsCompleted: 'daily',
  mailsExpired: true,
  createdAt: new Date(0),
}

const brands = { asked: undefined, approved: undefined }
const use = { billableCalls: 0, quota: undefined, lately: undefined, reports: undefined }

it('the operator pages show the subscription status in the operator’s language, an overdue one too [D25, D38]', () => {
  const htmlFor = (subscriptionStatus: Parameters<typeof OperatorAccountPage>[0]['subscriptionStatus']) =>
    renderPage(
      <OperatorAccountPage
        {...{ page, account, subscriptionStatus, use, owners: [], tiers: [], entries: [], brands }}
      />,
    )
  expect(htmlFor('active')).toContain('<dd>En cours</dd>')
  expect(htmlFor('past_due')).toContain('<dd>Paiement en retard</dd>')
})

it('the operator pages show the reason of a report in the operator’s language [D25]', () => {
  const report = {
    id: 'one',
    contractId: 'contract-1-a',
    message: 'Bonjour',
    createdAt: '2026-11-20T12:00:00.000Z',
    contract: null,
    accountId: 'acc_1',
    handledAt: null,
    handledBy: null,
    note: null,
  }
  const reports = [{ ...report, reason: 'asks_for_money' as const }]
  const html = renderPage(<ReportsPage {...{ page, reports, isHandled: false }} />)
  expect(html).toContain('On demande de l’argent ou des mots de passe')
  expect(html).not.toContain('asks_for_money')
})
