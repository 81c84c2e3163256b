// Brings the topics of a Kafka cluster to what topic-settings.ts says. Talks to the brokers itself, through no service.
// Never deletes a topic, never makes one on the side: services only use what this made. [D50]
import { TOPICS } from '@paraph/protocol/events'
import { pause } from '@paraph/service/wake-up'
import type { Admin, ConfigResourceTypes, ConfigSource } from 'kafkajs'
import {
  faultsOfTopics,
  planTopics,
  REPLICAS,
  topicsToBe,
  type TopicFound,
  type TopicSettings,
  type TopicStep,
} from './topic-settings.js'

/** The numbers of Kafka's protocol; kafkajs itself is imported by kafka-client.ts alone. */
const TOPIC_RESOURCE = 2 satisfies ConfigResourceTypes.TOPIC
const SET_ON_TOPIC = 1 satisfies ConfigSource.TOPIC_CONFIG

const SEEN_MS_MAX = 10_000
/** Each look asks a broker that kafkajs draws: so many in a row, for each broker, and hardly one was left out. */
const LOOKS_PER_BROKER = 4

/**
 * Creates what is missing, changes configs that differ and, where asked, raises partitions. Done twice it changes nothing more.
 * @param admin connected; stays so
 * @param fewBrokers with fewer brokers than copies: say so, or make as many copies as there are brokers
 * @returns the steps that were taken, or would be with `dryRun`; or the sentences that forbid all of them
 * @throws what kafkajs throws
 */
export async function applyTopics(
  admin: Admin,
  settings: TopicSettings,
  {
    dryRun = false,
    mayRaise = false,
    fewBrokers = 'refuse',
  }: { dryRun?: boolean; mayRaise?: boolean; fewBrokers?: 'refuse' | 'fewer copies' } = {},
): Promise<{ steps: TopicStep[] } | { faults: string[] }> {
  const brokers = (await admin.describeCluster()).brokers.length
  const wanted = topicsToBe(settings, fewBrokers === 'refuse' ? REPLICAS : Math.min(REPLICAS, brokers))
  const plan = async () => planTopics(wanted, await findTopics(admin, Object.keys(TOPICS)))
  const steps = await plan()
  const faults = faultsOfTopics(steps, { brokers, mayRaise })
  if (faults.length > 0) return { faults }
  if (!dryRun && steps.some(isChange)) {
    for (const step of steps) await take(admin, step)
    await untilSeen(plan, brokers === 1 ? 1 : brokers * LOOKS_PER_BROKER)
  }
  return { steps }
}

/** The brokers tell each other of a change, and until then say what was: whoever comes next shall find it done. */
async function untilSeen(plan: () => Promise<TopicStep[]>, looks: number): Promise<void> {
  const deadline = AbortSignal.timeout(SEEN_MS_MAX)
  let seen = 0
  while (!deadline.aborted) {
    // A topic that some broker does not know yet is an error to kafkajs.
    const left = await plan().catch(() => undefined)
    seen = left && !left.some(isChange) ? seen + 1 : 0
    if (seen === looks) return
    if (seen === 0) await pause(50, deadline)
  }
}

const isChange = ({ kind }: TopicStep): boolean => kind !== 'keep'

async function findTopics(admin: Admin, topics: readonly string[]): Promise<Map<string, TopicFound>> {
  const there = new Set(await admin.listTopics())
  const known = topics.filter((topic) => there.has(topic))
  if (known.length === 0) return new Map()
  const metadata = await admin.fetchTopicMetadata({ topics: known })
  const described = await admin.describeConfigs({
    includeSynonyms: false,
    resources: known.map((name) => ({ type: TOPIC_RESOURCE, name })),
  })
  const configsOf = (topic: string): Record<string, string> =>
    Object.fromEntries(
      (described.resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [])
        .filter((entry) => Number(entry.configSource) === SET_ON_TOPIC)
        .map(({ configName, configValue }) => [configName, configValue]),
    )
  return new Map(
    metadata.topics.map(({ name, partitions }) => [
      name,
      { partitions: partitions.length, replicas: partitions[0]?.replicas.length ?? 0, configs: configsOf(name) },
    ]),
  )
}

async function take(admin: Admin, step: TopicStep): Promise<void> {
  switch (step.kind) {
    case 'create': {
      const { topic, partitions: numPartitions, replicas: replicationFactor } = step
      const configEntries = entriesOf(step.configs)
      // False when somebody else made it meanwhile: then there is nothing to do either.
      await admin.createTopics({
        topics: [{ topic, numPartitions, replicationFactor, configEntries }],
        waitForLeaders: false,
      })
      return
    }
    case 'raise':
      await admin.createPartitions({ topicPartitions: [{ topic: step.topic, count: step.to }] })
      return
    case 'configure':
      await admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: TOPIC_RESOURCE, name: step.topic, configEntries: entriesOf(step.configs) }],
      })
      return
    case 'keep':
      return
    default:
      step satisfies never
  }
}

const entriesOf = (configs: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(configs).map(([name, value]) => ({ name, value }))
