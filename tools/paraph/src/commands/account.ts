// `paraph account …`: who may use this installation, and on which tier. [Authentication, D10]
import type { Command } from '../command-line.js'
import { factsOf, formatTable } from '../table.js'

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    purpose: 'Makes an approved account with a granted subscription.',
    options: {
      name: { value: 'NAME', required: true },
      email: { value: 'ADDRESS', required: true },
      tier: { value: 'TIER', required: true },
    },
    run: async ({ gateway }, { name = '', email = '', tier = '' }) => {
      const answer = await gateway.account.create.mutate({ name, email, tier })
      return { answer, text: `Account ${answer.account.id} is made, on the tier ${answer.account.tier}.` }
    },
  },
  {
    name: 'account list',
    purpose: 'Every account.',
    options: {},
    run: async ({ gateway }) => {
      const answer = await gateway.account.list.query()
      const rows = answer.accounts.map(({ id, name, tier }) => ({ name: id, value: name, note: tier ?? 'no plan' }))
      return { answer, text: rows.length === 0 ? 'There is no account yet.' : formatTable(rows) }
    },
  },
  {
    name: 'account show',
    purpose: 'One account.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.account.show.query({ id })
      return { answer, text: formatTable(factsOf(answer.account)) }
    },
  },
  {
    name: 'account rename',
    purpose: 'Gives an account another approved name; owners choose only the sender.',
    options: { id: { value: 'ID', required: true }, name: { value: 'NAME', required: true } },
    run: async ({ gateway }, { id = '', name = '' }) => {
      const answer = await gateway.account.rename.mutate({ id, name })
      return { answer, text: `Account ${answer.account.id} is called ${answer.account.name} now.` }
    },
  },
  {
    name: 'account suspend',
    purpose: 'Keys answer 403 and share links say that the contract is on hold, until it is resumed.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.account.suspend.mutate({ id })
      return { answer, text: `Account ${answer.account.id} is suspended. Nothing of it can be signed now.` }
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
