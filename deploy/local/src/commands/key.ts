// `paraph key …`: keys of an account; the secret is shown once. [Authentication, D28]
import type { Command } from '../command-line.js'
import { formatTable } from '../table.js'

type Scope = 'contracts:read' | 'contracts:write'

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    purpose: 'Makes a key and prints it, once.',
    options: {
      account: { value: 'ID', required: true },
      environment: { value: 'live|test', required: true, oneOf: ['live', 'test'] },
      scopes: {
        value: 'contracts:read,contracts:write|none',
        required: true,
        oneOf: [
          'contracts:read,contracts:write',
          'contracts:write,contracts:read',
          'contracts:read',
          'contracts:write',
          'none',
        ],
      },
    },
    run: async ({ gateway }, { account: accountId = '', environment, scopes = 'none' }) => {
      const answer = await gateway.key.create.mutate({
        accountId,
        environment: environment === 'live' ? 'live' : 'test',
        scopes: scopes === 'none' ? [] : (scopes.split(',') as Scope[]),
      })
      return { answer, text: `${answer.key.secret}\nThis is key ${answer.key.id}. It is not shown again.` }
    },
  },
  {
    name: 'key list',
    purpose: 'Keys, without their secrets.',
    options: { account: { value: 'ID', required: false } },
    run: async ({ gateway }, { account }) => {
      const answer = await gateway.key.list.query(account === undefined ? {} : { accountId: account })
      const rows = answer.keys.map(({ id, environment, ...facts }) => ({
        name: id,
        value: environment,
        note: JSON.stringify(facts),
      }))
      return { answer, text: rows.length === 0 ? 'There is no key yet.' : formatTable(rows) }
    },
  },
  {
    name: 'key revoke',
    purpose: 'Ends a key at once.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.key.revoke.mutate({ id })
      return { answer, text: `Key ${answer.key.id} is revoked.` }
    },
  },
]
