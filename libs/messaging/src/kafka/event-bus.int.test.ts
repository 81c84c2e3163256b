import { randomUUID } from 'node:crypto'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { describeEventBus } from '../../test/event-bus-conformance-fixture.js'
import type { EventBus, Subscription } from '../event-bus.js'
import { startKafkaBroker, type KafkaBroker } from '../../test/kafka-broker-fixture.js'
import type { KafkaConnection } from './client.js'
import { createKafkaEventBus } from './event-bus.js'
import { startMember, type Member } from '../../test/kafka-member-fixture.js'
import { createKafkaProxy } from '../../test/kafka-proxy-fixture.js'

const logger = createLogger('test', 'silent')
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

describeEventBus('kafka', async () => {
  const topic = await newTopic()
  const ids = new Map<EventBus, string>()
  return {
    topic,
    openMember() {
      const clientId = randomUUID()
      const bus = createKafkaEventBus({ connection: { brokers: kafka.brokers, clientId }, logger })
      ids.set(bus, clientId)
      return bus
    },
    cutConnections: async () => proxy.cut(),
    kill: async (member) => proxy.ban(ids.get(member) ?? ''),
    close: async () => undefined,
  }
})

it('the bus delivers every message, in order per key and to one member at a time, while members join and leave [D50]', async () => {
  const topic = await newTopic()
  const working = new Map<number, string>()
  const clashes: string[] = []
  const seen: { key: string; round: number }[] = []
  const join = (who: string) => {
    const subscription = openBus().subscribe({
      group: topic,
      topics: [topic],
      handle: async (messages) => {
        const partition = messages[0]?.partition ?? -1
        const other = working.get(partition)
        if (other !== undefined) clashes.push(`${other} and ${who} in ${partition}`)
        working.set(partition, who)
        // Long enough that every rebalance finds a message in progress.
        await new Promise((resolve) => setTimeout(resolve, 300))
        seen.push(...messages.map(({ key, value }) => ({ key, round: Number(value) })))
        working.delete(partition)
      },
    })
    endings.push(() => subscription.stop())
    return subscription
  }
  let rounds = 0
  let publishing = true
  const publisher = (async (bus: EventBus) => {
    const keys = Array.from({ length: 24 }, (_, n) => `key-${n}`)
    for (; publishing; rounds++) {
      await bus.publish(keys.map((key) => ({ topic, key, headers: {}, value: String(rounds) })))
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
  })(openBus())

  const first = join('first')
  await first.joined
  const second = join('second')
  await second.joined
  await waitFor(() => expect(heldBy(first)).toBe(4), WAIT)
  const third = join('third')
  await third.joined
  await first.stop()
  await waitFor(() => expect(heldBy(second) + heldBy(third)).toBe(8), WAIT)
  await third.stop()
  await waitFor(() => expect(heldBy(second)).toBe(8), WAIT)
  publishing = false
  await publisher

  const distinct = () => new Set(seen.map(({ key, round }) => `${key} ${round}`)).size
  await waitFor(() => expect(distinct()).toBe(24 * rounds), { ...WAIT, interval: 200 })
  for (const copies of Map.groupBy(seen, ({ key }) => key).values()) {
    const firstCopies = [...new Set(copies.map(({ round }) => round))]
    expect(firstCopies).toEqual(firstCopies.toSorted((a, b) => a - b))
  }
  expect(clashes).toEqual([])
}, 60_000)

it('a consumer never commits a lower offset and has no lag, when idle partitions move to another member and back [D50, H9]', async () => {
  const topic = await newTopic()
  const subscribe = () => {
    const subscription = openBus().subscribe({ group: topic, topics: [topic], handle: async () => undefined })
    endings.push(() => subscription.stop())
    return subscription
  }
  const positions = async () => {
    const [found] = await kafka.admin.fetchOffsets({ groupId: topic, topics: [topic] })
    return found?.partitions.map(({ partition, offset }) => ({ partition, offset })).toSorted(byPartition)
  }
  const ends = async () => {
    const found = await kafka.admin.fetchTopicOffsets(topic)
    return found.map(({ partition, high: offset }) => ({ partition, offset })).toSorted(byPartition)
  }
  const first = subscribe()
  await first.joined
  await openBus().publish(Array.from({ length: 80 }, (_, n) => ({ topic, key: `k${n}`, headers: {}, value: '' })))
  await waitFor(async () => expect(await positions()).toEqual(await ends()), WAIT)
  const second = subscribe()
  await waitFor(() => expect([heldBy(first), heldBy(second)]).toEqual([4, 4]), WAIT)
  // Longer than the interval between two offset queries, and between two commits.
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await second.stop()
  await waitFor(() => expect(heldBy(first)).toBe(8), WAIT)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(first.progress().filter(({ behind }) => behind)).toEqual([])
  expect(await positions()).toEqual(await ends())
}, 60_000)

it('the bus delivers 100,000 messages, each once and in order per key [D50]', async () => {
  const topic = await newTopic()
  const [count, keyCount] = [100_000, 1_000]
  const last = new Map<string, number>()
  const disorders: string[] = []
  let received = 0
  const subscription = openBus().subscribe({
    group: topic,
    topics: [topic],
    handle: async (messages) => {
      for (const { key, value } of messages) {
        if (Number(value) !== (last.get(key) ?? Number(key) - keyCount) + keyCount) disorders.push(`${key} ${value}`)
        last.set(key, Number(value))
      }
      received += messages.length
    },
  })
  endings.push(() => subscription.stop())
  const bus = openBus()
  for (let from = 0; from < count; from += 500) {
    const numbers = Array.from({ length: 500 }, (_, n) => from + n)
    await bus.publish(numbers.map((n) => ({ topic, key: String(n % keyCount), headers: { a: '1' }, value: String(n) })))
  }
  await waitFor(() => expect(received).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 50 })
  expect(disorders).toEqual([])
  expect(received).toBe(count)
}, 90_000)

