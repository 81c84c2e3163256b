// `paraph account …`: the accounts of this installation and their tiers. [Authentication, D10]
import type { Command } from '../command-line.js'
import { rowsOf, formatTable } from '../table.js'

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    purpose: 'Creates an approved account with a granted subscription.',
    options: {
      name: { value: 'NAME', required: true },
      email: { value: 'ADDRESS', required: true },
      tier: { value: 'TIER', required: true },
    },
    run: async ({ gateway }, { name = '', email = '', tier = '' }) => {
      const answer = await gateway.account.create.mutate({ name, email, tier })
      return { answer, text: `Created account ${answer.account.id} on the tier ${answer.account.tier}.` }
    },
  },
  {
    name: 'account list',
    purpose: 'Lists all accounts.',
    options: {},
    run: async ({ gateway }) => {
      const answer = await gateway.account.list.query()
      const rows = answer.accounts.map(({ id, name, tier }) => ({ name: id, value: name, note: tier ?? 'no plan' }))
      return { answer, text: rows.length === 0 ? 'There is no account yet.' : formatTable(rows) }
    },
  },
  {
    name: 'account show',
    purpose: 'Shows one account.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.account.show.query({ id })
      return { answer, text: formatTable(rowsOf(answer.account)) }
    },
  },
  {
    name: 'account rename',
    purpose: 'Changes the approved name of an account. Owners choose only the sender.',
    options: { id: { value: 'ID', required: true }, name: { value: 'NAME', required: true } },
    run: async ({ gateway }, { id = '', name = '' }) => {
      const answer = await gateway.account.rename.mutate({ id, name })
      return { answer, text: `Account ${answer.account.id} is now called ${answer.account.name}.` }
    },
  },
  {
    name: 'account suspend',
    purpose:
      'Suspends an account: its keys answer 403, and its share links say that the contract is on hold, until it is resumed.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.account.suspend.mutate({ id })
      return { answer, text: `Account ${answer.account.id} is suspended. Its contracts cannot be signed now.` }
    },
  },
  {
    name: 'account resume',
    purpose: 'Ends a suspension.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.account.resume.mutate({ id })
      return { answer, text: `Account ${answer.account.id} is active again.` }
    },
  },
]
