// Brings the topics to what they are to be, as the launcher and `paraph topics apply` do it; faults become sentences.
import { kafkaConnectionOf } from '@paraph/messaging/bus-settings'
import { createKafkaClient } from '@paraph/messaging/kafka-client'
import { describeKafkaFault } from '@paraph/messaging/kafka-fault'
import { applyTopics } from '@paraph/messaging/kafka-topics'
import type { TopicStep } from '@paraph/messaging/topic-settings'
import { createLogger } from '@paraph/telemetry/logger'
import type { LauncherConfig } from './config.js'
import { Refusal } from './refusal.js'

/**
 * Applies the settings to the brokers that they name.
 * @returns the steps taken, or that would be with `dryRun`; none where the bus is the embedded one
 * @throws Refusal when nothing could or may be done
 */
export async function applyTopicsOf(
  { broker, topics }: Pick<LauncherConfig, 'broker' | 'topics'>,
  options: Parameters<typeof applyTopics>[2],
): Promise<TopicStep[]> {
  if (broker.EVENT_BUS !== 'kafka') return []
  const connection = kafkaConnectionOf(broker, 'paraph-topics')
  // What kafkajs tells on the way is in the error that ends it.
  const admin = createKafkaClient(connection, createLogger('topics', 'silent')).admin()
  try {
    await admin.connect()
    const applied = await applyTopics(admin, topics, options)
    if ('faults' in applied) throw new Refusal(applied.faults.join('\n'))
    return applied.steps
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(describeKafkaFault(error), { cause: error })
  } finally {
    await admin.disconnect()
  }
}
