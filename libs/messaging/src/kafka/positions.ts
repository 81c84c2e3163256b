// What a Kafka cluster says of topics and groups, over a connection that no consumer uses. [D50, H9]
// Owns: ends of partitions, stored positions and what is between them, the rewind. That it answers is the proof that the bus is there.
import type { Admin } from 'kafkajs'
import type { Backlog } from './event-bus.js'
import type { KafkaClient } from './kafka-client.js'

export interface PartitionEnds {
  topic: string
  partition: number
  /** The oldest offset kept, and the next one to be written. */
  low: number
  high: number
}

/** Connects at the first call, and anew after a call that failed. */
export function createKafkaPositions(client: KafkaClient) {
  let admin: Admin | undefined

  async function ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    const asked = (admin ??= client.admin())
    try {
      await asked.connect()
      return await question(asked)
    } catch (error) {
      if (admin === asked) admin = undefined
      await asked.disconnect().catch(() => undefined)
      throw error
    }
  }

  return {
    /** @returns which of `topics` do not exist, or may not be seen by this user */
    missing: (topics: readonly string[]): Promise<string[]> =>
      ask(async (admin) => {
        const known = new Set(await admin.listTopics())
        return topics.filter((topic) => !known.has(topic))
      }),

    ends: (topics: readonly string[]): Promise<PartitionEnds[]> => ask((admin) => readEnds(admin, topics)),

    stored: (group: string, topics: readonly string[]): Promise<Map<string, number>> =>
      ask((admin) => readStored(admin, group, topics)),

    /** What EventBus promises of it. */
    backlog: (group: string, topics: readonly string[]): Promise<Backlog[]> =>
      ask(async (admin) => {
        // In this order: a position may move on meanwhile, and an end that is older is less than it.
        const stored = await readStored(admin, group, topics)
        const ends = await readEnds(admin, topics)
        return ends.map(({ topic, partition, low, high }) => {
          const next = Math.max(low, stored.get(`${topic}/${partition}`) ?? low)
          return { topic, partition, waiting: Math.max(0, high - next) }
        })
      }),

    /** @throws Error while a member of the group runs */
    rewind: (group: string, topic: string): Promise<void> =>
      ask(async (admin) => {
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

async function readEnds(admin: Admin, topics: readonly string[]): Promise<PartitionEnds[]> {
  const ends = topics.map(async (topic) => {
    const offsets = await admin.fetchTopicOffsets(topic)
    return offsets.map(({ partition, low, high }) => ({ topic, partition, low: Number(low), high: Number(high) }))
  })
  return (await Promise.all(ends)).flat()
}

/** `topic/partition` → where the group goes on; nothing for a partition that it never committed. */
async function readStored(admin: Admin, group: string, topics: readonly string[]): Promise<Map<string, number>> {
  const offsets = await admin.fetchOffsets({ groupId: group, topics: [...topics] })
  const known = offsets.flatMap(({ topic, partitions }) =>
    partitions.map(({ partition, offset }) => [`${topic}/${partition}`, Number(offset)] as const),
  )
  return new Map(known.filter(([, offset]) => offset >= 0))
}

export type KafkaPositions = ReturnType<typeof createKafkaPositions>
