// The desired topics, and the steps from the existing ones to them. Pure. [D50]
// Owns: partitions, replicas, retention, and which changes need consent. Does not own: applying them (topics.ts).
import { TOPICS, type Topic } from '@paraph/protocol/events'
import { z } from 'zod'

const DAY_MS = 86_400_000
/** The inbox must remember a message for longer than the topic keeps it, or a replay would handle the message twice. */
const RETENTION_DAYS_MAX = 44
/**
 * Kafka deletes a segment when its newest message is past the retention, so the oldest message lives longer, by the time span of a segment
 * (default: a week). With this span, Kafka deletes it before the inbox does.
 */
const SEGMENT_MS = DAY_MS / 2

/** The choices of an installation, the same for all topics. */
export const topicSettings = {
  /** Members of a group that can work in parallel. Choose it before the first event: raising it later breaks the order once. */
  KAFKA_TOPIC_PARTITIONS: z.coerce.number().int().min(1).max(1_000).default(8),
  /** The number of replicas of each partition. Default: 3. */
  KAFKA_TOPIC_REPLICAS: z.coerce.number().int().min(1).max(10).optional(),
  /** Replicas that must have an event before it counts as published. Default: one less than the number of brokers. */
  KAFKA_TOPIC_IN_SYNC_REPLICAS: z.coerce.number().int().min(1).max(10).optional(),
  /** How far back a replay can go. Must be less than the retention of the inbox, because a replay would otherwise handle events again. */
  KAFKA_TOPIC_RETENTION_DAYS: z.coerce.number().int().min(1).max(RETENTION_DAYS_MAX).default(30),
}

export type TopicSettings = Readonly<z.infer<z.ZodObject<typeof topicSettings>>>

/** Survives the loss of one broker during the maintenance of another. */
export const REPLICAS = 3

export interface TopicSetting {
  topic: Topic
  partitions: number
  replicas: number
  /** Kafka's own names. */
  configs: Readonly<Record<string, string>>
}

/** A topic on the brokers. `configs`: set on the topic itself, not taken from the broker's defaults. */
export type TopicFound = Omit<TopicSetting, 'topic'>

export type TopicChange =
  | ({ kind: 'create' } & TopicSetting)
  | { kind: 'raise'; topic: Topic; from: number; to: number }
  /** `configs` is the complete set afterwards: Kafka replaces all of it. */
  | ({ kind: 'configure'; changed: readonly string[] } & Omit<TopicSetting, 'partitions'>)
  /** A difference that cannot be, or need not be, changed in place. */
  | { kind: 'keep'; topic: Topic; sentence: string }

/** The desired topics. @param defaultReplicas without KAFKA_TOPIC_REPLICAS */
export function topicsToBe(settings: TopicSettings, defaultReplicas = REPLICAS): TopicSetting[] {
  const replicas = settings.KAFKA_TOPIC_REPLICAS ?? defaultReplicas
  const inSync = settings.KAFKA_TOPIC_IN_SYNC_REPLICAS ?? Math.max(1, replicas - 1)
  const configs = {
    'cleanup.policy': 'delete',
    'retention.ms': String(settings.KAFKA_TOPIC_RETENTION_DAYS * DAY_MS),
    'segment.ms': String(SEGMENT_MS),
    'min.insync.replicas': String(inSync),
    // A broker that missed events must not become the leader.
    'unclean.leader.election.enable': 'false',
    // The brokers' clock instead of the publishers': one clock decides the age of an event.
    'message.timestamp.type': 'LogAppendTime',
  }
  return (Object.keys(TOPICS) as Topic[]).map((topic) => ({
    topic,
    replicas,
    configs,
    partitions: settings.KAFKA_TOPIC_PARTITIONS,
  }))
}

/**
 * The steps from `found` to `wanted`; empty when nothing differs. Nothing is deleted, reduced or reset: configs that others set on a topic
 * stay.
 */
export function planTopics(wanted: readonly TopicSetting[], found: ReadonlyMap<string, TopicFound>): TopicChange[] {
  return wanted.flatMap((setting): TopicChange[] => {
    const { topic } = setting
    const now = found.get(topic)
    if (!now) return [{ kind: 'create', ...setting }]
    const steps: TopicChange[] = []
    const keep = (sentence: string) => steps.push({ kind: 'keep', topic, sentence })
    if (now.partitions < setting.partitions)
      steps.push({ kind: 'raise', topic, from: now.partitions, to: setting.partitions })
    if (now.partitions > setting.partitions)
      keep(`has ${now.partitions} partitions, not ${setting.partitions}; Kafka cannot make them fewer.`)
    if (now.replicas !== setting.replicas)
      keep(`has ${copies(now.replicas)}, not ${setting.replicas}; kafka-reassign-partitions changes that.`)
    const changed = Object.entries(setting.configs).filter(([name, value]) => now.configs[name] !== value)
    if (changed.length > 0) {
      const configs = { ...now.configs, ...setting.configs }
      const sentences = changed.map(([name, value]) => `${name} ${now.configs[name] ?? 'unset'} → ${value}`)
      steps.push({ kind: 'configure', topic, configs, changed: sentences, replicas: now.replicas })
    }
    return steps
  })
}

/** The errors that forbid all steps, one sentence each. @param brokers their number */
export function topicErrors(
  steps: readonly TopicChange[],
  { brokers, mayRaise }: { brokers: number; mayRaise: boolean },
): string[] {
  const errors: string[] = []
  const blocked = steps.flatMap((step) => {
    if (step.kind !== 'create' && step.kind !== 'configure') return []
    const { topic, replicas } = step
    const inSync = Number(step.configs['min.insync.replicas'])
    return inSync > replicas ? [`${topic}: ${inSync} of ${copies(replicas)}`] : []
  })
  if (blocked.length > 0)
    errors.push(
      `More copies would have to be in sync than there are (${blocked.join(', ')}): no event could be published. Set KAFKA_TOPIC_REPLICAS and KAFKA_TOPIC_IN_SYNC_REPLICAS to what the topics have, or give them more copies first (kafka-reassign-partitions).`,
    )
  const most = Math.max(0, ...steps.map((step) => (step.kind === 'create' ? step.replicas : 0)))
  if (most > brokers)
    errors.push(
      `The cluster has ${counted(brokers, 'broker')}, and ${most} copies of each event need ${most}. Add brokers, or set KAFKA_TOPIC_REPLICAS=${brokers}.`,
    )
  const raised = steps.filter((step) => step.kind === 'raise')
  if (raised.length > 0 && !mayRaise) {
    const which = raised.map(({ topic, from, to }) => `${topic} from ${from} to ${to}`).join(', ')
    errors.push(
      `More partitions (${which}) would give contracts new places while their older events still wait in the old ones: they would be handled out of order. Stop every service when all events are handled, then add --raise-partitions; or set KAFKA_TOPIC_PARTITIONS to what is there.`,
    )
  }
  return errors
}

/** A step in one line. */
export function describeChange(step: TopicChange): string {
  switch (step.kind) {
    case 'create': {
      const configs = Object.entries(step.configs).map(([name, value]) => `${name}=${value}`)
      return `${step.topic}: create with ${counted(step.partitions, 'partition')}, ${copies(step.replicas)}, ${configs.join(', ')}`
    }
    case 'raise':
      return `${step.topic}: raise partitions ${step.from} → ${step.to}`
    case 'configure':
      return `${step.topic}: set ${step.changed.join(', ')}`
    case 'keep':
      return `${step.topic}: ${step.sentence}`
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const copies = (count: number): string => (count === 1 ? '1 copy' : `${count} copies`)
