import { createLogger, type Logger } from '@paraph/telemetry/logger'
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
  const deleted: unknown[] = []
  const logger = {
    ...createLogger('test', 'silent'),
    warn: ({ from, to }: { from: number; to?: number }) => void (to !== undefined && deleted.push([from, to])),
  } as Logger
  const partition = createKafkaPartition({
    topic: 't',
    partition: 0,
    group: 'g',
    logger,
    onRoom: () => undefined,
    handle: async (messages) => void handled.push(...messages.map(({ offset }) => Number(offset))),
  })
  const untilHandled = (count: number) =>
    waitFor(() => {
      expect(handled).toHaveLength(count)
      expect(partition.progress().behind).toBe(false)
    })
  return { partition, handled, deleted, untilHandled }
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
  partition.updateEnds({ low: 0, high: 7_000 }, { position: undefined, expected: 0, resets: 0 })
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

it.each([
  ['while the group was away', 3, [7, 8]],
  ['while the group was away, and none is left', 3, []],
  ['for so long that Kafka forgot its position', undefined, [7, 8]],
])('a partition logs once that messages were deleted unread %s [F52]', async (_, stored, offsets) => {
  const { partition, deleted, untilHandled } = openPartition()
  // The first fetch may come before the position of the group, or after it.
  partition.add(offsets.map(message), 9)
  partition.place(stored, partition.snapshot())
  const low = offsets[0] ?? 9
  partition.updateEnds({ low, high: 9 }, partition.snapshot())
  partition.updateEnds({ low, high: 9 }, partition.snapshot())
  await untilHandled(offsets.length)
  expect(deleted).toEqual([[stored ?? 0, low]])
})

it('a partition logs that messages were deleted behind a member that does not fetch [F52]', async () => {
  const { partition, deleted, untilHandled } = openPartition()
  partition.place(0, partition.snapshot())
  partition.add([0, 1].map(message), 2)
  await untilHandled(2)
  // Answered from before the deletion; then the fetch skips what was deleted.
  const asked = partition.snapshot()
  partition.add([5, 6].map(message), 7)
  partition.updateEnds({ low: 0, high: 7 }, asked)
  expect(deleted).toEqual([])
  partition.updateEnds({ low: 5, high: 7 }, partition.snapshot())
  expect(deleted).toEqual([[2, 5]])
})

it('a partition logs no loss when messages are deleted that the group received [F52]', async () => {
  const { partition, deleted, untilHandled } = openPartition()
  partition.place(undefined, partition.snapshot())
  partition.add([0, 1].map(message), 2)
  partition.updateEnds({ low: 0, high: 2 }, partition.snapshot())
  await untilHandled(2)
  partition.updateEnds({ low: 2, high: 2 }, partition.snapshot())
  // Offsets without a message, such as those of a transaction, are no loss when their turn comes.
  partition.add([4].map(message), 5)
  partition.updateEnds({ low: 2, high: 5 }, partition.snapshot())
  await untilHandled(3)
  partition.updateEnds({ low: 5, high: 5 }, partition.snapshot())
  expect(deleted).toEqual([])
})
