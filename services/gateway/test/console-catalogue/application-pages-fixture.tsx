// The application of a new owner, in every state.
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { OWNER } from '@paraph/testing/test/sample-data-fixture'
import type { QueuedApplication } from '../../src/accounts/application-store.js'
import { ApplicationPage, PendingPage, RefusedPage, WithdrawPage } from '../../src/console/people/application-pages.js'
import { APPLY, at, owned, PENDING, type CatalogueEntry } from './entry-fixture.js'

const PURPOSE =
  'Our order system creates a non-disclosure agreement for each new supplier, before we show prices or cold-chain measurements. Suppliers know us and expect the email.'

export const APPLICATION: QueuedApplication = {
  id: 'app_sample1',
  accountId: 'acc_sample1',
  mailbox: OWNER,
  company: shared.ACCOUNT_NAME,
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
export const SUSPICIOUS: QueuedApplication = {
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
const TYPED = {
  company: '',
  website: 'no website',
  purpose: '',
  contractTypes: [],
  otherParties: '',
  volume: '',
  timeZone: '',
}

export const applicationPages: readonly CatalogueEntry[] = [
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
]
