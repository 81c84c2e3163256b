import { createLogger } from '@paraph/telemetry/logger'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import type { SubscribeOptions } from '../event-bus.js'
import { createKafkaClientFixture } from '../../test/kafka-client-fixture.js'
import { createKafkaSubscription } from './subscription.js'

/** Longer than the interval between two offset queries, and between two commits. */
const A_WHILE_MS = 2_500

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

async function subscribe(
  logs: { low: number; high: number }[],
  stored: number[],
  handle: SubscribeOptions['handle'] = async () => undefined,
) {
  const kafka = createKafkaClientFixture('t', logs)
  stored.forEach((offset, partition) => kafka.stored.set(partition, offset))
  const subscription = createKafkaSubscription({
    client: kafka.client,
    logger: createLogger('test', 'silent'),
    group: 'g',
    topics: ['t'],
    handle,
    onFatal: (error) => {
      throw error
    },
  })
  await jest.advanceTimersByTimeAsync(0)
  return { kafka, subscription, aWhile: () => jest.advanceTimersByTimeAsync(A_WHILE_MS) }
}

it('the subscription never commits a lower offset and has no lag, when idle partitions move to another member and back [D50, H9]', async () => {
  const { kafka, subscription, aWhile } = await subscribe(
    [0, 1].map(() => ({ low: 0, high: 7_000 })),
    [6_990, 6_990],
  )
  await kafka.join([0, 1])
  await kafka.deliver(0, [6_990, 6_999])
  await kafka.deliver(1, [6_990, 6_999])
  await aWhile()
  expect([...kafka.stored]).toEqual([
    [0, 7_000],
    [1, 7_000],
  ])
  await kafka.join([0])
  await aWhile()
  await kafka.join([0, 1])
  await aWhile()
  kafka.logs[0] = { low: 0, high: 7_001 }
  await kafka.deliver(0, [7_000])
  await aWhile()
  expect(kafka.tries.flat().filter(({ offset }) => offset < 7_000)).toEqual([])
  expect(subscription.progress()).toMatchObject([{ behind: false }, { behind: false }])
})

it('the subscription ignores offsets that it requested before a join [D50, H9]', async () => {
  const { kafka, subscription, aWhile } = await subscribe(
    [0, 1].map(() => ({ low: 0, high: 7_000 })),
    [7_000, 7_000],
  )
  await kafka.join([0])
  await aWhile()
  const answer = Promise.withResolvers<void>()
  kafka.around.ends = () => answer.promise
  await aWhile()
  await kafka.join([0, 1])
  kafka.around.ends = async () => undefined
  answer.resolve()
  await aWhile()
  await kafka.deliver(0, [])
  await aWhile()
  expect(kafka.tries.flat().filter(({ offset }) => offset < 7_000)).toEqual([])
  expect(subscription.progress()).toMatchObject([{ behind: false }, { behind: false }])
})

it('the subscription continues at the offset of the group, if another member had the partition in a missed generation [D50, H9]', async () => {
  const { kafka, subscription, aWhile } = await subscribe([{ low: 0, high: 7_000 }], [6_990])
  await kafka.join([0])
  await kafka.deliver(0, [6_990, 6_991])
  kafka.around.commit = async () => {
    throw new Error('The group does not know this member.')
  }
  await kafka.join([0], () => kafka.stored.set(0, 7_000))
  kafka.around.commit = async (store) => store()
  await aWhile()
  await kafka.deliver(0, [])
  await aWhile()
  expect(kafka.stored.get(0)).toBe(7_000)
  expect(subscription.progress()).toMatchObject([{ behind: false }])
})

it('the subscription commits handled offsets, even those behind a pending commit, before it gives up its partitions [D50]', async () => {
  const { kafka, aWhile } = await subscribe([{ low: 0, high: 3 }], [0])
  await kafka.join([0])
  await kafka.deliver(0, [0])
  const acknowledged = Promise.withResolvers<void>()
  kafka.around.commit = async (store) => {
    await acknowledged.promise
    store()
  }
  await aWhile()
  expect(kafka.tries).toEqual([[{ partition: 0, offset: 1 }]])
  await kafka.deliver(0, [1, 2])
  const joined = kafka.join([0])
  await jest.advanceTimersByTimeAsync(10)
  acknowledged.resolve()
  await jest.advanceTimersByTimeAsync(10)
  await joined
  expect(kafka.stored.get(0)).toBe(3)
})

