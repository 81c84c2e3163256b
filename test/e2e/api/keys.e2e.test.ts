import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient } from '../../harness/clients/api-client.js'
import { startGateway, type StartedGateway } from '../../harness/stack/gateways.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { paraph, paraphJson } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import { until } from '../../harness/until.js'

interface Key {
  id: string
  secret: string
  expiresAt: string | null
}

let running: SharedStack
let other: StartedGateway
let accountId: string
beforeAll(async () => {
  running = await joinStack()
  other = await startGateway(running.folder)
  accountId = (await createAccount(running.folder)).accountId
})
afterAll(async () => {
  await other?.stop()
  await running?.close()
})

const command = <Printed>(...argv: string[]) => paraphJson<Printed>(running.folder, ...argv)

const newKey = async (...options: string[]): Promise<Key> =>
  (
    await command<{ key: Key }>(
      'key',
      'create',
      '--account',
      accountId,
      '--environment',
      'live',
      '--scopes',
      'contracts:read',
      ...options,
    )
  ).key

const listed = async (id: string) => {
  const { keys } = await command<{ keys: { id: string; expiresAt: string | null; lastUsedAt: string | null }[] }>(
    'key',
    'list',
    '--account',
    accountId,
  )
  return keys.find((key) => key.id === id)
}

/** The statuses of the answers of both gateways to a key. */
const statusesOf = (secret: string): Promise<number[]> =>
  Promise.all(
    [running.stack.apiUrl, other.apiUrl].map(
      async (url) => (await createApiClient(url, secret).call('GET', '/status')).status,
    ),
  )

/** Well below the 5 s for which a gateway uses a cached key if it receives no notification of the revocation. */
const AT_ONCE_MS = 2_000

it('a revoked key, and a key rotated without an overlap, stop working immediately on every gateway [D28]', async () => {
  const [revoked, rotated] = [await newKey(), await newKey()]
  for (const { secret } of [revoked, rotated]) expect(await statusesOf(secret)).toEqual([200, 200])
  await command('key', 'revoke', revoked.id)
  const both401 = async (secret: string) =>
    (await statusesOf(secret)).every((status) => status === 401) ? true : undefined
  await until('the refusal of the revoked key', () => both401(revoked.secret), AT_ONCE_MS)
  for (const { secret } of [rotated]) expect(await statusesOf(secret)).toEqual([200, 200])
  const { key, old } = await command<{ key: Key; old: { id: string } }>(
    'key',
    'rotate',
    rotated.id,
    '--overlap-days',
    '0',
  )
  await until('the refusal of the rotated key', () => both401(rotated.secret), AT_ONCE_MS)
  expect(old.id).toBe(rotated.id)
  expect(await statusesOf(key.secret)).toEqual([200, 200])
})

it('both keys work during the overlap of a rotation, and the command prints when each key expires [D28]', async () => {
  const old = await newKey('--expires-in-days', '30')
  const { stdout, code } = await paraph(
    running.folder,
    'key',
    'rotate',
    old.id,
    '--overlap-days',
    '7',
    '--expires-in-days',
    '90',
  )
  expect(code).toBe(0)
  const secret = /^paraph_live_\w+/.exec(stdout)?.[0] ?? ''
  const id = /This is the secret of key (\w+)\. It is not shown again\./.exec(stdout)?.[1] ?? ''
  const [newEnd, oldEnd] = [...stdout.matchAll(/expires at (\S+)\./g)].map(([, instant]) => instant)
  expect(await statusesOf(secret)).toEqual([200, 200])
  expect(await statusesOf(old.secret)).toEqual([200, 200])
  expect([(await listed(id))?.expiresAt, (await listed(old.id))?.expiresAt]).toEqual([newEnd, oldEnd])
  expect(Date.parse(oldEnd!)).toBeLessThan(Date.parse(old.expiresAt!))
})

it.each([
  [['key', 'rotate', 'key_x', '--overlap-days', '8'], 2, '--overlap-days'],
  [['key', 'rotate', 'key_x'], 2, '--overlap-days'],
  [['key', 'rotate', 'key_x', '--overlap-days', '1'], 1, 'There is no key with this id.'],
  [['key', 'rotate', 'key_x', '--overlap-days', '1', '--expires-in-days', 'soon'], 1, 'from 1 to 3650'],
])('the command refuses an invalid rotation with a reason: %j', async (argv, code, message) => {
  const exit = await paraph(running.folder, ...argv)
  expect(exit.code).toBe(code)
  expect(exit.stderr).toContain(message)
})

it('`key list` shows the last use of a key, even if the gateway that was called stopped within a minute [D28]', async () => {
  const key = await newKey()
  expect((await listed(key.id))?.lastUsedAt).toBeNull()
  const startedAt = Date.now()
  const { status } = await createApiClient(other.apiUrl, key.secret).call('DELETE', '/contracts', undefined)
  expectWithMessage(status, 'a valid key and a wrong method').toBe(405)
  await other.stop()
  const lastUsedAt = Date.parse(String((await listed(key.id))?.lastUsedAt))
  expect(lastUsedAt).toBeGreaterThanOrEqual(startedAt - 1_000)
  expect(lastUsedAt).toBeLessThanOrEqual(Date.now() + 1_000)
})
