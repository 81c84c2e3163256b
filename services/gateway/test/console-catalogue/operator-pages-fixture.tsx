// What only an operator sees: applications, accounts, reports, acts.
import type { ListedReport } from '../../src/console/contracts/contract-rows.js'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { AuditPage, type TypedFilter } from '../../src/console/operator/audit-page.js'
import { OperatorCancelPage, OperatorContractPage } from '../../src/console/operator/contract-page.js'
import {
  AccountListPage,
  OperatorAccountPage,
  OperatorQuestion,
} from '../../src/console/operator/operator-account-pages.js'
import type { AccountUse } from '../../src/console/operator/operator-account-pages.js'
import { operatorMessages } from '../../src/console/operator/messages.js'
import { QueuePage } from '../../src/console/operator/queue-page.js'
import { ReportPage, ReportsPage } from '../../src/console/operator/reports-page.js'
import { OperatorBrandPage } from '../../src/console/operator/brand-page.js'
import { ACCOUNT, ACTS, OWNERS } from './account-pages-fixture.js'
import { BRAND, REFUSED_BRAND } from './brand-pages-fixture.js'
import { APPLICATION, SUSPICIOUS } from './application-pages-fixture.js'
import { CONTRACT } from './contract-data-fixture.js'
import { operated, type CatalogueEntry } from './entry-fixture.js'

const REPORT: ListedReport = {
  id: '0d3f4c1a-7a52-4c35-9c57-1b6ad0b9e8f1',
  contractId: CONTRACT.id,
  accountId: 'acc_sample1',
  contract: {
    environment: 'production',
    contractNumber: CONTRACT.contractNumber,
    status: 'partially_signed',
    senderName: CONTRACT.senderName,
  },
  reason: 'unknown_sender',
  createdAt: '2026-11-23T10:22:08.905Z',
  message: 'I do not know these people and never agreed to anything.',
  handledAt: null,
  handledBy: null,
  note: null,
}
const HANDLED: ListedReport = {
  ...REPORT,
  handledAt: '2026-11-24T09:02:11.130Z',
  handledBy: shared.OPERATOR_ADDRESS,
  note: 'The reporter is a new employee of the supplier. Their legal department knows the contract.',
}

const USE: AccountUse = {
  billableCalls: 5_600,
  quota: 5_000,
  lately: { contracts: { count: 904, isMore: false }, invitations: { ended: 1_790, refused: 43 } },
  reports: { count: 1, isMore: false },
}
const NO_FILTER: TypedFilter = { actor: '', who: '', act: '', from: '', until: '' }