it('the subscription commits nothing between a crash and the next join, and then all uncommitted offsets [D50]', async () => {
  const { kafka, aWhile } = await subscribe([{ low: 0, high: 1 }], [0])
  await kafka.join([0])
  await kafka.deliver(0, [0])
  kafka.crash()
  await kafka.join([0])
  await aWhile()
  expect(kafka.tries).toEqual([])
  await kafka.deliver(0, [0])
  await aWhile()
  expect(kafka.stored.get(0)).toBe(1)
})

it('the subscription joins with a new member when the old one is silent for a minute although the brokers answer [D50, F1]', async () => {
  const handled: string[] = []
  const { kafka } = await subscribe([{ low: 0, high: 0 }], [0], async (messages) => {
    handled.push(...messages.map(({ offset }) => offset))
  })
  await kafka.join([0])
  // The old member never ends its disconnect.
  kafka.around.disconnect = () => new Promise<never>(() => undefined)
  for (let second = 0; second < 90; second += 1) {
    await jest.advanceTimersByTimeAsync(1_000)
    kafka.heartbeat()
  }
  expect(kafka.members()).toBe(1)
  await jest.advanceTimersByTimeAsync(62_000)
  expect(kafka.members()).toBe(2)
  await kafka.join([0])
  kafka.logs[0] = { low: 0, high: 1 }
  await kafka.deliver(0, [0])
  await jest.advanceTimersByTimeAsync(10)
  expect(handled).toEqual(['0'])
})

it('the subscription joins with a new member when the old one fetches nothing of a partition that has messages [D50, F1]', async () => {
  const { kafka } = await subscribe(
    [0, 1].map(() => ({ low: 0, high: 1 })),
    [0, 1],
  )
  const aMinute = async () => {
    for (let second = 0; second < 62; second += 1) {
      await jest.advanceTimersByTimeAsync(1_000)
      kafka.heartbeat()
    }
  }
  await kafka.join([0, 1])
  await kafka.deliver(0, [0])
  await aMinute()
  expect(kafka.members()).toBe(1)
  kafka.logs[1] = { low: 0, high: 2 }
  await aMinute()
  await jest.advanceTimersByTimeAsync(4_000)
  expect(kafka.members()).toBe(2)
})

it('the subscription keeps its member during an outage, and replaces one that lost its coordinator [D50, F1]', async () => {
  const { kafka } = await subscribe([{ low: 0, high: 1 }], [0])
  await kafka.join([0])
  kafka.around.ends = () => Promise.reject(new Error('No broker answers.'))
  await jest.advanceTimersByTimeAsync(300_000)
  expect(kafka.members()).toBe(1)
  kafka.crash(
    Object.assign(new Error('Failed to find group coordinator'), { name: 'KafkaJSGroupCoordinatorNotFound' }),
    false,
  )
  await jest.advanceTimersByTimeAsync(1_000)
  expect(kafka.members()).toBe(2)
})

it('the subscription stops within half of the drain time, even if a handler hangs and no broker answers [H13]', async () => {
  const never = () => new Promise<never>(() => undefined)
  const { kafka, subscription, aWhile } = await subscribe([{ low: 0, high: 9 }], [0], async (messages) =>
    messages[0]?.offset === '0' ? undefined : never(),
  )
  await kafka.join([0])
  await kafka.deliver(0, [0])
  await kafka.deliver(0, [1])
  Object.assign(kafka.around, { commit: never, disconnect: never, ends: never })
  await aWhile()
  let stopped = false
  void subscription.stop().then(() => (stopped = true))
  await jest.advanceTimersByTimeAsync(5_000)
  expect(stopped).toBe(true)
})
