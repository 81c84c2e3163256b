// The account with its owners, and what was done in it.
import type { AccountRole } from '@paraph/protocol/account-role'
import * as shared from '@paraph/testing/test/sample-data-fixture'
import { OWNER, SECOND_OWNER } from '@paraph/testing/test/sample-data-fixture'
import type { AccountRow } from '../../src/accounts/account-store.js'
import type { AuditEntry } from '../../src/accounts/audit.js'
import type { PageProps } from '../../src/console/frame/page-props.js'
import { AccountPage } from '../../src/console/people/account-page.js'
import { AccountAuditPage, ExportWaitPage } from '../../src/console/people/account-record-pages.js'
import { ReplyCodePage, ReplyWaitPage } from '../../src/console/people/reply-address.js'
import { at, member, owned, TIME_ZONE, TRY_AGAIN_AT, unproven, type CatalogueEntry } from './entry-fixture.js'

export const ACCOUNT: AccountRow = {
  id: 'acc_sample1',
  name: shared.ACCOUNT_NAME,
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
  cancelsOnDecline: false,
  remindsParties: true,
  mailsRefused: true,
  mailsDeclined: true,
  mailsCompleted: 'daily',
  mailsExpired: true,
  createdAt: shared.APPLIED_AT,
}
const owner = (
  mailbox: string,
  role: AccountRole,
  invitedBy: string | null,
  invitedAt: Date,
  confirmedAt: Date | null,
) => ({ mailbox, address: mailbox, role, invitedBy, invitedAt, confirmedAt })
export const OWNERS = [
  owner(OWNER, 'owner', null, shared.APPLIED_AT, shared.APPLIED_AT),
  owner(SECOND_OWNER, 'developer', OWNER, at('2026-07-07T08:15:12.000Z'), at('2026-07-07T09:02:40.000Z')),
  owner(shared.INVITED_OWNER, 'viewer', OWNER, at('2026-11-23T09:15:36.000Z'), null),
]
const account =
  (more: Partial<Parameters<typeof AccountPage>[0]> = {}) =>
  (page: PageProps) => (
    <AccountPage
      {...{ page, account: ACCOUNT, owners: OWNERS, withPasskey: new Set([OWNER, SECOND_OWNER]) }}
      {...more}
    />
  )

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
export const ACTS = [
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

export const accountPages: readonly CatalogueEntry[] = [
  owned('console-14-account', account()),
  unproven('console-14u-account-unproven', account()),
  owned('console-14n-account-new', account({ account: { ...ACCOUNT, replyAddress: null }, notice: 'saved' })),
  owned(
    'console-14e-account-error',
    account({
      errors: [{ field: 'reply', message: 'Enter an email address in the form name@example.com' }],
      typed: { reply: 'answers@' },
    }),
    422,
  ),
  member('console-14d-account-developer', 'developer', account()),
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
]
