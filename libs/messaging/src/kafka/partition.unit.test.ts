import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { expect, it } from '@jest/globals'
import { createKafkaPartition } from './partition.js'

const message = (offset: number) => ({
  topic: 't',
  partition: 0,
  key: 'k',
  headers: {},
  value: String(offset),
  offset: String(offset),
  publishedAt: new Date(0),
})

function openPartition() {
  const handled: number[] = []
  const partition = createKafkaPartition({
    topic: 't',
    partition: 0,
    group: 'g',
    logger: createLogger('test', 'silent'),
    onRoom: () => undefined,
    handle: async (messages) => void handled.push(...messages.map(({ offset }) => Number(offset))),
  })
  const untilHandled = (count: number) =>
    waitFor(() => {
      expect(handled).toHaveLength(count)
      expect(partition.progress().behind).toBe(false)
    })
  return { partition, handled, untilHandled }
}

it('a partition handles a message once, even if it is fetched again after a join', async () => {
  const { partition, handled, untilHandled } = openPartition()
  partition.place(10, partition.snapshot())
  partition.add([10, 11].map(message), 12)
  partition.keep()
  partition.add([10, 11, 12].map(message), 13)
  partition.place(10, partition.snapshot())
  await untilHandled(3)
  expect(handled).toEqual([10, 11, 12])
  expect(partition.uncommitted()).toBe(13)
})

it.each([
  ['recreated and is shorter', [0, 1], 2],
  ['recreated and is longer', [0, 1], 8_000],
  ['taken over by a broker with a shorter copy', [7_000, 7_001], 7_002],
])('a partition handles every message of a log that was %s [D50]', async (_, offsets, highWatermark) => {
  const { partition, handled, untilHandled } = openPartition()
  partition.place(7_000, partition.snapshot())
  partition.add([7_000, 7_001, 7_002].map(message), 7_003)
  await untilHandled(3)
  partition.committed(7_003)
  partition.add(offsets.map(message), highWatermark)
  await waitFor(() => expect(handled).toEqual([7_000, 7_001, 7_002, ...offsets]))
  await waitFor(() => expect(partition.uncommitted()).toBe((offsets.at(-1) ?? 0) + 1))
})

it('a partition has a lag once a recreated log contains messages, and commits none of them before one is handled [H9]', async () => {
  const { partition, untilHandled } = openPartition()
  partition.place(7_000, partition.snapshot())
  partition.updateEnds({ low: 0, high: 7_000 }, { position: undefined, resets: 0 })
  partition.updateEnds({ low: 0, high: 0 }, partition.snapshot())
  expect(partition.progress().behind).toBe(false)
  partition.updateEnds({ low: 0, high: 2 }, partition.snapshot())
  expect(partition.progress().behind).toBe(true)
  expect(partition.uncommitted()).toBeUndefined()
  partition.add([0, 1].map(message), 2)
  await untilHandled(2)
  expect(partition.uncommitted()).toBe(2)
})

it('a partition ignores late results of the old log once the new log is known [H9]', async () => {
  const { partition, untilHandled } = openPartition()
  partition.place(7_000, partition.snapshot())
  const asked = partition.snapshot()
  partition.add([0, 1].map(message), 2)
  partition.committed(7_000)
  partition.place(7_000, asked)
  await untilHandled(2)
  partition.updateEnds({ low: 0, high: 2 }, partition.snapshot())
  partition.updateEnds({ low: 0, high: 2 }, partition.snapshot())
  expect(partition.progress().behind).toBe(false)
  expect(partition.uncommitted()).toBe(2)
})

it('an end offset that was requested before the last messages were handled does not count as a shorter log', async () => {
  const { partition, handled, untilHandled } = openPartition()
  partition.place(0, partition.snapshot())
  const before = partition.snapshot()
  partition.add([0, 1].map(message), 2)
  await untilHandled(2)
  partition.updateEnds({ low: 0, high: 1 }, before)
  expect(partition.uncommitted()).toBe(2)
  partition.add([message(2)], 3)
  await untilHandled(3)
  expect(handled).toEqual([0, 1, 2])
})
