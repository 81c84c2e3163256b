// One partition that a member holds: what was fetched and waits, what is in hand, how far it is. [D50, H9]
// Owns: one call of the handler at a time, in order, again after a failure. Does not own: fetching, committing (kafka-subscription.ts).
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/service/back-off'
import { pause } from '@paraph/service/wake-up'
import type { PartitionProgress, ReceivedMessage, SubscribeOptions } from './event-bus.js'

interface Mark {
  position: number | undefined
  voids: number
}

const HANDLE_MAX = 100
/** What waits in memory: fetched from the broker again below the low mark, no more above the high one. */
const LOW_MARK = 200
const HIGH_MARK = 1_000

/**
 * @param onRoom is called when so little waits that more should be fetched
 */
export function createKafkaPartition({
  topic,
  partition,
  handle,
  logger,
  onRoom,
}: {
  topic: string
  partition: number
  handle: SubscribeOptions['handle']
  logger: Logger
  onRoom: () => void
}) {
  let waiting: ReceivedMessage[] = []
  /** The next offset to handle; undefined until something tells it. */
  let position: number | undefined
  let committed: number | undefined
  /** True once the group's own word of where it stands was heard in this generation: what is committed before that might be less. */
  let isPlaced = false
  /** The next offset that may join what waits: a fetch after a join begins anew at the commit. */
  let expected = 0
  /** Where the group stood at the last join: nothing of the same log is fetched below. */
  let floor = 0
  /** Grows when what was known of the log is void: an answer that was asked for before then is too. */
  let voids = 0
  let end = 0
  let movedAtMs = performance.now()
  let going = new AbortController()
  /** Grows with each loss: work of an earlier holding changes nothing of a later one. */
  let holding = 0
  let work: Promise<void> | undefined

  function start(): void {
    if (work || going.signal.aborted || waiting.length === 0) return
    work = drain(going.signal, holding).finally(() => {
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
        logger.warn({ err: error, topic, partition, offset }, 'messages were not handled; they come again')
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

  /** The topic was made anew, or a broker that had less of it leads: kafkajs begins at the oldest message without a word. */
  function startOver(from: number): void {
    logger.warn(
      { topic, partition, expected, from },
      'the partition holds less than it did; all that it holds is handled',
    )
    position = committed = undefined
    voids += 1
    expected = from
    floor = end = 0
    if (!work) movedAtMs = performance.now()
  }

  return {
    topic,
    partition,
    /** Adds what was fetched. @returns false when so much waits that fetching should pause */
    take(messages: readonly ReceivedMessage[], highWatermark: number): boolean {
      const from = Number(messages[0]?.offset ?? floor)
      if (highWatermark < expected || from < floor) startOver(from)
      const fresh = messages.filter((message) => Number(message.offset) >= expected)
      const first = fresh[0]
      if (first && position === undefined) {
        // The first fetch of a holding begins where the group stands.
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
    /** What is known before the brokers are asked, to be held against their answer. */
    mark: () => ({ position, voids }),
    /** Where the group stands, asked in this generation; others may have moved it. Undefined: it never committed. */
    place(stored: number | undefined, asked: Mark): void {
      isPlaced = true
      if (asked.voids !== voids) return
      committed = stored
      floor = stored ?? 0
      if (stored !== undefined) position = Math.max(position ?? stored, stored)
    },
    /** What the broker says: the oldest offset kept, and the next to be written. */
    look({ low, high }: { low: number; high: number }, asked: Mark): void {
      const isIdle = waiting.length === 0 && !work
      // Nothing was handled by then that the partition did not hold.
      if (isIdle && asked.voids === voids && asked.position !== undefined && high < asked.position) {
        startOver(low)
        // Not to be committed: the old one makes the next member begin at the oldest message too.
        position = committed = low
      }
      if (isPlaced) position ??= low
      // What was pruned, or is no message, is never fetched.
      if (isIdle && position !== undefined) position = Math.max(position, low)
      if (position !== undefined && position >= end) movedAtMs = performance.now()
      end = high
    },
    /** The bus holds nothing for us below `next`, though we were given nothing. */
    skipTo(next: number): void {
      if (waiting.length > 0 || work) return
      position = Math.max(position ?? 0, next)
      expected = Math.max(expected, next)
    },
    /** The offset to commit, where it has changed. */
    uncommitted: () => (isPlaced && position !== committed ? position : undefined),
    committed(offset: number): void {
      // What was known is void since the commit was sent, or it is another holding.
      if (position !== undefined && offset <= position) committed = offset
    },
    /** Begins nothing more, and tells the handler that it should end, until `goOn`. Resolves when nothing is in hand. */
    async hold(): Promise<void> {
      going.abort()
      await work
    },
    goOn(): void {
      if (going.signal.aborted) going = new AbortController()
      start()
    },
    /** It is this member's in a further generation; another may have had it in one that was missed. */
    keep: (): void => void (isPlaced = false),
    /** It is another member's now: forgets what waits. What is still in hand ends for nothing. */
    lose(): void {
      going.abort()
      holding += 1
      waiting = []
      position = committed = undefined
      isPlaced = false
      expected = floor = end = 0
      // A handler that hangs is not forgiven by a new holding.
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