export const operatorPages: readonly CatalogueEntry[] = [
  operated('console-13-operator-applications', (page) => (
    <QueuePage
      {...{ page, waiting: 2, applications: [APPLICATION, SUSPICIOUS], tiers: ['startup', 'growth'], brands: [] }}
    />
  )),
  operated('console-13n-operator-none', (page) => (
    <QueuePage {...{ page, waiting: 0, applications: [], tiers: [], brands: [] }} />
  )),
  operated('console-13b-operator-brands', (page) => (
    <QueuePage
      {...{ page, waiting: 0, applications: [], tiers: [] }}
      brands={[{ accountId: ACCOUNT.id, name: ACCOUNT.name, sentAt: BRAND.sentAt }]}
    />
  )),
  operated(
    'console-13e-operator-no-reason',
    (page) => (
      <QueuePage
        {...{ page, waiting: 2, applications: [APPLICATION, SUSPICIOUS], tiers: ['startup', 'growth'], brands: [] }}
        errors={[{ field: 'reason-app_sample1', message: operatorMessages(page.locale).reasonMissing }]}
        typed={{ id: 'app_sample1', reason: '' }}
      />
    ),
    422,
  ),
  operated('console-16-operator-accounts', (page) => (
    <AccountListPage
      page={page}
      search=""
      next="name=Nordic&id=acc_sample1"
      accounts={[
        ACCOUNT,
        { ...ACCOUNT, id: 'acc_sample2', name: 'Harbour Analytics Inc.', tier: null, wantedTier: 'growth' },
      ]}
    />
  )),
  operated('console-16a-operator-account', (page) => (
    <OperatorAccountPage
      {...{ page, account: ACCOUNT, owners: OWNERS, tiers: ['startup', 'growth'], entries: ACTS, use: USE }}
      brands={{ asked: BRAND, approved: undefined }}
      subscriptionStatus="active"
    />
  )),
  operated('console-16n-operator-account-paid', (page) => (
    <OperatorAccountPage
      {...{ page, account: ACCOUNT, owners: OWNERS, tiers: ['startup', 'growth'], entries: ACTS, use: USE }}
      brands={{ asked: undefined, approved: undefined }}
      subscriptionStatus="active"
      payment={{
        status: 'active',
        isOpen: true,
        cancelAt: new Date('2026-12-28T15:04:05.000Z'),
        href: 'https://dashboard.stripe.com/customers/cus_sample1',
      }}
    />
  )),
  operated('console-16b-operator-brand', (page) => (
    <OperatorBrandPage {...{ page, account: ACCOUNT, brands: { asked: BRAND, approved: { ...BRAND, logo: null } } }} />
  )),
  operated(
    'console-16e-operator-brand-error',
    (page) => (
      <OperatorBrandPage
        {...{ page, account: ACCOUNT, brands: { asked: BRAND, approved: undefined } }}
        errors={[{ field: 'reason', message: operatorMessages(page.locale).reasonMissing }]}
        typed={{ decision: 'refuse', reason: '' }}
      />
    ),
    422,
  ),
  operated(
    'console-16m-operator-brand-meanwhile',
    (page) => (
      <OperatorBrandPage
        {...{ page, account: ACCOUNT, brands: { asked: REFUSED_BRAND, approved: undefined }, isDecided: true }}
      />
    ),
    409,
  ),
  operated('console-16f-operator-accounts-none', (page) => (
    <AccountListPage {...{ page, accounts: [], search: 'harbor', next: undefined }} />
  )),
  operated('console-16s-operator-suspend', (page) => (
    <OperatorQuestion {...{ page, account: ACCOUNT, kind: 'suspend' }} />
  )),
  operated('console-16p-operator-end', (page) => <OperatorQuestion {...{ page, account: ACCOUNT, kind: 'endPlan' }} />),
  operated('console-17r-operator-reports', (page) => (
    <ReportsPage {...{ page, reports: [REPORT], isHandled: false }} />
  )),
  operated('console-17n-operator-reports-none', (page) => (
    <ReportsPage {...{ page, reports: [], isHandled: true, accountId: 'acc_sample1' }} />
  )),
  operated('console-17o-operator-report', (page) => <ReportPage {...{ page, report: REPORT, account: ACCOUNT }} />),
  operated(
    'console-17e-operator-report-error',
    (page) => (
      <ReportPage
        {...{ page, report: { ...REPORT, contract: null }, account: ACCOUNT, typed: '' }}
        errors={[{ field: 'note', message: operatorMessages(page.locale).noteMissing }]}
      />
    ),
    422,
  ),
  operated('console-17h-operator-report-handled', (page) => (
    <ReportPage {...{ page, report: HANDLED, account: { ...ACCOUNT, status: 'suspended' } }} />
  )),
  operated('console-17k-operator-contract', (page) => (
    <OperatorContractPage {...{ page, owner: ACCOUNT, environment: 'production', contract: CONTRACT }} />
  )),
  operated('console-17c-operator-contract-cancel', (page) => (
    <OperatorCancelPage {...{ page, contract: CONTRACT, at: '/console/operator/accounts/acc_sample1' }} />
  )),
  operated('console-17-operator-audit', (page) => (
    <AuditPage {...{ page, typed: NO_FILTER, entries: ACTS, older: undefined }} />
  )),
  operated('console-17f-operator-audit-filtered', (page) => (
    <AuditPage
      {...{ page, typed: { ...NO_FILTER, actor: 'owner', act: 'key.revoked', from: '2026-11-01' }, entries: [] }}
      older={undefined}
    />
  )),
]
