// Publishes to Kafka: durable on all in-sync replicas, in order per key. [D48, D50, F1, F2]
// Owns: the idempotent producer's life. Does not own: trying again (relay.ts sends a refused batch again, unchanged).
// After a failed send kafkajs takes its sequence numbers back, though the broker may have stored the batch. Whatever is sent next
// under the same numbers is taken for a copy: another batch of the same size would be acknowledged and lost. So one batch is sent
// at a time, and after a failure only the very same batch may use the same producer. Not for ever: kafkajs has states out of which it
// does not find by itself. What a new producer stored a second time is known to the inbox.
import type { Producer } from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'
import { within } from '@paraph/service/deadline'
import type { BusMessage } from './event-bus.js'
import type { KafkaClient } from './kafka-client.js'
import { explainKafkaFault, isRefusal, mustReplaceProducer } from './kafka-fault.js'

const ACK_MS = 5_000
/**
 * A reconnection takes four requests, and the batch one more: less than this with brokers that are five seconds late. kafkajs's loops within
 * loops can take minutes. [F2, H11]
 */
const PUBLISH_MS_MAX = 60_000

/** In a row, with pauses of up to 5 s between them. */
const FAILURES_MAX = 10

/** Connects at the first `publish`; what that promises is in event-bus.ts. */
export function createKafkaPublisher({ client, logger }: { client: KafkaClient; logger: Logger }) {
  let producer: Producer | undefined
  let refused: readonly BusMessage[] | undefined
  /** Of the producer, in a row, without an answer. */
  let failures = 0
  let last: Promise<void> = Promise.resolve()
  /** What the producer does; it may go on when nobody waits for it any more. */
  let sending: Promise<void> = Promise.resolve()

  async function publishNext(messages: readonly BusMessage[]): Promise<void> {
    if (refused && !isSame(refused, messages)) discard()
    const sender = (producer ??= client.producer())
    try {
      sending = send(sender, messages)
      await within(PUBLISH_MS_MAX, sending, () => new TooLate('The brokers took too long.'))
      refused = undefined
      failures = 0
    } catch (error) {
      refused = messages
      failures = isRefusal(error) ? 0 : failures + 1
      if (mustReplaceProducer(error))
        logger.warn({ err: error }, 'a producer of Kafka is of no use any more; a new one sends the batch again')
      // A send that was given up may still arrive, under numbers that nothing else may have.
      if (mustReplaceProducer(error) || error instanceof TooLate || failures === FAILURES_MAX) discard()
      throw explainKafkaFault(error)
    }
  }

  function discard(): void {
    const old = producer
    // Before that it would connect again.
    void sending.catch(() => undefined).then(() => old?.disconnect().catch(() => undefined))
    producer = refused = undefined
    failures = 0
  }

  return {
    publish(messages: readonly BusMessage[]): Promise<void> {
      if (messages.length === 0) return Promise.resolve()
      const published = last.then(() => publishNext(messages))
      last = published.catch(() => undefined)
      return published
    },
    async close(): Promise<void> {
      await last
      await producer?.disconnect().catch(() => undefined)
      producer = undefined
    },
  }
}

async function send(producer: Producer, messages: readonly BusMessage[]): Promise<void> {
  const topicMessages = [...Map.groupBy(messages, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
    topic,
    messages: ofTopic.map(({ key, headers, value }) => ({ key, headers, value })),
  }))
  // Does nothing where it is connected.
  await producer.connect()
  await producer.sendBatch({ acks: -1, timeout: ACK_MS, topicMessages })
}

class TooLate extends Error {}

function isSame(one: readonly BusMessage[], other: readonly BusMessage[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
