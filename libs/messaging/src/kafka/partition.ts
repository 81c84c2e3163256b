// One partition that a member holds: the fetched messages, those in hand, and its position. [D50, H9]
// Owns: one call of the handler at a time, in order, repeated after a failure. Does not own: fetching and committing (subscription.ts).
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import type { PartitionProgress, ReceivedMessage, SubscribeOptions } from '../event-bus.js'

interface Snapshot {
  position: number | undefined
  resets: number
}

const HANDLE_MAX = 100
/** Fetched messages in memory: fetching resumes below the low mark and pauses at the high one. */
const LOW_MARK = 200
const HIGH_MARK = 1_000

export interface KafkaPartitionDeps {
  topic: string
  partition: number
  handle: SubscribeOptions['handle']
  logger: Logger
  /** Called when so few messages wait that fetching should resume. */
  onRoom: () => void
}

export function createKafkaPartition({ topic, partition, handle, logger, onRoom }: KafkaPartitionDeps) {
  let waiting: ReceivedMessage[] = []
  /** The next offset to handle. Undefined until it is known. */
  let position: number | undefined
  let committed: number | undefined
  /** True when the position of the group is known in this generation: an earlier commit might move the group back. */
  let isPlaced = false
  /** The next offset to accept: a fetch after a join starts again at the committed position. */
  let expected = 0
  /** The position of the group at the last join: nothing below it is fetched from the same log. */
  let floor = 0
  /** Counts resets of the log: an answer to a question from before a reset is void. */
  let resets = 0
  let end = 0
  let movedAtMs = performance.now()
  let active = new AbortController()
  /** Counts losses of the partition: work from before a loss changes nothing afterwards. */
  let holding = 0
  let work: Promise<void> | undefined

  function start(): void {
    if (work || active.signal.aborted || waiting.length === 0) return
    work = drain(active.signal, holding).finally(() => {
      work = undefined
      start()
    })
  }

  async function drain(signal: AbortSignal, mine: number): Promise<void> {
    for (let failures = 0; waiting.length > 0 && !signal.aborted;) {
      const messages = waiting.slice(0, HANDLE_MAX)
      const offset = messages[0]?.offset
      try {
        await handle(messages, signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        logger.warn({ err: error, topic, partition, offset }, 'could not handle messages; the partition retries them')
        await pause(backOffMs(failures, 100, 5_000, Math.random()), signal)
        continue
      }
      if (mine !== holding) return
      waiting.splice(0, messages.length)
      position = Math.max(Number(messages.at(-1)?.offset) + 1, committed ?? 0)
      movedAtMs = performance.now()
      if (waiting.length < LOW_MARK) onRoom()
    }
  }

  /** The topic was recreated, or a broker with a shorter log leads it: kafkajs silently restarts at the oldest message. */
  function reset(from: number): void {
    logger.warn(
      { topic, partition, expected, from },
      'the log of the partition became shorter; handling all messages that it holds',
    )
    position = committed = undefined
    resets += 1
    expected = from
    floor = end = 0
    if (!work) movedAtMs = performance.now()
  }

  return {
    topic,
    partition,
    /** Adds fetched messages. @returns false when so many wait that fetching should pause */
    add(messages: readonly ReceivedMessage[], highWatermark: number): boolean {
      const from = Number(messages[0]?.offset ?? floor)
      if (highWatermark < expected || from < floor) reset(from)
      const fresh = messages.filter((message) => Number(message.offset) >= expected)
      const first = fresh[0]
      if (first && position === undefined) {
        // The first fetch of a holding starts at the position of the group.
        position = Number(first.offset)
        isPlaced = true
      }
      if (first && waiting.length === 0 && !work) movedAtMs = performance.now()
      waiting.push(...fresh)
      expected = Math.max(expected, Number(fresh.at(-1)?.offset ?? -1) + 1)
      end = Math.max(end, highWatermark)
      start()
      return waiting.length < HIGH_MARK
    },
    isFull: () => waiting.length >= LOW_MARK,
    /** The state before a question to the brokers, to compare with their answer. */
    snapshot: (): Snapshot => ({ position, resets }),
    /** Takes over the group's position of this generation: other members may have moved it. @param stored undefined if never committed */
    place(stored: number | undefined, asked: Snapshot): void {
      isPlaced = true
      if (asked.resets !== resets) return
      committed = stored
      floor = stored ?? 0
      if (stored !== undefined) position = Math.max(position ?? stored, stored)
    },
    /** Takes over the brokers' answer: the oldest offset kept, and the next one to be written. */
    updateEnds({ low, high }: { low: number; high: number }, asked: Snapshot): void {
      const isIdle = waiting.length === 0 && !work
      // The log ends below a position that was already handled when the question was sent.
      if (isIdle && asked.resets === resets && asked.position !== undefined && high < asked.position) {
        reset(low)
        // Not to be committed: with the old position the next member starts at the oldest message too.
        position = committed = low
      }
      if (isPlaced) position ??= low
      // Pruned offsets, and offsets without a message, are never fetched.
      if (isIdle && position !== undefined) position = Math.max(position, low)
      if (position !== undefined && position >= end) movedAtMs = performance.now()
      end = high
    },
    /** The log holds no message for us below `next`, although a fetch returned none. */
    skipTo(next: number): void {
      if (waiting.length > 0 || work) return
      position = Math.max(position ?? 0, next)
      expected = Math.max(expected, next)
    },
    /** The offset to commit, if it has changed. */
    uncommitted: () => (isPlaced && position !== committed ? position : undefined),
    committed(offset: number): void {
      // Otherwise the log was reset, or the partition lost, since the commit was sent.
      if (position !== undefined && offset <= position) committed = offset
    },
    /** Starts nothing more and aborts the handler's signal, until `resume`. Resolves when no message is in hand. */
    async suspend(): Promise<void> {
      active.abort()
      await work
    },
    resume(): void {
      if (active.signal.aborted) active = new AbortController()
      start()
    },
    /** The member keeps the partition in a new generation; another member may have held it in a generation that this one missed. */
    keep: (): void => void (isPlaced = false),
    /** Another member holds the partition now: drops the waiting messages and ignores the outcome of those in hand. */
    lose(): void {
      active.abort()
      holding += 1
      waiting = []
      position = committed = undefined
      isPlaced = false
      expected = floor = end = 0
      // A handler that hangs still counts as stalled in a new holding.
      if (!work) movedAtMs = performance.now()
    },
    progress: (): PartitionProgress => ({
      topic,
      partition,
      behind: waiting.length > 0 || work !== undefined || (position !== undefined && position < end),
      unmovedMs: Math.round(performance.now() - movedAtMs),
    }),
  }
}

export type KafkaPartition = ReturnType<typeof createKafkaPartition>

/** The key of a partition in a map. */
export const keyOf = ({ topic, partition }: { topic: string; partition: number }): string => `${topic}/${partition}`
