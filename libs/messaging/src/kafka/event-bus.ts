// The bus on Apache Kafka, behind the EventBus interface. [D50]
// Owns: assembling its parts: publisher.ts publishes, subscription.ts is a member of a group, client.ts wraps kafkajs.
import type { Logger } from '@paraph/telemetry/logger'
import { waitAtMost } from '@paraph/protocol/deadline'
import type { EventBus, SubscribeOptions } from '../event-bus.js'
import { createKafkaClient, type KafkaConnection } from './client.js'
import { createKafkaPositions } from './positions.js'
import { createKafkaPublisher } from './publisher.js'
import { createKafkaSubscription } from './subscription.js'

/** While the brokers are unavailable, a send takes longer than a service may take to stop. */
const CLOSE_MS_MAX = 1_000

export interface KafkaEventBusDeps {
  connection: KafkaConnection
  logger: Logger
  /** Called when kafkajs has ended a consumer permanently, which kafkajs does not report. By default, ends the process. */
  onFatal?: (error: Error) => void
}

/** Connects on first use. Topics must exist: the bus never creates them. */
export function createKafkaEventBus({ connection, logger, onFatal = endProcess }: KafkaEventBusDeps): EventBus {
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

/** Throws outside any promise, where kafkajs cannot catch it; run.ts then ends the process. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
