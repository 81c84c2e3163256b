// The partitions that a member of a consumer group holds, and whether kafkajs fetches them. [D50, F1]
// Does not own: the work within one partition (partition.ts), membership and commits (subscription.ts).
import type { Batch, Consumer, KafkaMessage } from 'kafkajs'
import { keyOf, type Place, type ReceivedMessage } from '../event-bus.js'
import type { HandlingDeps } from '../handle-until-done.js'
import { createKafkaPartition, type KafkaPartition } from './partition.js'

export function createHeldPartitions({ group, handle, logger }: HandlingDeps) {
  /** Every partition that this member has ever held: when the member gets one again, older messages of it may still be in progress. */
  const known = new Map<string, KafkaPartition>()
  let held = new Set<KafkaPartition>()
  /** The member of the current generation; a partition outlives the member that got it first. */
  let member: Consumer | undefined

  function resumeFetching({ topic, partition }: Place): void {
    try {
      member?.resume([{ topic, partitions: [partition] }])
    } catch {
      // Between a crash and the next start, kafkajs has no fetching to resume.
    }
  }

  function partitionOf(topic: string, partition: number): KafkaPartition {
    const key = keyOf({ topic, partition })
    const found =
      known.get(key) ??
      createKafkaPartition({
        topic,
        partition,
        group,
        handle,
        logger,
        onRoom: () => resumeFetching({ topic, partition }),
      })
    known.set(key, found)
    return found
  }

  return {
    /** The partitions of the current generation. */
    held: (): ReadonlySet<KafkaPartition> => held,
    find: (place: Place) => known.get(keyOf(place)),
    /** Begins a generation. @param assignment topic → its partitions, from now on */
    assign(joined: Consumer, assignment: Record<string, number[]>): void {
      member = joined
      const before = held
      held = new Set(
        Object.entries(assignment).flatMap(([topic, numbers]) => numbers.map((number) => partitionOf(topic, number))),
      )
      for (const partition of before) if (!held.has(partition)) partition.lose()
      for (const partition of held) {
        partition.keep()
        // In kafkajs, paused fetching stays paused after a join.
        if (!partition.isFull()) resumeFetching(partition)
      }
    },
    /** Adds messages that kafkajs fetched, and pauses the fetching while too many messages wait. */
    receive(from: Consumer, batch: Batch): void {
      const { topic, partition: number } = batch
      const partition = known.get(keyOf(batch))
      if (!partition || !held.has(partition)) return
      const messages = batch.messages.map((message) => toMessage(topic, number, message))
      const hasRoom = partition.add(messages, Number(batch.highWatermark))
      if (!hasRoom) from.pause([{ topic, partitions: [number] }])
    },
    resume(): void {
      for (const partition of held) partition.resume()
    },
    /** Resolves when no message is in progress. */
    async suspend(): Promise<void> {
      await Promise.all([...held].map((partition) => partition.suspend()))
    },
    clear: (): void => held.clear(),
  }
}

function toMessage(topic: string, partition: number, message: KafkaMessage): ReceivedMessage {
  const headers = Object.entries(message.headers ?? {}).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value
    return last === undefined ? [] : [[name, last.toString()]]
  })
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    value: message.value?.toString() ?? null,
    publishedAt: new Date(Number(message.timestamp)),
  }
}
