// What only an operator sees: applications, accounts, reports, acts.
import type { ListedReport } from '../../src/console/contracts/contract-rows.js'
import {
  AccountListPage,
  OperatorAccountPage,
  OperatorQuestion,
  AuditPage,
} from '../../src/console/operator/operator-account-pages.js'
import { operatorMessages } from '../../src/console/operator/messages.js'
import { QueuePage } from '../../src/console/operator/queue-page.js'
import { ReportsPage } from '../../src/console/operator/reports-page.js'
import { ACCOUNT, ACTS, OWNERS } from './account-pages-fixture.js'
import { APPLICATION, SUSPICIOUS } from './application-pages-fixture.js'
import { CONTRACT } from './contract-data-fixture.js'
import { operated, type CatalogueEntry } from './entry-fixture.js'

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

export const operatorPages: readonly CatalogueEntry[] = [
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
]
