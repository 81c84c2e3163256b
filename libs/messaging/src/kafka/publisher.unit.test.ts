import { createLogger } from '@paraph/telemetry/logger'
import { expect, it } from '@jest/globals'
import type { BusMessage } from '../event-bus.js'
import type { KafkaClient } from './client.js'
import { createKafkaPublisher } from './publisher.js'

const BATCH: BusMessage[] = [{ topic: 't', key: 'k', headers: {}, value: 'v' }]
const logger = createLogger('test', 'silent')

it.each([
  ['immediately when kafkajs can no longer connect', 'Broker not connected', 1],
  ['after ten failures without an answer', 'The request timed out', 10],
])('the publisher replaces its producer %s [F1, F2]', async (_, message, tries) => {
  const sent: string[] = []
  let producers = 0
  const client = {
    producer() {
      const name = `producer ${(producers += 1)}`
      return {
        connect: async () => undefined,
        disconnect: async () => undefined,
        sendBatch: async () => {
          sent.push(name)
          if (name === 'producer 1') throw new Error(message)
        },
      }
    },
  } as unknown as KafkaClient
  const publisher = createKafkaPublisher({ client, logger })
  for (let n = 0; n < tries; n += 1)
    await expect(publisher.publish(BATCH)).rejects.toThrow('No broker of KAFKA_BROKERS answers')
  await publisher.publish(BATCH)
  expect(sent).toEqual([...Array.from({ length: tries }, () => 'producer 1'), 'producer 2'])
})
