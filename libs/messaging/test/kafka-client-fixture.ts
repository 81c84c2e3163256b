// A KafkaClient without brokers, for situations that a test cannot produce with a real broker. A test sets the state of the group and the
// log.
// Owns: one topic, one consumer. The int tests use real brokers.
import type { KafkaClient } from '../src/kafka/client.js'

type Committed = { partition: number; offset: number }[]

/** @param logs lowest and next offset of each partition */
export function createKafkaClientFixture(topic: string, logs: { low: number; high: number }[]) {
  const listeners = new Map<string, (event: { payload: unknown }) => void>()
  const stored = new Map<number, number>()
  const tries: Committed[] = []
  let members = 0
  let beforeJoin = async (): Promise<void> => undefined
  let eachBatch: (payload: unknown) => Promise<void> = async () => undefined
  /** The calls of kafkajs; a test may replace a call to delay it or to make it fail. */
  const around = {
    commit: async (store: () => void): Promise<void> => store(),
    ends: async (): Promise<void> => undefined,
    disconnect: async (): Promise<void> => undefined,
  }

  async function commit(committed: Committed): Promise<void> {
    tries.push(committed)
    await around.commit(() => committed.forEach(({ partition, offset }) => stored.set(partition, offset)))
  }

  const events = Object.fromEntries(
    ['GROUP_JOIN', 'HEARTBEAT', 'CRASH', 'END_BATCH_PROCESS'].map((name) => [name, name]),
  )
  const consumer = {
    events,
    on: (name: string, listener: (event: { payload: unknown }) => void) => void listeners.set(name, listener),
    connect: async () => undefined,
    subscribe: async () => undefined,
    run: async (options: { eachBatch: typeof eachBatch }) => void (eachBatch = options.eachBatch),
    resume: () => undefined,
    pause: () => undefined,
    disconnect: () => around.disconnect(),
  }
  const admin = {
    connect: async () => undefined,
    disconnect: async () => undefined,
    listTopics: async () => [topic],
    fetchTopicOffsets: async () => {
      const ends = logs.map(({ low, high }, partition) => ({ partition, low: String(low), high: String(high) }))
      await around.ends()
      return ends
    },
    fetchOffsets: async () => [
      { topic, partitions: logs.map((_, partition) => ({ partition, offset: String(stored.get(partition) ?? -1) })) },
    ],
  }
  const emit = (name: string, payload: unknown): void => listeners.get(name)?.({ payload })

  return {
    client: {
      admin: () => admin,
      consumer: (options: { beforeJoin: typeof beforeJoin }) => {
        members += 1
        beforeJoin = options.beforeJoin
        return consumer
      },
    } as unknown as KafkaClient,
    logs,
    /** Partition → committed offset of the group. */
    stored,
    /** Every attempted commit, whether it was stored or not. */
    tries,
    around,
    /** Starts a group generation that assigns these partitions to this member. `others` runs before the assignment. */
    async join(partitions: number[], others: () => void = () => undefined): Promise<void> {
      await beforeJoin()
      others()
      emit('GROUP_JOIN', { memberAssignment: { [topic]: partitions } })
    },
    /** Delivers messages with these offsets to the member. */
    deliver: (partition: number, offsets: number[]): Promise<void> =>
      eachBatch({
        batch: {
          topic,
          partition,
          highWatermark: String(logs[partition]?.high),
          messages: offsets.map((offset) => ({ offset: String(offset), value: null, timestamp: '0' })),
        },
        commitOffsetsIfNecessary: ({ topics }: { topics: { partitions: { partition: number; offset: string }[] }[] }) =>
          commit(topics.flatMap((each) => each.partitions).map((each) => ({ ...each, offset: Number(each.offset) }))),
      }),
    crash: (error = new Error('The connection is gone.'), restart = true): void => emit('CRASH', { error, restart }),
    heartbeat: (): void => emit('HEARTBEAT', {}),
    /** The number of members so far; only the last one is in the group. */
    members: () => members,
  }
}
