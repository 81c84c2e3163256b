// `paraph account …`, `paraph application …`, `paraph subscription …`, `paraph audit …`: manage the accounts of this installation,
// like the operator's console. [Authentication, D10, D37, D38]
import { callCommand, needed, tableOr, type Command } from '../command-line.js'
import { UserError } from '@paraph/config/refusal'
import { forTerminal, rowsOf, formatTable } from '../table.js'

const ID = needed('ID')

export const accountCommands: readonly Command[] = [
  callCommand({
    name: 'account create',
    purpose: 'Creates an approved account with a granted subscription.',
    options: { name: needed('NAME'), email: needed('ADDRESS'), tier: needed('TIER') },
    call: ({ gateway }, values) => gateway.account.create.mutate(values),
    text: ({ account }) => `Created account ${account.id} on the tier ${account.tier}.`,
  }),
  callCommand({
    name: 'account list',
    purpose: 'Lists all accounts.',
    options: {},
    call: ({ gateway }) => gateway.account.list.query(),
    text: ({ accounts }) =>
      tableOr(
        accounts.map(({ id, name, tier }) => [id, name, tier ?? 'no plan']),
        'There is no account yet.',
      ),
  }),
  callCommand({
    name: 'account show',
    purpose: 'Shows one account.',
    options: { id: ID },
    call: ({ gateway }, { id }) => gateway.account.show.query({ id }),
    text: ({ account }) => formatTable(rowsOf(account)),
  }),
  callCommand({
    name: 'account rename',
    purpose: 'Changes the approved name of an account. Owners can change only the sender name.',
    options: { id: ID, name: needed('NAME') },
    call: ({ gateway }, { id, name }) => gateway.account.rename.mutate({ id, name }),
    text: ({ account }) => `Account ${account.id} is now called ${account.name}.`,
  }),
  callCommand({
    name: 'account suspend',
    purpose:
      'Suspends an account until you resume it: calls with its keys get 403, and its share links say that the contract is on hold.',
    options: { id: ID },
    call: ({ gateway }, { id }) => gateway.account.suspend.mutate({ id }),
    text: ({ account }) => `Account ${account.id} is suspended. Its contracts cannot be signed now.`,
  }),
  callCommand({
    name: 'account resume',
    purpose: 'Ends a suspension.',
    options: { id: ID },
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
      tableOr(
        applications.map(({ id, company, mailbox }) => [id, company, mailbox]),
        'No application is waiting.',
      ),
  }),
  callCommand({
    name: 'application show',
    purpose: 'Shows an application with its revision, which `application approve` asks for.',
    options: { id: ID },
    call: ({ gateway }, { id }) => gateway.application.show.query({ id }),
    text: ({ application }) => formatTable(rowsOf(application)),
  }),
  callCommand({
    name: 'application approve',
    purpose:
      'Approves the revision of an application that `application show` printed. The owner receives an e-mail and chooses a plan.',
    options: { id: ID, revision: needed('NUMBER'), reason: { value: 'TEXT' } },
    async call({ gateway }, { id, revision, reason }) {
      if (!/^[1-9]\d{0,8}$/.test(revision))
        throw new UserError('--revision must be the number that `application show` prints.')
      return gateway.application.approve.mutate({ id, revision: Number(revision), reason })
    },
    text: ({ accountId }) => `Approved. The account is ${accountId}.`,
  }),
  callCommand({
    name: 'application refuse',
    purpose: 'Refuses an application. The applicant receives an e-mail with the reason.',
    options: { id: ID, reason: needed('TEXT') },
    call: ({ gateway }, { id, reason }) => gateway.application.refuse.mutate({ id, reason }),
    text: () => 'Refused. The applicant receives an e-mail.',
  }),
  callCommand({
    name: 'subscription grant',
    purpose:
      'Grants an approved account a tier that counts as paid, until the end of a UTC day or without an end date.',
    options: { account: ID, tier: needed('TIER'), until: { value: 'YYYY-MM-DD' } },
    call: ({ gateway }, { account: accountId, tier, until: periodEnd }) =>
      gateway.subscription.grant.mutate({ accountId, tier, periodEnd }),
    text: ({ account }) => formatTable(rowsOf(account)),
  }),
  callCommand({
    name: 'subscription end',
    purpose: 'Ends a subscription immediately: calls with the keys of the account get 403.',
    options: { account: ID },
    call: ({ gateway }, { account: accountId }) => gateway.subscription.end.mutate({ accountId }),
    text: ({ account }) => `The subscription of ${account.id} has ended.`,
  }),
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
      tableOr(
        entries.map(({ id, at, act, actor, actorName, mailbox, subject }) => [
          `${id}  ${at}`,
          act,
          [mailbox ?? (actorName === null ? actor : `${actor} (${forTerminal(actorName)})`), subject]
            .filter(Boolean)
            .join(' '),
        ]),
        'The audit log has no such entries.',
      ),
  }),
]
