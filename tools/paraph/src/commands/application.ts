// `paraph application …`, `paraph subscription …`, `paraph audit …`: the operator's console on the command line. [D37, D38]
import type { Command } from '../command-line.js'
import { UserError } from '@paraph/config/refusal'
import { rowsOf, formatTable } from '../table.js'

export const applicationCommands: readonly Command[] = [
  {
    name: 'application list',
    purpose: 'Lists the applications that wait for a decision, oldest first.',
    options: {},
    run: async ({ gateway }) => {
      const answer = await gateway.application.list.query()
      const rows = answer.applications.map(({ id, company, mailbox }) => ({ name: id, value: company, note: mailbox }))
      return { answer, text: rows.length === 0 ? 'No application is waiting.' : formatTable(rows) }
    },
  },
  {
    name: 'application approve',
    purpose: 'Approves an application. The owner receives an e-mail and chooses a plan.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: false } },
    run: async ({ gateway }, { id = '', reason }) => {
      const answer = await gateway.application.approve.mutate({ id, reason })
      return { answer, text: `Approved. The account is ${answer.accountId}.` }
    },
  },
  {
    name: 'application refuse',
    purpose: 'Refuses an application. The applicant reads the reason.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: true } },
    run: async ({ gateway }, { id = '', reason = '' }) => {
      const answer = await gateway.application.refuse.mutate({ id, reason })
      return { answer, text: 'Refused. The applicant receives an e-mail.' }
    },
  },
  {
    name: 'subscription grant',
    purpose: 'Gives an approved account a tier that counts as paid, until the end of a UTC day or without an end.',
    options: {
      account: { value: 'ID', required: true },
      tier: { value: 'TIER', required: true },
      until: { value: 'YYYY-MM-DD', required: false },
    },
    run: async ({ gateway }, { account: accountId = '', tier = '', until: periodEnd }) => {
      const answer = await gateway.subscription.grant.mutate({ accountId, tier, periodEnd })
      return { answer, text: formatTable(rowsOf(answer.account)) }
    },
  },
  {
    name: 'subscription end',
    purpose: 'Ends a subscription now: keys answer 403.',
    options: { account: { value: 'ID', required: true } },
    run: async ({ gateway }, { account: accountId = '' }) => {
      const answer = await gateway.subscription.end.mutate({ accountId })
      return { answer, text: `The subscription of ${answer.account.id} has ended.` }
    },
  },
  {
    name: 'audit list',
    purpose: 'Lists the audit log of one account or of all, newest first, 50 entries at a time.',
    options: { account: { value: 'ID', required: false }, before: { value: 'ENTRY', required: false } },
    run: async ({ gateway }, { account: accountId, before }) => {
      if (before !== undefined && !/^[1-9]\d{0,15}$/.test(before))
        throw new UserError('--before must be the number of an entry in the list.')
      const answer = await gateway.audit.list.query({
        accountId,
        before: before === undefined ? undefined : Number(before),
      })
      const rows = answer.entries.map(({ id, at, act, actor, mailbox, subject }) => ({
        name: `${id}  ${at}`,
        value: act,
        note: [mailbox ?? actor, subject].filter(Boolean).join(' '),
      }))
      return { answer, text: rows.length === 0 ? 'The audit log has no such entries.' : formatTable(rows) }
    },
  },
]
