// `paraph account …`, `paraph application …`, `paraph subscription …`, `paraph audit …`: manage the accounts of this installation,
// like the operator's console. [Authentication, D10, D37, D38]
import { callCommand, ID, needed, type Command } from '../command.js'
import type { OperatorClient } from '../operator-client.js'
import { UserError } from '@paraph/config/refusal'
import { formatList, formatRecord, minuteOf, secondOf } from '../table.js'

export const accountCommands: readonly Command[] = [
  callCommand({
    name: 'account create',
    purpose: 'Creates an approved account with a granted plan.',
    options: { name: needed('NAME'), email: needed('ADDRESS'), plan: needed('PLAN') },
    call: ({ gateway }, { plan: tier, ...values }) => gateway.account.create.mutate({ ...values, tier }),
    text: ({ account }) => `Created account ${account.id} on the plan ${account.tier}.`,
  }),
  callCommand({
    name: 'account list',
    purpose: 'Lists all accounts.',
    options: {},
    call: ({ gateway }) => gateway.account.list.query(),
    text: ({ accounts }) =>
      formatList(
        ['Account', 'Status', 'Plan', 'Name'],
        accounts.map(({ id, name, status, tier }) => [id, status, tier ?? 'no plan', name]),
        'There is no account yet.',
      ),
  }),
  callCommand({
    name: 'account show',
    purpose: 'Shows one account.',
    operand: ID,
    options: {},
    call: ({ gateway }, { id }) => gateway.account.show.query({ id }),
    text: ({ account }) => describeAccount(account),
  }),
  callCommand({
    name: 'account rename',
    purpose: 'Changes the approved name of an account. Owners can change only the sender name.',
    operand: ID,
    options: { name: needed('NAME') },
    call: ({ gateway }, { id, name }) => gateway.account.rename.mutate({ id, name }),
    text: ({ account }) => `Account ${account.id} is now called ${account.name}.`,
  }),
  callCommand({
    name: 'account suspend',
    purpose: 'Suspends an account until you resume it: calls with its keys get 403, and nobody can sign its contracts.',
    operand: ID,
    options: {},
    call: ({ gateway }, { id }) => gateway.account.suspend.mutate({ id }),
    text: ({ account }) => `Account ${account.id} is suspended. Nobody can sign its contracts now.`,
  }),
  callCommand({
    name: 'account resume',
    purpose: 'Ends a suspension.',
    operand: ID,
    options: {},
    call: ({ gateway }, { id }) => gateway.account.resume.mutate({ id }),
    text: ({ account }) => `Account ${account.id} is active again.`,
  }),
]

export const applicationCommands: readonly Command[] = [
  callCommand({
    name: 'application list',
    purpose: 'Lists the applications that wait for a decision, oldest first.',
    options: {},
    call: ({ gateway }) => gateway.application.list.query(),
    text: ({ applications }) =>
      formatList(
        ['Application', 'Sent (UTC)', 'Applicant', 'Company'],
        applications.map(({ id, company, mailbox, sentAt }) => [id, minuteOf(sentAt), mailbox, company]),
        'No application is waiting.',
      ),
  }),
  callCommand({
    name: 'application show',
    purpose: 'Shows an application with its revision, which application approve requires.',
    operand: ID,
    options: {},
    call: ({ gateway }, { id }) => gateway.application.show.query({ id }),
    text: ({ application }) => describeApplication(application),
  }),
  callCommand({
    name: 'application approve',
    purpose:
      'Approves the revision of an application that application show printed. The owner receives an email and chooses a plan.',
    operand: ID,
    options: { revision: needed('NUMBER'), reason: { value: 'TEXT' } },
    async call({ gateway }, { id, revision, reason }) {
      if (!/^[1-9]\d{0,8}$/.test(revision))
        throw new UserError('--revision must be the number that paraph application show prints.')
      return gateway.application.approve.mutate({ id, revision: Number(revision), reason })
    },
    text: ({ accountId }) => `Approved. The account is ${accountId}.`,
  }),
  callCommand({
    name: 'application refuse',
    purpose: 'Refuses an application. The applicant receives an email with the reason.',
    operand: ID,
    options: { reason: needed('TEXT') },
    call: ({ gateway }, { id, reason }) => gateway.application.refuse.mutate({ id, reason }),
    text: () => 'Refused. The applicant receives an email.',
  }),
]

