// The trace tests on a real Kafka: the relay writes the trace into the message, and kafkajs is not instrumented. [D51, I13]
import { afterAll } from '@jest/globals'
import { startKafkaBroker, type KafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { makeDataFolder, startStack } from '../../harness/stack/local-stack.js'
import { describeTraces } from './trace-scenarios.js'

let kafka: KafkaBroker
// Hooks after a file's tests run in reverse order: this one runs after the stack has stopped.
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
