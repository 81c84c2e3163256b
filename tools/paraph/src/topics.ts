// Applies the topic settings for the launcher and for `paraph topics apply`; errors become sentences.
import { kafkaConnectionOf } from '@paraph/messaging/bus-settings'
import { createKafkaClient } from '@paraph/messaging/kafka/client'
import { describeKafkaError } from '@paraph/messaging/kafka/errors'
import { applyTopics } from '@paraph/messaging/kafka/topics'
import type { TopicChange } from '@paraph/messaging/kafka/topic-settings'
import { createLogger } from '@paraph/telemetry/logger'
import type { LauncherConfig } from './config.js'
import { UserError } from '@paraph/config/refusal'

/**
 * Applies the settings to the brokers that they name.
 * @returns the steps taken, or planned with `dryRun`; none with the embedded bus
 * @throws UserError when the brokers or the settings forbid the changes
 */
export async function applyTopicsOf(
  { broker, topics }: Pick<LauncherConfig, 'broker' | 'topics'>,
  options: Parameters<typeof applyTopics>[2],
): Promise<TopicChange[]> {
  if (broker.EVENT_BUS !== 'kafka') return []
  const connection = kafkaConnectionOf(broker, 'paraph-topics')
  // The final error contains what kafkajs would log on the way.
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