export const subscriptionCommands: readonly Command[] = [
  callCommand({
    name: 'subscription grant',
    purpose:
      'Grants an approved account a plan that counts as paid, until the end of a UTC day or without an end date.',
    options: { account: needed('ID'), plan: needed('PLAN'), until: { value: 'YYYY-MM-DD' } },
    call: ({ gateway }, { account: accountId, plan: tier, until: periodEnd }) =>
      gateway.subscription.grant.mutate({ accountId, tier, periodEnd }),
    text: ({ account: { id, tier, periodEnd } }) =>
      `Account ${id} has the plan ${tier}${periodEnd === null ? ', without an end date' : ` until ${minuteOf(periodEnd)} UTC`}.`,
  }),
  callCommand({
    name: 'subscription end',
    purpose: 'Ends a subscription immediately: calls with the keys of the account get 403.',
    options: { account: needed('ID') },
    call: ({ gateway }, { account: accountId }) => gateway.subscription.end.mutate({ accountId }),
    text: ({ account }) => `The subscription of ${account.id} has ended.`,
  }),
]

export const auditCommands: readonly Command[] = [
  callCommand({
    name: 'audit list',
    purpose: 'Lists the audit log of one account or of all, newest first, 50 entries at a time.',
    options: { account: { value: 'ID' }, before: { value: 'ENTRY' } },
    async call({ gateway }, { account: accountId, before }) {
      if (before !== undefined && !/^[1-9]\d{0,15}$/.test(before))
        throw new UserError('--before must be the number of an entry in the list.')
      return gateway.audit.list.query({ accountId, before: before === undefined ? undefined : Number(before) })
    },
    text: ({ entries }) =>
      formatList(
        ['Entry', 'Time (UTC)', 'Act', 'By', 'Subject'],
        entries.map(({ id, at, act, actor, actorName, mailbox, subject }) => [
          String(id),
          secondOf(at),
          act,
          mailbox ?? (actorName === null ? actor : `${actor} (${actorName})`),
          subject ?? '',
        ]),
        'The audit log has no such entries.',
      ),
  }),
]

type Gateway = OperatorClient['gateway']

function describeAccount(account: Awaited<ReturnType<Gateway['account']['show']['query']>>['account']): string {
  const { tier, subscriptionStatus, periodEnd } = account
  const record = formatRecord({
    Account: account.id,
    Name: account.name,
    'Sender name': account.senderName ?? 'the name of the account',
    Status: account.status,
    Plan:
      tier === null ? 'none' : `${tier} (${subscriptionStatus}${periodEnd ? ` until ${minuteOf(periodEnd)} UTC` : ''})`,
    'Wanted plan': account.wantedTier,
    'At the quota': account.stopAtQuota ? 'billable calls are refused' : 'calls are served and counted as overage',
    'Emails in': account.language,
    'Time zone': account.timeZone,
    'Reply-to address': account.replyAddress ?? 'none',
    Created: `${minuteOf(account.createdAt)} UTC`,
    Approved: account.approvedAt === null ? 'no' : `${minuteOf(account.approvedAt)} UTC`,
  })
  const owners = formatList(
    ['Owner', 'Confirmed (UTC)'],
    account.owners.map(({ address, confirmedAt }) => [address, minuteOf(confirmedAt) ?? 'not yet']),
    'The account has no owner.',
  )
  return `${record}\n\n${owners}`
}

function describeApplication(
  application: Awaited<ReturnType<Gateway['application']['show']['query']>>['application'],
): string {
  const { state, reason, decidedAt, decidedBy } = application
  return formatRecord({
    Application: application.id,
    Revision: String(application.revision),
    State: decidedAt ? `${state} at ${minuteOf(decidedAt)} UTC by ${decidedBy}` : state,
    Reason: reason,
    Account: application.accountId,
    Sent: `${minuteOf(application.sentAt)} UTC`,
    Applicant: application.mailbox,
    Company: application.company,
    Website: application.website,
    'Contract types': application.contractTypes.join(', '),
    'Other parties': application.otherParties,
    'Contracts a month': application.volume,
    Purpose: application.purpose,
  })
}
