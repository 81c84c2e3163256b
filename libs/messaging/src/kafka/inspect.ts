// What a user of a Kafka cluster sees: the topics, their partitions and copies, and its rights. Publishes and changes nothing. Owns the
// calls; `paraph doctor` judges the result.
import { createLogger } from '@paraph/telemetry/logger'
import type { Topic } from '@paraph/protocol/events'
import { createKafkaClient, type KafkaConnection } from './client.js'
import { describeKafkaError } from './errors.js'

export interface BrokerInspection {
  /** Of the topics asked for, those that this user sees. `copies` and `inSync` are those of the worst partition. */
  topics: readonly { topic: Topic; partitions: number; copies: number; inSync: number }[]
  /** One sentence with a remedy for each right that the user lacks. */
  lacking: readonly string[]
}

interface Wanted {
  topics: readonly Topic[]
  /** The consumer group, for a service that consumes. */
  group: string | undefined
}

/**
 * Connects as the user of `connection` and reads. The right to write is proven by the start of an idempotent producer, which publishes
 * nothing; the right to read events by the positions of the group. Never rejects.
 * @returns the inspection, or one sentence about why the brokers gave none
 */
export async function inspectBrokers(
  connection: KafkaConnection,
  { topics, group }: Wanted,
): Promise<BrokerInspection | { failure: string }> {
  // kafkajs logs nothing here: the sentence contains the same information.
  const client = createKafkaClient(connection, createLogger('doctor', 'silent'))
  const admin = client.admin()
  try {
    await admin.connect()
    const seen = new Set(await admin.listTopics())
    const known = topics.filter((topic) => seen.has(topic))
    const described = known.length === 0 ? [] : (await admin.fetchTopicMetadata({ topics: known })).topics
    const attempts = [tryPublish(client), ...(group === undefined ? [] : [tryGroup(admin, group, known)])]
    return {
      topics: described.map(({ name, partitions }) => ({
        topic: name as Topic,
        partitions: partitions.length,
        copies: Math.min(...partitions.map(({ replicas }) => replicas.length)),
        inSync: Math.min(...partitions.map(({ isr }) => isr.length)),
      })),
      lacking: (await Promise.all(attempts)).filter((sentence) => sentence !== undefined),
    }
  } catch (error) {
    return { failure: describeKafkaError(error) }
  } finally {
    await admin.disconnect().catch(() => undefined)
  }
}

async function tryPublish(client: ReturnType<typeof createKafkaClient>): Promise<string | undefined> {
  const producer = client.producer()
  try {
    await producer.connect()
    return undefined
  } catch (error) {
    return describeKafkaError(error)
  } finally {
    await producer.disconnect().catch(() => undefined)
  }
}

const tryGroup = (
  admin: ReturnType<ReturnType<typeof createKafkaClient>['admin']>,
  groupId: string,
  topics: readonly string[],
): Promise<string | undefined> =>
  admin.fetchOffsets({ groupId, topics: [...topics] }).then(
    () => undefined,
    (error: unknown) => (isWithoutCoordinator(error) ? NO_COORDINATOR : describeKafkaError(error)),
  )

/** kafkajs drops the reason why a broker named no coordinator. These brokers have just answered, so it is not an outage. */
const NO_COORDINATOR =
  'No broker names the coordinator of the consumer group: this user has no right to the group (GROUP_AUTHORIZATION_FAILED), or the brokers are still starting. docs/how-to/operators/kafka.md lists the rights.'

function isWithoutCoordinator(error: unknown): boolean {
  const { name, cause } = error as { name?: unknown; cause?: unknown }
  return name === 'KafkaJSGroupCoordinatorNotFound' || (cause instanceof Error && isWithoutCoordinator(cause))
}
