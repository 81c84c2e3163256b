// Reads and resets the positions of groups on a Kafka cluster, over a connection that no consumer uses. [D50, H9]
// Owns: ends of partitions, stored positions, the backlog between them, the rewind. An answer proves that the bus is available.
import type { Admin } from 'kafkajs'
import { keyOf, type Backlog } from '../event-bus.js'
import type { KafkaClient } from './client.js'

/** Connects on the first call, and again after a failed one. */
export function createKafkaPositions(client: KafkaClient) {
  let admin: Admin | undefined

  async function withAdmin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const current = (admin ??= client.admin())
    try {
      await current.connect()
      return await work(current)
    } catch (error) {
      if (admin === current) admin = undefined
      await current.disconnect().catch(() => undefined)
      throw error
    }
  }

  return {
    /** @returns those of `topics` that do not exist, or that this user may not see */
    missing: (topics: readonly string[]): Promise<string[]> =>
      withAdmin(async (admin) => {
        const known = new Set(await admin.listTopics())
        return topics.filter((topic) => !known.has(topic))
      }),

    ends: (topics: readonly string[]) => withAdmin((admin) => readEnds(admin, topics)),

    stored: (group: string, topics: readonly string[]): Promise<Map<string, number>> =>
      withAdmin((admin) => readStored(admin, group, topics)),

    /** See `EventBus`. */
    backlog: (group: string, topics: readonly string[]): Promise<Backlog[]> =>
      withAdmin(async (admin) => {
        // Reads the ends last: a position may advance between the two reads, and could then exceed an older end.
        const stored = await readStored(admin, group, topics)
        const ends = await readEnds(admin, topics)
        return ends.map(({ low, high, ...place }) => {
          const next = Math.max(low, stored.get(keyOf(place)) ?? low)
          return { ...place, waiting: Math.max(0, high - next) }
        })
      }),

    /** @throws Error while a member of the group runs */
    rewind: (group: string, topic: string): Promise<void> =>
      withAdmin(async (admin) => {
        const ends = await admin.fetchTopicOffsets(topic)
        const partitions = ends.map(({ partition, low }) => ({ partition, offset: low }))
        await admin.setOffsets({ groupId: group, topic, partitions })
      }),

    async close(): Promise<void> {
      const open = admin
      admin = undefined
      await open?.disconnect().catch(() => undefined)
    },
  }
}

/** The oldest offset and the next offset to be written, for each partition. */
async function readEnds(admin: Admin, topics: readonly string[]) {
  const ends = topics.map(async (topic) => {
    const offsets = await admin.fetchTopicOffsets(topic)
    return offsets.map(({ partition, low, high }) => ({ topic, partition, low: Number(low), high: Number(high) }))
  })
  return (await Promise.all(ends)).flat()
}

/** Key of the place → position of the group; without an entry for a partition that it never committed. */
async function readStored(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  const offsets = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const known = offsets.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => [keyOf({ topic, partition }), Number(offset)] as const),
  )
  return new Map(known.filter(([, offset]) => offset >= 0))
}

export type KafkaPositions = ReturnType<typeof createKafkaPositions>
