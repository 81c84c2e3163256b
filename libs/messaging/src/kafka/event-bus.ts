// The bus on Apache Kafka, behind the EventBus interface. [D50]
// Owns: how its parts fit together. Publishing is kafka-publisher.ts, a member of a group kafka-subscription.ts, kafkajs kafka-client.ts.
import type { Logger } from '@paraph/telemetry/logger'
import { waitAtMost } from '@paraph/service/deadline'
import type { EventBus, SubscribeOptions } from './event-bus.js'
import { createKafkaClient, type KafkaConnection } from './kafka-client.js'
import { createKafkaPositions } from './kafka-positions.js'
import { createKafkaPublisher } from './kafka-publisher.js'
import { createKafkaSubscription } from './kafka-subscription.js'

/** While the brokers are away, what is being sent ends later than a service may take to stop. */
const CLOSE_MS_MAX = 1_000

/**
 * Connects when it is first used. Topics must exist; nothing creates them here.
 * @param onFatal is told when a consumer has ended for good, which kafkajs does without a word. The default ends the process
 */
export function createKafkaEventBus({
  connection,
  logger,
  onFatal = endProcess,
}: {
  connection: KafkaConnection
  logger: Logger
  onFatal?: (error: Error) => void
}): EventBus {
  const client = createKafkaClient(connection, logger)
  const publisher = createKafkaPublisher({ client, logger })
  const positions = createKafkaPositions(client)

  return {
    publish: publisher.publish,
    subscribe: (options: SubscribeOptions) => createKafkaSubscription({ client, logger, onFatal, ...options }),
    rewind: positions.rewind,
    backlog: positions.backlog,
    async close(): Promise<void> {
      await waitAtMost(CLOSE_MS_MAX, Promise.all([publisher.close(), positions.close()]))
    },
  }
}

/** Outside any promise: inside one, kafkajs would catch it. run.ts ends a process that meets it. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
