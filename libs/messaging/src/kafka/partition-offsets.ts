// The offsets of one partition that a member holds: which messages are new, which are handled, and the offset to commit. [D50, H9]
// Does not own: the messages and the work on them (partition.ts).
import type { Logger } from '@paraph/telemetry/logger'
import type { PartitionProgress, Place, ReceivedMessage } from '../event-bus.js'

interface Snapshot {
  position: number | undefined
  expected: number
  resets: number
}

export interface PartitionOffsetsDeps extends Place {
  group: string
  logger: Logger
  /** True while the handler has messages. */
  isWorking: () => boolean
  /** True while the handler has messages, or messages wait for it. */
  hasMessages: () => boolean
}

export function createPartitionOffsets(deps: PartitionOffsetsDeps) {
  const { topic, partition, group, logger, isWorking, hasMessages } = deps
  /** The next offset to handle. Undefined until it is known. */
  let position: number | undefined
  let committed: number | undefined
  /** True when the position of the group is known in this generation. A commit before that might move the group back. */
  let isPlaced = false
  /** The next offset to accept: a fetch after a join starts again at the committed position. */
  let expected = 0
  /** The group has received every message below this offset. Undefined until its position is known. [F52] */
  let received: number | undefined
  /** The position of the group at the last join: the same log returns no message below this offset. */
  let floor = 0
  /** Counts resets of the log: an answer to a query from before a reset is ignored. */
  let resets = 0
  let end = 0
  let movedAtMs = performance.now()

  /** The topic was recreated, or a broker with a shorter log leads it: kafkajs silently restarts at the oldest message. */
  function reset(from: number): void {
    logger.warn(
      { group, topic, partition, expected, from },
      'the log of the partition became shorter; handling all messages that it contains',
    )
    position = committed = undefined
    resets += 1
    expected = from
    received = from
    floor = end = 0
    if (!isWorking()) movedAtMs = performance.now()
  }

  return {
    /** @returns those of the fetched messages that were not accepted before */
    accept(messages: readonly ReceivedMessage[], highWatermark: number): ReceivedMessage[] {
      const from = Number(messages[0]?.offset ?? floor)
      if (highWatermark < expected || from < floor) reset(from)
      const fresh = messages.filter((message) => Number(message.offset) >= expected)
      const first = fresh[0]
      if (first && position === undefined) {
        // When a member gets a partition, its first fetch starts at the position of the group.
        position = Number(first.offset)
        isPlaced = true
      }
      if (first && !hasMessages()) movedAtMs = performance.now()
      expected = Math.max(expected, Number(fresh.at(-1)?.offset ?? -1) + 1)
      // A gap is not received. `updateEnds` decides whether it held messages.
      if (first && received !== undefined && Number(first.offset) <= received) received = expected
      end = Math.max(end, highWatermark)
      return fresh
    },
    /** The messages up to `last` are handled. */
    advance(last: ReceivedMessage | undefined): void {
      position = Math.max(Number(last?.offset) + 1, committed ?? 0)
      movedAtMs = performance.now()
    },
    /** The state before a query to the brokers, to compare with their answer. */
    snapshot: (): Snapshot => ({ position, expected, resets }),
    /** Takes over the group's position of this generation: other members may have moved it. @param stored undefined if never committed */
    place(stored: number | undefined, asked: Snapshot): void {
      isPlaced = true
      if (asked.resets !== resets) return
      committed = stored
      received = Math.max(received ?? 0, stored ?? 0)
      floor = stored ?? 0
      if (stored !== undefined) position = Math.max(position ?? stored, stored)
    },
    /** Takes over the brokers' answer: the oldest offset kept, and the next one to be written. */
    updateEnds({ low, high }: { low: number; high: number }, asked: Snapshot): void {
      const isIdle = !hasMessages()
      // The log ends below a position that was already handled when the query was sent.
      if (isIdle && asked.resets === resets && asked.position !== undefined && high < asked.position) {
        reset(low)
        // Leaves the position uncommitted: with the old position the next member starts at the oldest message too.
        position = committed = low
      }
      if (asked.resets === resets && received !== undefined) {
        if (low > received)
          logger.warn(
            { group, topic, partition, from: received, to: low, messages: low - received },
            'Kafka deleted messages before the group received them; publish them again from the outbox (docs/how-to/operators/kafka.md)',
          )
        received = Math.max(received, low, asked.expected)
      }
      if (isPlaced) position ??= low
      // Pruned offsets, and offsets without a message, are never fetched.
      if (isIdle && position !== undefined) position = Math.max(position, low)
      if (position !== undefined && position >= end) movedAtMs = performance.now()
      end = high
    },
    /** A fetch returned no message: the log contains none below `next`. */
    skipTo(next: number): void {
      if (hasMessages()) return
      position = Math.max(position ?? 0, next)
      expected = Math.max(expected, next)
    },
    /** The offset to commit, if it has changed. */
    uncommitted: () => (isPlaced && position !== committed ? position : undefined),
    committed(offset: number): void {
      // Otherwise the log was reset, or the member lost the partition, since the commit was sent.
      if (position !== undefined && offset <= position) committed = offset
    },
    /** The member keeps the partition in a new generation; another member may have held it in a generation that this member missed. */
    keep: (): void => void (isPlaced = false),
    /** Another member holds the partition now. */
    forget(): void {
      position = committed = undefined
      isPlaced = false
      expected = floor = end = 0
      received = undefined
      // A hanging handler still counts as stalled when the member gets the partition again.
      if (!isWorking()) movedAtMs = performance.now()
    },
    /** True when the log has had messages beyond the position for `ms` and the member fetched none of them. */
    isStarved: (ms: number): boolean =>
      !hasMessages() && position !== undefined && position < end && performance.now() - movedAtMs > ms,
    progress: (): PartitionProgress => ({
      topic,
      partition,
      behind: hasMessages() || (position !== undefined && position < end),
      unmovedMs: Math.round(performance.now() - movedAtMs),
    }),
  }
}
