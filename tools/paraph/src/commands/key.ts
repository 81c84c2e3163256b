// `paraph key …`: the keys of an account. A secret is shown once. [Authentication, D28]
import type { Command } from '../command-line.js'
import { formatTable } from '../table.js'

type Scope = 'contracts:read' | 'contracts:write'

const expiresInDays = { 'expires-in-days': { value: '1..3650', required: false } } as const

/** The number, or the text itself, which the gateway then refuses. */
const lifeOf = (values: Readonly<Record<string, string>>) =>
  values['expires-in-days'] === undefined ? {} : { expiresInDays: Number(values['expires-in-days']) }

const shownOnce = ({
  id,
  secret,
  expiresAt,
}: {
  id: string
  secret: string
  expiresAt: Date | string | null
}): string =>
  `${secret}\nThis is key ${id}. It is not shown again.${expiresAt ? ` It ends at ${instantOf(expiresAt)}.` : ''}`

const instantOf = (instant: Date | string): string => new Date(instant).toISOString()

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    purpose: 'Creates a key and prints it once.',
    options: {
      account: { value: 'ID', required: true },
      environment: { value: 'live|test', required: true, oneOf: ['live', 'test'] },
      scopes: {
        value: 'contracts:read,contracts:write|none',
        required: false,
        oneOf: [
          'contracts:read,contracts:write',
          'contracts:write,contracts:read',
          'contracts:read',
          'contracts:write',
          'none',
        ],
      },
      ...expiresInDays,
    },
    run: async ({ gateway }, { account: accountId = '', environment, scopes, ...values }) => {
      const answer = await gateway.key.create.mutate({
        accountId,
        environment: environment === 'live' ? 'live' : 'test',
        // Without the option: both, as for a default key.
        ...(scopes === undefined ? {} : { scopes: scopes === 'none' ? [] : (scopes.split(',') as Scope[]) }),
        ...lifeOf(values),
      })
      return { answer, text: shownOnce(answer.key) }
    },
  },
  {
    name: 'key rotate',
    purpose: 'Replaces a key by a new one and prints it once. The old key keeps working for the given days.',
    options: {
      id: { value: 'ID', required: true },
      'overlap-days': { value: '0..7', required: true, oneOf: ['0', '1', '2', '3', '4', '5', '6', '7'] },
      ...expiresInDays,
    },
    run: async ({ gateway }, { id = '', ...values }) => {
      const overlapDays = Number(values['overlap-days'])
      const answer = await gateway.key.rotate.mutate({ id, overlapDays, ...lifeOf(values) })
      return { answer, text: `${shownOnce(answer.key)}\nKey ${id} ends at ${instantOf(answer.old.expiresAt)}.` }
    },
  },
  {
    name: 'key list',
    purpose: 'Lists keys without their secrets.',
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
    purpose: 'Revokes a key immediately.',
    options: { id: { value: 'ID', required: true } },
    run: async ({ gateway }, { id = '' }) => {
      const answer = await gateway.key.revoke.mutate({ id })
      return { answer, text: `Key ${answer.key.id} is revoked.` }
    },
  },
]
