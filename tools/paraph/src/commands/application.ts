// `paraph application …`, `paraph subscription …`, `paraph audit …`: what an operator does in the console, on the command line. [D37, D38]
import type { Command } from '../command-line.js'
import { Refusal } from '../refusal.js'
import { factsOf, formatTable } from '../table.js'

export const applicationCommands: readonly Command[] = [
  {
    name: 'application list',
    purpose: 'Applications that wait for a decision, the oldest first.',
    options: {},
    run: async ({ gateway }) => {
      const answer = await gateway.application.list.query()
      const rows = answer.applications.map(({ id, company, mailbox }) => ({ name: id, value: company, note: mailbox }))
      return { answer, text: rows.length === 0 ? 'No application is waiting.' : formatTable(rows) }
    },
  },
  {
    name: 'application approve',
    purpose: 'Approves one; the owner hears by e-mail, and chooses a plan.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: false } },
    run: async ({ gateway }, { id = '', reason }) => {
      const answer = await gateway.application.approve.mutate({ id, reason })
      return { answer, text: `Approved. The account is ${answer.accountId}.` }
    },
  },
  {
    name: 'application refuse',
    purpose: 'Refuses one; the applicant reads the reason.',
    options: { id: { value: 'ID', required: true }, reason: { value: 'TEXT', required: true } },
    run: async ({ gateway }, { id = '', reason = '' }) => {
      const answer = await gateway.application.refuse.mutate({ id, reason })
      return { answer, text: 'Refused. The applicant hears by e-mail.' }
    },
  },
  {
    name: 'subscription grant',
    purpose: 'Gives an approved account a tier, which counts as paid, until the end of a UTC day or without an end.',
    options: {
      account: { value: 'ID', required: true },
      tier: { value: 'TIER', required: true },
      until: { value: 'YYYY-MM-DD', required: false },
    },
    run: async ({ gateway }, { account: accountId = '', tier = '', until: periodEnd }) => {
      const answer = await gateway.subscription.grant.mutate({ accountId, tier, periodEnd })
      return { answer, text: formatTable(factsOf(answer.account)) }
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
    purpose: 'Who did what, the newest first, 50 at a time; of one account or of all.',
    options: { account: { value: 'ID', required: false }, before: { value: 'ENTRY', required: false } },
    run: async ({ gateway }, { account: accountId, before }) => {
      if (before !== undefined && !/^[1-9]\d{0,15}$/.test(before))
        throw new Refusal('--before must be the number of an entry, as the list shows it.')
      const answer = await gateway.audit.list.query({
        accountId,
        before: before === undefined ? undefined : Number(before),
      })
      const rows = answer.entries.map(({ id, at, act, actor, mailbox, subject }) => ({
        ...{ name: `${id}  ${at}`, value: act },
        note: [mailbox ?? actor, subject].filter(Boolean).join(' '),
      }))
      return { answer, text: rows.length === 0 ? 'Nothing was done yet.' : formatTable(rows) }
    },
  },
]
