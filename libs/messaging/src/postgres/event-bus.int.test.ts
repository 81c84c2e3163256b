import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import pg from 'pg'
import { expect, it, jest } from '@jest/globals'
import { describeEventBus } from '../../test/event-bus-conformance-fixture.js'
import type { ReceivedMessage, Subscription } from '../event-bus.js'
import { createPostgresEventBus } from './event-bus.js'

const logger = createLogger('test', 'silent')
const CUT =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
const PIDS = `select pid from pg_stat_activity where datname = current_database() and application_name = 'paraph g'`
const WAIT = { timeout: 20_000, interval: 5 }

describeEventBus('postgres', async () => {
  const clone = await cloneTestDatabase('bus', 'contract')
  const cutConnections = () => withClient(clone.adminUrl, async (admin) => void (await admin.query(CUT)))
  return {
    topic: 'contract.events.v1',
    openMember: () => createPostgresEventBus({ url: clone.url, logger }),
    cutConnections,
    // Advisory locks belong to the connection: a member without one owns no partition, and claims none while it is handling messages.
    kill: cutConnections,
    close: () => clone.drop(),
  }
})

it('a service appends and reads through functions only and has no access to the tables [D50]', async () => {
  const clone = await cloneTestDatabase('bus', 'notification')
  await withClient(clone.url, async (client) => {
    await client.query(`select bus.append('{t}', '{k}', '{"{}"}', '{v}')`)
    const { rows } = await client.query(
      `select m.value from bus.ends('{t}') e cross join lateral bus.read('t', e.partition, 0, 9) m where e.end_offset > 0`,
    )
    expect(rows).toEqual([{ value: 'v' }])
    for (const statement of [
      'select * from bus.message',
      `insert into bus.message values ('t', 0, 9, 'k', '{}', 'v')`,
      `update bus.partition set end_offset = 0`,
      'delete from bus.message',
      'delete from bus.group_position',
      'update bus.setting set retention_days = 1',
      'truncate bus.message',
      `select bus.partition_of('k')`,
      'create table bus.mine ()',
    ]) {
      await expectWithMessage(client.query(statement), statement).rejects.toThrow('permission denied')
    }
  })
  await clone.drop()
})

it('the bus assigns offsets in commit order: a reader never sees a gap that is filled later [D50]', async () => {
  const clone = await cloneTestDatabase('bus', 'contract')
  const slow = new pg.Client({ connectionString: clone.url })
  await slow.connect()
  await slow.query('begin')
  await slow.query(`select bus.append('{t}', '{k}', '{"{}"}', '{slow}')`)
  const bus = createPostgresEventBus({ url: clone.url, logger })
  let published = false
  const fast = bus.publish([{ topic: 't', key: 'k', headers: {}, value: 'fast' }]).then(() => (published = true))
  await withClient(clone.adminUrl, (admin) =>
    waitFor(
      async () => {
        const { rows } = await admin.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 10_000 },
    ),
  )
  expect(published).toBe(false)
  await slow.query('commit')
  await fast
  const seen: ReceivedMessage[] = []
  const subscription = bus.subscribe({
    group: 'g',
    topics: ['t'],
    handle: async (messages) => void seen.push(...messages),
  })
  await waitFor(
    () =>
      expect(seen.map((message) => [message.offset, message.value])).toEqual([
        ['0', 'slow'],
        ['1', 'fast'],
      ]),
    { timeout: 10_000 },
  )
  await subscription.stop()
  await bus.close()
  await slow.end()
  await clone.drop()
})

