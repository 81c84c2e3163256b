// `paraph key …`: create, rotate, list and revoke the keys of an account. The secret of a key is shown once. [Authentication, D28]
import { callCommand, ID, needed, type Command } from '../command.js'
import { formatList, minuteOf } from '../table.js'

const SCOPES = ['contracts:read', 'contracts:write'] as const
type Scope = (typeof SCOPES)[number]
const expiresInDays = { 'expires-in-days': { value: '1..3650' } } as const

/** A number of days. The gateway refuses NaN, the result of a text that has anything but digits. */
const daysOf = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/** The lifetime in days. */
const lifeOf = ({ 'expires-in-days': days }: { 'expires-in-days': string | undefined }) =>
  days === undefined ? {} : { expiresInDays: daysOf(days) }

const shownOnce = ({ id, secret, expiresAt }: { id: string; secret: string; expiresAt: Instant }) =>
  `${secret}\nThis is the secret of key ${id}. It is not shown again.${expiresAt ? ` The key expires at ${instantOf(expiresAt)}.` : ''}`

type Instant = Date | string | null

function stateOf({ revokedAt, expiresAt }: { revokedAt: Instant; expiresAt: Instant }): string {
  if (revokedAt !== null) return `revoked ${minuteOf(revokedAt)}`
  if (expiresAt === null) return 'active'
  return `${new Date(expiresAt) > new Date() ? 'expires' : 'expired'} ${minuteOf(expiresAt)}`
}

const instantOf = (instant: Date | string): string => new Date(instant).toISOString()

export const keyCommands: readonly Command[] = [
  callCommand({
    name: 'key create',
    purpose: 'Creates a key and prints its secret, which is not shown again.',
    options: {
      account: needed('ID'),
      environment: { ...needed('live|test'), oneOf: ['live', 'test'] },
      scopes: {
        value: 'contracts:read,contracts:write|none',
        oneOf: [SCOPES.join(), SCOPES.toReversed().join(), ...SCOPES, 'none'],
      },
      ...expiresInDays,
    },
    call: ({ gateway }, { account: accountId, environment, scopes, ...values }) =>
      gateway.key.create.mutate({
        accountId,
        environment: environment === 'live' ? 'live' : 'test',
        // Without the option, the gateway gives the key both scopes.
        ...(scopes === undefined ? {} : { scopes: scopes === 'none' ? [] : (scopes.split(',') as Scope[]) }),
        ...lifeOf(values),
      }),
    text: ({ key }) => shownOnce(key),
  }),
  callCommand({
    name: 'key rotate',
    purpose:
      'Replaces a key by a new one and prints the new secret, which is not shown again. The old key works for the given days.',
    operand: ID,
    options: {
      'overlap-days': { ...needed('0..7'), oneOf: ['0', '1', '2', '3', '4', '5', '6', '7'] },
      ...expiresInDays,
    },
    call: ({ gateway }, { id, 'overlap-days': days, ...values }) =>
      gateway.key.rotate.mutate({ id, overlapDays: daysOf(days), ...lifeOf(values) }),
    text: ({ key, old }) => `${shownOnce(key)}\nKey ${old.id} expires at ${instantOf(old.expiresAt)}.`,
  }),
  callCommand({
    name: 'key list',
    purpose: 'Lists the keys of one account or of all, without their secrets.',
    options: { account: { value: 'ID' } },
    call: ({ gateway }, { account }) => gateway.key.list.query(account === undefined ? {} : { accountId: account }),
    text: ({ keys }) =>
      formatList(
        ['Key', 'Kind', 'Scopes', 'Last used (UTC)', 'State', 'Name', 'Account'],
        keys.map((key) => [
          key.id,
          key.environment,
          key.scopes.map((scope) => scope.replace('contracts:', '')).join(', ') || 'none',
          minuteOf(key.lastUsedAt) ?? 'never',
          stateOf(key),
          key.name,
          key.accountId,
        ]),
        'There is no key yet.',
      ),
  }),
  callCommand({
    name: 'key revoke',
    purpose: 'Revokes a key immediately.',
    operand: ID,
    options: {},
    call: ({ gateway }, { id }) => gateway.key.revoke.mutate({ id }),
    text: ({ key }) => `Key ${key.id} is revoked.`,
  }),
]