it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
  'the bus publishes and consumes over TLS under a private authority, as a user of %s',
  async (mechanism) => {
    const topic = await newTopic()
    const { brokers, caPem, username, password } = kafka.secure
    const bus = openBus({ brokers, tls: { caPem }, sasl: { mechanism, username, password } })
    const seen: (string | null)[] = []
    const subscription = bus.subscribe({
      group: topic,
      topics: [topic],
      handle: async (messages) => void seen.push(...messages.map(({ value }) => value)),
    })
    endings.push(() => subscription.stop())
    await bus.publish([{ topic, key: 'k', headers: {}, value: 'over TLS' }])
    await waitFor(() => expect(seen).toEqual(['over TLS']), WAIT)
  },
)

it('a consumer that cannot join logs the remedy without a secret, stays alive, and joins as soon as possible [I14]', async () => {
  const missing = `topic-${randomUUID()}`
  const { brokers, caPem, otherCaPem, username, password } = kafka.secure
  const sasl = { mechanism: 'scram-sha-512', username, password } as const
  const settings = { group: missing, topic: missing, stallMs: 2_000 }
  const members = await Promise.all([
    startMember({ ...settings, connection: { brokers, tls: { caPem: otherCaPem }, sasl } }),
    startMember({ ...settings, connection: { brokers, tls: { caPem }, sasl: { ...sasl, password: 'mistyped' } } }),
    startMember({ ...settings, connection: { brokers: kafka.brokers } }),
  ])
  endings.push(() => Promise.all(members.map((member) => member.end())))
  const [wrongCa, wrongPassword, missingTopic] = members
  const says = (member: Member, sentence: RegExp) => waitFor(() => expect(member.output()).toMatch(sentence), WAIT)
  await says(wrongCa, /"level":"warn".*certificate is not trusted.*KAFKA_TLS_CA/)
  await says(wrongPassword, /"level":"warn".*refused the user.*KAFKA_SASL_PASSWORD/)
  await says(missingTopic, new RegExp(`"level":"warn".*${missing}.*paraph topics apply`))
  for (const member of members) {
    expect(member.output()).not.toMatch(new RegExp(`${password}|mistyped|PRIVATE|BEGIN|"level":"error"`))
    expect(await member.liveness()).toBe(200)
  }
  await kafka.createTopics(missing)
  await openBus().publish([{ topic: missing, key: 'k', headers: {}, value: 'made' }])
  await waitFor(() => expect(missingTopic.handled()).toMatchObject([{ value: 'made' }]), WAIT)
}, 60_000)

function openBus(connection: Omit<KafkaConnection, 'clientId'> = { brokers: kafka.brokers }): EventBus {
  const bus = createKafkaEventBus({ connection: { clientId: randomUUID(), ...connection }, logger })
  endings.push(() => bus.close())
  return bus
}

const byPartition = (one: { partition: number }, other: { partition: number }) => one.partition - other.partition

const heldBy = (subscription: Subscription): number => subscription.progress().length

async function newTopic(): Promise<string> {
  const topic = `topic-${randomUUID()}`
  await kafka.createTopics(topic)
  return topic
}