it('members share the partitions of each topic while they come and go, and handle each message once and in the order of its key [D50, P5]', async () => {
  const clone = await cloneTestDatabase('bus', 'contract')
  const bus = createPostgresEventBus({ url: clone.url, logger })
  const topics = ['t', 'u']
  const handled = new Map<string, number[]>()
  const join = () =>
    bus.subscribe({
      group: 'g',
      topics,
      handle: async (messages) => {
        for (const { topic, key, value } of messages) {
          await sleep(1)
          const values = handled.get(topic + key) ?? []
          values.push(Number(value))
          handled.set(topic + key, values)
        }
      },
    })
  /** Of each topic: the number of partitions of each member, the largest first. */
  const owned = (...members: Subscription[]) =>
    topics.map((topic) =>
      members
        .map((member) => member.progress().filter((partition) => partition.topic === topic).length)
        .toSorted((a, b) => b - a),
    )
  let isOver = false
  const publishing = (async () => {
    const keys = Array.from({ length: 16 }, (_, index) => `k${index}`)
    for (let round = 0; ; round += 1) {
      if (isOver) return { keys, whole: Array.from({ length: round }, (_, before) => before) }
      // The members keep up.
      await sleep(20)
      await bus.publish(
        topics.flatMap((topic) => keys.map((key) => ({ topic, key, headers: {}, value: String(round) }))),
      )
    }
  })()
  const first = join()
  await waitFor(() => expect(owned(first)).toEqual([[8], [8]]), WAIT)
  const second = join()
  await waitFor(() => expect(owned(first, second)).toEqual(Array(2).fill([4, 4])), WAIT)
  const third = join()
  await waitFor(() => expect(owned(first, second, third)).toEqual(Array(2).fill([3, 3, 2])), WAIT)
  await second.stop()
  await waitFor(() => expect(owned(first, third)).toEqual(Array(2).fill([4, 4])), WAIT)
  isOver = true
  const { keys, whole } = await publishing
  const expected = Object.fromEntries(topics.flatMap((topic) => keys.map((key) => [topic + key, whole])))
  await waitFor(() => expect(Object.fromEntries(handled)).toEqual(expected), WAIT)
  await Promise.all([first.stop(), third.stop()])
  await bus.close()
  await clone.drop()
})

it('the bus logs a failure once, even if only reading fails, and recovers without a restart [F1]', async () => {
  const clone = await cloneTestDatabase('bus', 'contract')
  const changeRight = (change: 'revoke' | 'grant') =>
    withClient(clone.ownerUrl, async (owner) => {
      const reading = 'execute on function bus.read(text, smallint, bigint, integer)'
      const role = new URL(clone.url).username
      await owner.query(change === 'revoke' ? `revoke ${reading} from ${role}` : `grant ${reading} to ${role}`)
    })
  const spiedLogger = createLogger('test', 'silent')
  const [warn, info] = [jest.spyOn(spiedLogger, 'warn'), jest.spyOn(spiedLogger, 'info')]
  await changeRight('revoke')
  const bus = createPostgresEventBus({ url: clone.url, logger: spiedLogger })
  const pids = new Set<number>()
  const seen: (string | null)[] = []
  const subscription = bus.subscribe({
    group: 'g',
    topics: ['t'],
    handle: async (messages) => void seen.push(...messages.map(({ value }) => value)),
  })
  await bus.publish([{ topic: 't', key: 'k', headers: {}, value: 'v' }])
  await waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 10_000 })
  // Waits until several more attempts have failed.
  await withClient(clone.ownerUrl, (owner) =>
    waitFor(async () => {
      const { rows } = await owner.query<{ pid: number }>(PIDS)
      rows.forEach(({ pid }) => pids.add(pid))
      expect(pids.size).toBeGreaterThan(3)
    }, WAIT),
  )
  await changeRight('grant')
  await waitFor(() => expect(seen).toEqual(['v']), { timeout: 10_000 })
  await waitFor(() => expect(info).toHaveBeenCalledTimes(1), { timeout: 10_000 })
  await subscription.stop()
  expect(warn.mock.calls).toEqual([[expect.anything(), expect.stringContaining('bus unavailable')]])
  await bus.close()
  await clone.drop()
})

it('the bus prunes messages past the retention, which a row configures, and continues at the oldest one left', async () => {
  const clone = await cloneTestDatabase('bus', 'contract')
  const bus = createPostgresEventBus({ url: clone.url, logger })
  await bus.publish(['old', 'new'].map((value) => ({ topic: 't', key: 'k', headers: {}, value })))
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query(`update bus.message set published_at = now() - interval '31 days' where value = 'old'`)
  })
  await withClient(clone.url, async (client) => {
    expect((await client.query(`select bus.prune('{t}')::int as pruned`)).rows).toEqual([{ pruned: 1 }])
    expect((await client.query(`select bus.prune('{t}')::int as pruned`)).rows).toEqual([{ pruned: 0 }])
  })
  const waiting = async () => (await bus.backlog('nobody yet', ['t'])).reduce((sum, each) => sum + each.waiting, 0)
  expect(await waiting()).toBe(1)
  const seen: (string | null)[] = []
  const subscription = bus.subscribe({
    group: 'g',
    topics: ['t'],
    handle: async (messages) => void seen.push(...messages.map(({ value }) => value)),
  })
  await waitFor(() => expect(seen).toEqual(['new']), { timeout: 10_000 })
  await subscription.stop()
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query(`update bus.message set published_at = now() - interval '31 days'; select bus.prune('{t}')`)
  })
  expect(await waiting()).toBe(0)
  await bus.close()
  await clone.drop()
})
