// One partition that a member holds: the fetched messages, and the work on them. [D50, H9]
// Owns: one call of the handler at a time, in order. Does not own: its offsets (partition-offsets.ts), fetching and committing
// (subscription.ts).
import type { Place, ReceivedMessage } from '../event-bus.js'
import { handleUntilDone, type HandlingDeps } from '../handle-until-done.js'
import { createPartitionOffsets } from './partition-offsets.js'

const HANDLE_MAX = 100
/** Fetched messages in memory: fetching resumes below the low mark and pauses at the high one. */
const LOW_MARK = 200
const HIGH_MARK = 1_000

export interface KafkaPartitionDeps extends Place, HandlingDeps {
  /** Called when fetching should resume, because few messages wait. */
  onRoom: () => void
}

export function createKafkaPartition(deps: KafkaPartitionDeps) {
  const { topic, partition, onRoom } = deps
  let waiting: ReceivedMessage[] = []
  let active = new AbortController()
  /** Counts losses of the partition: work that began before a loss has no effect afterwards. */
  let holding = 0
  let work: Promise<void> | undefined
  const { accept, advance, forget, ...offsets } = createPartitionOffsets({
    ...deps,
    isWorking: () => work !== undefined,
    hasMessages: () => waiting.length > 0 || work !== undefined,
  })

  function start(): void {
    if (work || active.signal.aborted || waiting.length === 0) return
    work = drain(active.signal, holding).finally(() => {
      work = undefined
      start()
    })
  }

  async function drain(signal: AbortSignal, mine: number): Promise<void> {
    while (waiting.length > 0 && !signal.aborted) {
      const messages = waiting.slice(0, HANDLE_MAX)
      const isDone = await handleUntilDone(deps, messages, signal)
      if (!isDone || mine !== holding) return
      waiting.splice(0, messages.length)
      advance(messages.at(-1))
      if (waiting.length < LOW_MARK) onRoom()
    }
  }

  return {
    ...offsets,
    topic,
    partition,
    /** Adds fetched messages. @returns false when so many wait that fetching should pause */
    add(messages: readonly ReceivedMessage[], highWatermark: number): boolean {
      waiting.push(...accept(messages, highWatermark))
      start()
      return waiting.length < HIGH_MARK
    },
    isFull: () => waiting.length >= LOW_MARK,
    /** Starts no more work until `resume`, and aborts the handler's signal. Resolves when no message is in progress. */
    async suspend(): Promise<void> {
      active.abort()
      await work
    },
    resume(): void {
      if (active.signal.aborted) active = new AbortController()
      start()
    },
    /** Another member holds the partition now: drops the waiting messages and ignores the outcome of those in progress. */
    lose(): void {
      active.abort()
      holding += 1
      waiting = []
      forget()
    },
  }
}

export type KafkaPartition = ReturnType<typeof createKafkaPartition>
