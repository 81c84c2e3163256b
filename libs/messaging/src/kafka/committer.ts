// Commits the offsets of a member's partitions to its group. [D50, F1]
// Owns: one commit at a time, under the generation in which the last batch was fetched.
import type { EachBatchPayload } from 'kafkajs'
import type { KafkaPartition } from './partition.js'

/** @param held the partitions of the current generation */
export function createCommitter(held: () => Iterable<KafkaPartition>) {
  /** One attempt to commit, under the generation of its batch. `consumer.commitOffsets` would retry under later generations. */
  let commitOffsets: EachBatchPayload['commitOffsetsIfNecessary'] | undefined
  let committing: Promise<void> | undefined

  async function commitOnce(): Promise<void> {
    const moved = [...held()].flatMap((partition) => {
      const offset = partition.uncommitted()
      return offset === undefined ? [] : [{ partition, offset }]
    })
    // Before the first batch, no offset has changed.
    if (moved.length === 0 || !commitOffsets) return
    const byTopic = Map.groupBy(moved, ({ partition }) => partition.topic)
    await commitOffsets({
      topics: [...byTopic].map(([topic, ofTopic]) => ({
        topic,
        partitions: ofTopic.map(({ partition: { partition }, offset }) => ({ partition, offset: String(offset) })),
      })),
    })
    for (const { partition, offset } of moved) partition.committed(offset)
  }

  /** Commits the changed offsets, or waits for a commit that is already running. */
  const commit = (): Promise<void> => (committing ??= commitOnce().finally(() => (committing = undefined)))

  return {
    commit,
    /** Commits everything handled so far: a commit that is already running may have started before the last message. */
    async commitLast(): Promise<void> {
      await committing?.catch(() => undefined)
      await commit()
    },
    /** @param commit the `commit` of the latest batch; undefined after a crash, until the next batch */
    use(commit: EachBatchPayload['commitOffsetsIfNecessary'] | undefined): void {
      commitOffsets = commit
    },
  }
}
