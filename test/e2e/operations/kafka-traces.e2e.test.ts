// The tests of traces on a real Kafka, where the outbox relay writes the trace context into each message. [D51, I13]
import { afterAll } from '@jest/globals'
import { startKafkaBroker, type KafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { makeDataFolder, startStack } from '../../harness/stack/local-stack.js'
import { describeTraces } from './trace-scenarios.js'

let kafka: KafkaBroker
// After hooks run in reverse order (environment.mjs), so this hook runs after the stack has stopped.
afterAll(async () => {
  await kafka?.stop()
})

describeTraces(async (environment) => {
  kafka = await startKafkaBroker()
  return startStack(await makeDataFolder(), {
    ...environment,
    EVENT_BUS: 'kafka',
    KAFKA_BROKERS: kafka.brokers.join(','),
  })
})
