import { randomUUID } from 'node:crypto'
import { createDatabase } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { Kafka, logLevel, PartitionAssigners } from 'kafkajs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { BusMessage, EventBus } from '../event-bus.js'
import { createInboxTables } from '../inbox.js'
import { startKafkaBroker, type KafkaBroker } from '../../test/kafka-broker-fixture.js'
import { createKafkaEventBus } from './event-bus.js'
import { startMember, type Member } from '../../test/kafka-member-fixture.js'
import { createKafkaProxy } from '../../test/kafka-proxy-fixture.js'

const logger = createLogger('test', 'silent')
/** The number of the request by which a member gets its partitions, in the protocol of Kafka. */
const SYNC_GROUP = 14
const WAIT = { timeout: 30_000, interval: 20 }
const proxy = createKafkaProxy()
const endings: (() => Promise<unknown>)[] = []
let kafka: KafkaBroker

beforeAll(async () => {
  kafka = await startKafkaBroker({ proxy: proxy.listen })
}, 120_000)
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(async () => {
  await kafka.stop()
  await proxy.close()
})

it('the bus delivers every message although a broker is killed and returns, or freezes [F1]', async () => {
  const topic = await newTopic()
  const bus = openBus()
  const fatal: Error[] = []
  const consuming = openBus((error) => fatal.push(error))
  const seen: string[] = []
  const subscription = consuming.subscribe({
    group: topic,
    topics: [topic],
    handle: async (messages) => void seen.push(...messages.map(({ value }) => String(value))),
  })
  endings.push(() => subscription.stop())
  await subscription.joined

  let sent = 0
  let publishing = true
  const longestMs = { rejected: 0 }
  const publisher = (async () => {
    while (publishing) {
      const batch = [0, 1, 2].map(() => message(topic, `k${sent % 5}`, String(sent++)))
      await untilTaken(bus, batch, longestMs)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  await waitFor(() => expect(seen.length).toBeGreaterThan(20), WAIT)

  await kafka.kill()
  await waitFor(() => expect(subscription.progress()).toEqual([]), WAIT)
  await kafka.restart()
  const afterKill = sent
  await waitFor(() => expect(seen.map(Number)).toContain(afterKill + 10), WAIT)
  await waitFor(() => expect(subscription.progress().length).toBe(8), WAIT)

  kafka.freeze()
  await waitFor(() => expect(subscription.progress()).toEqual([]), WAIT)
  kafka.thaw()
  const afterThaw = sent
  await waitFor(() => expect(seen.map(Number)).toContain(afterThaw + 10), WAIT)

  publishing = false
  await publisher
  await waitFor(() => expect(new Set(seen).size).toBe(sent), WAIT)
  expect(firstCopiesAreInOrder(seen, (value) => `k${value % 5}`)).toBe(true)
  expect(fatal).toEqual([])
  // The relay's loop waits for this call, and counts as stuck after three minutes. [H11]
  expect(longestMs.rejected).toBeLessThan(60_000)
}, 120_000)

async function untilTaken(bus: EventBus, batch: BusMessage[], longestMs: { rejected: number }): Promise<void> {
  for (;;) {
    const beganAtMs = performance.now()
    try {
      return await bus.publish(batch)
    } catch {
      longestMs.rejected = Math.max(longestMs.rejected, performance.now() - beganAtMs)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

it('the publisher neither loses nor repeats a batch after a lost acknowledgement, whether the next batch is the same or another [F2]', async () => {
  const topics = { same: await newTopic(), other: await newTopic() }
  const bus = { same: openBus(), other: openBus() }
  const batch = (topic: string, value: string) => [message(topic, 'k', value)]
  await Promise.all([bus.same.publish(batch(topics.same, '1')), bus.other.publish(batch(topics.other, '1'))])
  proxy.swallowAnswers(true)
  await Promise.all([
    expect(bus.same.publish(batch(topics.same, '2'))).rejects.toThrow('No broker'),
    expect(bus.other.publish(batch(topics.other, '2'))).rejects.toThrow('No broker'),
  ])
  proxy.swallowAnswers(false)
  proxy.cut()
  await waitFor(() => bus.same.publish(batch(topics.same, '2')), WAIT)
  // A batch of the same size with the same sequence number: the broker would drop it as a duplicate.
  await waitFor(() => bus.other.publish(batch(topics.other, '3')), WAIT)
  expect(await valuesOf(topics.same)).toEqual(['1', '2'])
  expect(await valuesOf(topics.other)).toEqual(['1', '2', '3'])
}, 60_000)

it('a service stops in time while the broker is frozen, with events in flight in both directions [F1, H13]', async () => {
  const topic = await newTopic()
  const bus = openBus()
  const taken = Promise.withResolvers<void>()
  const handle = () => {
    taken.resolve()
    return new Promise<never>(() => undefined)
  }
  const subscription = bus.subscribe({ group: topic, topics: [topic], handle })
  await bus.publish([message(topic, 'k', '1')])
  await taken.promise
  kafka.freeze()
  endings.push(async () => kafka.thaw())
  const published = bus.publish([message(topic, 'k', '2')]).catch(() => undefined)
  const beganAtMs = performance.now()
  await subscription.stop()
  await bus.close()
  const tookMs = performance.now() - beganAtMs
  kafka.thaw()
  await published
  await waitFor(newTopic, WAIT)
  // A service has 10 s to stop, including closing its pools.
  expect(tookMs).toBeLessThan(7_000)
}, 60_000)

it('a consumer handles all messages of a recreated topic, even if its old offset is higher [D50]', async () => {
  const topic = await newTopic()
  const bus = openBus()
  const seen: string[] = []
  const fatal: Error[] = []
  const subscription = openBus((error) => fatal.push(error)).subscribe({
    group: topic,
    topics: [topic],
    handle: async (messages) => void seen.push(...messages.map(({ value }) => String(value))),
  })
  endings.push(() => subscription.stop())
  const values = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n}`)
  await bus.publish(values('old', 20).map((value) => message(topic, 'k', value)))
  await waitFor(() => expect(seen).toHaveLength(20), WAIT)
  await kafka.admin.deleteTopics({ topics: [topic] })
  await waitFor(() => kafka.createTopics(topic), WAIT)
  const anew = openBus()
  const batch = values('new', 3).map((value) => message(topic, 'k', value))
  await waitFor(() => anew.publish(batch), WAIT)
  await waitFor(() => expect(seen).toEqual(expect.arrayContaining(values('new', 3))), WAIT)
  await waitFor(() => expect(subscription.progress().filter(({ behind }) => behind)).toEqual([]), WAIT)
  expect(fatal).toEqual([])
}, 90_000)

it('another member takes over the partitions of a killed member and handles the remaining messages', async () => {
  const topic = await newTopic()
  const bus = openBus()
  const first = await member({ topic, group: topic })
  const batch = (from: number) => Array.from({ length: 50 }, (_, n) => message(topic, `k${n % 7}`, String(from + n)))
  await bus.publish(batch(0))
  await waitFor(() => expect(first.handled()).toHaveLength(50), WAIT)
  const second = await member({ topic, group: topic })
  await first.end('SIGKILL')
  await bus.publish(batch(50))
  await waitFor(
    () => expect(values(second)).toEqual(expect.arrayContaining(Array.from({ length: 50 }, (_, n) => 50 + n))),
    WAIT,
  )
  expect(firstCopiesAreInOrder(values(second), (value) => `k${(value % 50) % 7}`)).toBe(true)
}, 60_000)

it('a stopping consumer leaves its group: another member takes over before the session timeout', async () => {
  const topic = await newTopic()
  const bus = openBus()
  const first = await member({ topic, group: topic })
  await bus.publish([message(topic, 'k', '1')])
  await waitFor(() => expect(first.handled()).toHaveLength(1), WAIT)
  const second = await member({ topic, group: topic })
  await waitFor(async () => expect((await members(topic)).length).toBe(2), WAIT)
  await first.end('SIGTERM')
  expect(await first.ended).toBe(0)
  await bus.publish(Array.from({ length: 20 }, (_, n) => message(topic, `k${n}`, String(n))))
  await waitFor(() => expect(new Set(values(second)).size).toBe(20), { timeout: 8_000, interval: 10 })
}, 60_000)

it('a member whose join failed after a rebalance joins again, and handles its new partitions [D50, F1]', async () => {
  const topic = await newTopic()
  const seen: string[] = []
  const join = async (clientId = randomUUID()): Promise<void> => {
    const handle = async (messages: readonly { value: string | null }[]) =>
      void seen.push(...messages.map(({ value }) => String(value)))
    const subscription = openBus(undefined, clientId).subscribe({ group: topic, topics: [topic], handle })
    endings.push(() => subscription.stop())
    await subscription.joined
  }
  // The first member leads the group: it decides who gets which partitions.
  await join()
  const unlucky = randomUUID()
  await join(unlucky)
  proxy.loseAnswer(unlucky, SYNC_GROUP)
  await join()
  await openBus().publish(Array.from({ length: 60 }, (_, n) => message(topic, `k${n}`, String(n))))
  await waitFor(() => expect(new Set(seen).size).toBe(60), WAIT)
}, 60_000)

it('a consumer survives every kind of bad message or handler, with the production defaults of kafkajs [D49, F11]', async () => {
  const topic = 'contract.events.v1'
  await kafka.createTopics({ topic, numPartitions: 1 })
  const clone = await database()
  const poisoned = await member({ topic, group: 'poisoned', databaseUrl: clone.url, stallMs: 2_000 })
  const ids = ['type-error', 'syntax-error', 'range-error', 'always-fails']
  const bad = [null, '{"specversion":', '', '42', ...ids.map(eventJson)]
  await openBus().publish([...bad, eventJson('next')].map((value) => message(topic, 'k', value)))
  await withClient(clone.url, async (client) => {
    const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows
    await waitFor(async () => expect(await rows('select event_id from effect')).toEqual([{ event_id: 'next' }]), WAIT)
    expect(await rows('select message_offset::int as o, attempts from dead_letter order by 1')).toEqual(
      bad.map((_, o) => ({ o, attempts: o < 4 ? 1 : 5 })),
    )
    // No metric of Kafka shows a hanging handler; the consumer's progress does. [H9]
    expect(await poisoned.liveness()).toBe(200)
    await openBus().publish([message(topic, 'k', eventJson('frozen'))])
    await waitFor(async () => expect(await poisoned.liveness()).toBe(503), WAIT)
    expect(await members('poisoned')).toHaveLength(1)
  })
})

it('the process exits with 1 when kafkajs gives up a consumer permanently', async () => {
  const topic = await newTopic()
  const foreign = new Kafka({ brokers: kafka.brokers, logLevel: logLevel.NOTHING }).consumer({
    groupId: topic,
    // A member with another assignment protocol than the current members is refused, a permanent error.
    partitionAssigners: [
      (config) => ({
        ...PartitionAssigners.roundRobin(config),
        name: 'another',
        protocol: () => ({ name: 'another', metadata: Buffer.alloc(0) }),
      }),
    ],
  })
  endings.push(() => foreign.disconnect())
  await foreign.connect()
  await foreign.subscribe({ topic })
  await foreign.run({ eachMessage: async () => undefined })
  const hopeless = await member({ topic, group: topic })
  expect(await hopeless.ended).toBe(1)
  expect(hopeless.output()).toContain(
    `The consumer of the group ${topic} cannot go on. The brokers refused this: INCONSISTENT_GROUP_PROTOCOL`,
  )
})

function openBus(onFatal?: (error: Error) => void, clientId: string = randomUUID()): EventBus {
  const connection = { brokers: kafka.brokers, clientId }
  const bus = createKafkaEventBus({ connection, logger, ...(onFatal ? { onFatal } : {}) })
  endings.push(() => bus.close())
  return bus
}

async function member(settings: {
  topic: string
  group: string
  databaseUrl?: string
  stallMs?: number
}): Promise<Member> {
  const started = await startMember({ connection: { brokers: kafka.brokers }, ...settings })
  endings.push(() => started.end('SIGKILL'))
  return started
}

async function database(): Promise<TestDatabase> {
  const clone = await cloneTestDatabase('bus')
  endings.push(() => clone.drop())
  const owner = new pg.Pool({ connectionString: clone.ownerUrl, max: 1 })
  await createInboxTables(createDatabase<unknown>(owner))
  await owner.query('create table effect (event_id text, subject text)')
  await owner.end()
  return clone
}

async function newTopic(): Promise<string> {
  const topic = `topic-${randomUUID()}`
  await kafka.createTopics(topic)
  return topic
}

const message = (topic: string, key: string, value: string | null): BusMessage => ({ topic, key, headers: {}, value })

const values = (of: Member): number[] => of.handled().map(({ value }) => Number(value))

async function members(group: string): Promise<unknown[]> {
  const { groups } = await kafka.admin.describeGroups([group])
  return groups[0]?.members ?? []
}

/** The values of all messages of the topic, read by a new group. Messages of one key keep their order. */
async function valuesOf(topic: string): Promise<(string | null)[]> {
  const found: (string | null)[] = []
  const bus = openBus()
  const offsets = await kafka.admin.fetchTopicOffsets(topic)
  const count = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const subscription = bus.subscribe({
    group: randomUUID(),
    topics: [topic],
    handle: async (messages) => void found.push(...messages.map(({ value }) => value)),
  })
  await waitFor(() => expect(found.length).toBe(count), WAIT)
  await subscription.stop()
  return found
}

function firstCopiesAreInOrder(seen: readonly (string | number)[], keyOf: (value: number) => string): boolean {
  const last = new Map<string, number>()
  return [...new Set(seen)].map(Number).every((value) => {
    const key = keyOf(value)
    const isInOrder = value > (last.get(key) ?? -1)
    last.set(key, value)
    return isInOrder
  })
}

function eventJson(id: string): string {
  const at = '2026-11-20T14:03:00.000Z'
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: '/contract',
    type: 'contract.expired',
    subject: 'k',
    time: at,
    datacontenttype: 'application/json',
    sequence: '1',
    data: { contractId: 'k', accountId: 'a', environment: 'sandbox', at },
  })
}
