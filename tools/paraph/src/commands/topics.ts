// `paraph topics …`: creates and configures the Kafka topics, directly on the brokers that the services use. [D50]
import { kafkaConnectionOf } from '@paraph/messaging/bus-settings'
import { createKafkaClient } from '@paraph/messaging/kafka/client'
import { describeKafkaError } from '@paraph/messaging/kafka/errors'
import { describeChange, type TopicChange } from '@paraph/messaging/kafka/topic-settings'
import { applyTopics } from '@paraph/messaging/kafka/topics'
import { createLogger } from '@paraph/telemetry/logger'
import { UserError } from '@paraph/config/refusal'
import type { Command } from '../command.js'
import type { LauncherConfig } from '../config.js'

export const topicsCommands: readonly Command[] = [
  {
    name: 'topics apply',
    purpose: 'Creates missing Kafka topics and applies settings that differ. Deletes nothing.',
    options: { 'dry-run': {}, 'raise-partitions': {} },
    runAlone: async (config, { 'dry-run': dry, 'raise-partitions': raise }) => {
      const dryRun = dry !== undefined
      const eventBus = config.broker.EVENT_BUS
      const steps = await applyTopicsOf(config, { dryRun, mayRaise: raise !== undefined })
      const none = 'The embedded event bus (EVENT_BUS is not kafka) has no topics to apply.'
      return { answer: { eventBus, dryRun, steps }, text: eventBus === 'kafka' ? textOf(steps, dryRun) : none }
    },
  },
]

function textOf(steps: readonly TopicChange[], dryRun: boolean): string {
  const kept = steps.filter(({ kind }) => kind === 'keep')
  const taken = steps.filter(({ kind }) => kind !== 'keep')
  const list = (head: string, some: readonly TopicChange[]): string[] =>
    some.length === 0 ? [] : [head, ...some.map((step) => `  ${describeChange(step)}`)]
  const done =
    taken.length === 0 ? ['There is nothing to do.'] : list(dryRun ? 'Planned changes (dry run):' : 'Done:', taken)
  return [...done, ...list('Not changed:', kept)].join('\n')
}

/**
 * Applies the topic settings to the brokers of KAFKA_BROKERS.
 * @returns the steps taken, or planned with `dryRun`; none with the embedded bus
 * @throws UserError when the brokers or the settings forbid the changes
 */
export async function applyTopicsOf(
  { broker, topics }: Pick<LauncherConfig, 'broker' | 'topics'>,
  options: Parameters<typeof applyTopics>[2],
): Promise<TopicChange[]> {
  if (broker.EVENT_BUS !== 'kafka') return []
  const connection = kafkaConnectionOf(broker, 'paraph-topics')
  // kafkajs logs nothing here: the final error contains the same information.
  const admin = createKafkaClient(connection, createLogger('topics', 'silent')).admin()
  try {
    await admin.connect()
    const applied = await applyTopics(admin, topics, options)
    if ('faults' in applied) throw new UserError(applied.faults.join('\n'))
    return applied.steps
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(describeKafkaError(error), { cause: error })
  } finally {
    await admin.disconnect()
  }
}
