// Applies topic-settings.ts to a Kafka cluster, directly on the brokers. [D50]
// Never deletes a topic. Services never create one.
import { TOPICS } from '@paraph/protocol/events'
import { pause } from '@paraph/background/wake-up'
import type { Admin, ConfigResourceTypes, ConfigSource } from 'kafkajs'
import {
  topicErrors,
  planTopics,
  REPLICAS,
  topicsToBe,
  type TopicFound,
  type TopicSettings,
  type TopicChange,
} from './topic-settings.js'

/** Constants of Kafka's protocol, copied because only client.ts imports kafkajs. */
const TOPIC_RESOURCE = 2 satisfies ConfigResourceTypes.TOPIC
const SET_ON_TOPIC = 1 satisfies ConfigSource.TOPIC_CONFIG

const VISIBLE_MS_MAX = 10_000
/** kafkajs queries a random broker each time: after this many consecutive reads per broker, probably every broker was queried. */
const READS_PER_BROKER = 4

/**
 * Creates missing topics, changes configs that differ and raises partitions if `mayRaise`. Idempotent.
 * @param admin connected, and left connected
 * @param fewBrokers with fewer brokers than replicas: refuse, or create as many replicas as there are brokers
 * @returns the steps taken, or planned with `dryRun`; or the errors that forbid all of them
 * @throws the errors of kafkajs
 */
export async function applyTopics(
  admin: Admin,
  settings: TopicSettings,
  {
    dryRun = false,
    mayRaise = false,
    fewBrokers = 'refuse',
  }: { dryRun?: boolean; mayRaise?: boolean; fewBrokers?: 'refuse' | 'fewer copies' } = {},
): Promise<{ steps: TopicChange[] } | { faults: string[] }> {
  const brokers = (await admin.describeCluster()).brokers.length
  const wanted = topicsToBe(settings, fewBrokers === 'refuse' ? REPLICAS : Math.min(REPLICAS, brokers))
  const plan = async () => planTopics(wanted, await findTopics(admin, Object.keys(TOPICS)))
  const steps = await plan()
  const faults = topicErrors(steps, { brokers, mayRaise })
  if (faults.length > 0) return { faults }
  if (!dryRun && steps.some(isChange)) {
    for (const step of steps) await applyStep(admin, step)
    await untilVisible(plan, brokers === 1 ? 1 : brokers * READS_PER_BROKER)
  }
  return { steps }
}

/** A change spreads among the brokers with a delay: waits until every broker shows it. */
async function untilVisible(plan: () => Promise<TopicChange[]>, reads: number): Promise<void> {
  const deadline = AbortSignal.timeout(VISIBLE_MS_MAX)
  let seen = 0
  while (!deadline.aborted) {
    // kafkajs throws for a topic that a broker does not know yet.
    const left = await plan().catch(() => undefined)
    seen = left && !left.some(isChange) ? seen + 1 : 0
    if (seen === reads) return
    if (seen === 0) await pause(50, deadline)
  }
}

const isChange = ({ kind }: TopicChange): boolean => kind !== 'keep'

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

async function applyStep(admin: Admin, step: TopicChange): Promise<void> {
  const { topic } = step
  if (step.kind === 'create') {
    const { partitions: numPartitions, replicas: replicationFactor, configs } = step
    const configEntries = entriesOf(configs)
    // The result is false when the topic was created meanwhile: nothing is left to do.
    const topics = [{ topic, numPartitions, replicationFactor, configEntries }]
    await admin.createTopics({ topics, waitForLeaders: false })
  }
  if (step.kind === 'raise') await admin.createPartitions({ topicPartitions: [{ topic, count: step.to }] })
  if (step.kind === 'configure') {
    const configEntries = entriesOf(step.configs)
    await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC_RESOURCE, name: topic, configEntries }] })
  }
}

const entriesOf = (configs: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(configs).map(([name, value]) => ({ name, value }))
