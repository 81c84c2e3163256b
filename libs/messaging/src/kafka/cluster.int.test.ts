import { randomUUID } from 'node:crypto'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import type { BusMessage, EventBus } from '../event-bus.js'
import { startKafkaBroker, type KafkaBroker } from '../../test/kafka-broker-fixture.js'
import { createKafkaEventBus } from './event-bus.js'

const logger = createLogger('test', 'silent')
const WAIT = { timeout: 60_000, interval: 50 }
const endings: (() => Promise<unknown>)[] = []
let kafka: KafkaBroker
let second: Awaited<ReturnType<KafkaBroker['addBroker']>>

beforeAll(async () => {
  kafka = await startKafkaBroker()
  second = await kafka.addBroker()
}, 120_000)
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})
afterAll(() => kafka.stop())

it('consumers receive messages in order per key while the leader of half the partitions is killed and restarted [F1]', async () => {
  const topic = await newTopic(4)
  const fatal: Error[] = []
  const seen: string[] = []
  const subscription = openBus((error) => fatal.push(error)).subscribe({
    group: topic,
    topics: [topic],
    handle: async (messages) => void seen.push(...messages.map(({ key, value }) => `${key} ${value}`)),
  })
  endings.push(() => subscription.stop())
  await subscription.joined
  const bus = openBus()
  const keys = Array.from({ length: 16 }, (_, n) => `k${n}`)
  let rounds = 0
  const publish = async () => {
    const batch = keys.map((key) => ({ topic, key, headers: {}, value: String(rounds) }))
    await untilTaken(bus, batch)
    rounds += 1
  }
  const publishMore = async (count: number) => {
    for (const until = rounds + count; rounds < until;) await publish()
    await waitFor(() => expect(new Set(seen).size).toBe(rounds * keys.length), WAIT)
  }
  await publishMore(10)
  expect(await leaders(topic)).toEqual([1, 2])
  await second.kill()
  await publishMore(10)
  expect(await leaders(topic)).toEqual([1])
  await second.restart()
  await publishMore(10)

  const ofKey = Map.groupBy(new Set(seen), (each) => each.split(' ')[0] ?? '')
  for (const each of ofKey.values()) {
    const order = each.map((one) => Number(one.split(' ')[1]))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
  expect(fatal).toEqual([])
}, 180_000)

it('every acknowledged message is stored when partitions move to another broker during publishing [F2]', async () => {
  const topic = await newTopic(8)
  const acknowledged: string[] = []
  let publishing = true
  const publishers = Array.from({ length: 6 }, async (_, publisher) => {
    const bus = openBus()
    for (let round = 0; publishing; round++) {
      const values = Array.from({ length: 16 }, (_, n) => `${publisher} ${round} ${n}`)
      await untilTaken(
        bus,
        values.map((value, n) => ({ topic, key: `k${n}`, headers: {}, value })),
      )
      acknowledged.push(...values)
    }
  })
  const more = async () => {
    const from = acknowledged.length
    await waitFor(() => expect(acknowledged.length).toBeGreaterThan(from + 500), WAIT)
  }
  await more()
  // During a controlled shutdown the broker hands over its partitions and keeps answering until they have moved.
  await second.shutDown()
  expect(await leaders(topic)).toEqual([1])
  await more()
  publishing = false
  await Promise.all(publishers)
  await second.restart()
  const stored = await valuesOf(topic)
  expect(acknowledged.filter((value) => !stored.has(value))).toEqual([])
}, 180_000)

it('the publisher acknowledges nothing while too few replicas are in sync, reports it, and recovers without a restart [F2]', async () => {
  const topic = `topic-${randomUUID()}`
  await kafka.createTopics({
    topic,
    numPartitions: -1,
    replicationFactor: -1,
    replicaAssignment: [{ partition: 0, replicas: [1, 2] }],
    configEntries: [{ name: 'min.insync.replicas', value: '2' }],
  })
  const bus = openBus()
  const batch = (value: string): BusMessage[] => [{ topic, key: 'k', headers: {}, value }]
  await untilTaken(bus, batch('1'))
  await second.kill()
  await waitFor(() => expect(bus.publish(batch('2'))).rejects.toThrow('Too few copies'), WAIT)
  expect(await highest(topic)).toBe(1)
  await second.restart()
  await untilTaken(bus, batch('2'))
  expect(await highest(topic)).toBe(2)
}, 180_000)

function openBus(onFatal?: (error: Error) => void): EventBus {
  const connection = { brokers: kafka.brokers, clientId: randomUUID() }
  const bus = createKafkaEventBus({ connection, logger, ...(onFatal ? { onFatal } : {}) })
  endings.push(() => bus.close())
  return bus
}

/** Creates a topic with two replicas of each partition; the second broker leads every second partition. */
async function newTopic(partitions: number): Promise<string> {
  const topic = `topic-${randomUUID()}`
  const replicaAssignment = Array.from({ length: partitions }, (_, partition) => ({
    partition,
    replicas: partition % 2 === 0 ? [1, 2] : [2, 1],
  }))
  await kafka.createTopics({ topic, numPartitions: -1, replicationFactor: -1, replicaAssignment })
  return topic
}

/** The values of all messages of the topic. */
async function valuesOf(topic: string): Promise<Set<string | null>> {
  const offsets = await kafka.admin.fetchTopicOffsets(topic)
  const count = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0)
  const found: (string | null)[] = []
  const subscription = openBus().subscribe({
    group: randomUUID(),
    topics: [topic],
    handle: async (messages) => void found.push(...messages.map(({ value }) => value)),
  })
  await waitFor(() => expect(found.length).toBeGreaterThanOrEqual(count), WAIT)
  await subscription.stop()
  return new Set(found)
}

/** Repeats the same batch until the bus accepts it, like the relay. */
async function untilTaken(bus: EventBus, batch: BusMessage[]): Promise<void> {
  await waitFor(() => bus.publish(batch), WAIT)
}

async function leaders(topic: string): Promise<number[]> {
  const { topics } = await kafka.admin.fetchTopicMetadata({ topics: [topic] })
  return [...new Set(topics[0]?.partitions.map(({ leader }) => leader))].toSorted()
}

async function highest(topic: string): Promise<number> {
  return Number((await kafka.admin.fetchTopicOffsets(topic))[0]?.high)
}
