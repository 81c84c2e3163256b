// Publishes to Kafka: durable on all in-sync replicas, in order per key. [D48, D50, F1, F2]
// Owns: the lifecycle of the idempotent producer. Does not own: retries (relay.ts repeats a refused batch unchanged).
// After a failed send kafkajs reuses its sequence numbers, although the broker may have stored the batch. The broker treats the next batch
// with these numbers as a copy: a different batch of the same size would be acknowledged and lost. So one batch is sent at a
// time, and after a failure the producer may send only that batch again. A producer that keeps failing is replaced, because kafkajs
// has states from which it does not recover; the inbox drops messages that the new producer stores twice.
import type { Producer } from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'
import { withTimeout } from '@paraph/protocol/deadline'
import type { BusMessage } from '../event-bus.js'
import type { KafkaClient } from './client.js'
import { explainKafkaError, isRefusal, mustReplaceProducer } from './errors.js'

const ACK_MS = 5_000
/**
 * Enough for four requests of a reconnection and the request of the batch if each takes five seconds longer. The nested retries of kafkajs
 * could take minutes. [F2, H11]
 */
const PUBLISH_MS_MAX = 60_000

/** Consecutive failures before a new producer, with pauses of up to 5 s between them. */
const FAILURES_MAX = 10

/** Connects on the first `publish`; event-bus.ts states the guarantees. */
export function createKafkaPublisher({ client, logger }: { client: KafkaClient; logger: Logger }) {
  let producer: Producer | undefined
  let refused: readonly BusMessage[] | undefined
  /** Consecutive failures of the producer without an answer of a broker. */
  let failures = 0
  let last: Promise<void> = Promise.resolve()
  /** The current send; it may outlast the time limit of `publish`. */
  let sending: Promise<void> = Promise.resolve()

  async function publishNext(messages: readonly BusMessage[]): Promise<void> {
    if (refused && !isSame(refused, messages)) discard()
    const sender = (producer ??= client.producer())
    try {
      sending = send(sender, messages)
      await withTimeout(PUBLISH_MS_MAX, sending, () => new TooLate('The brokers took too long.'))
      refused = undefined
      failures = 0
    } catch (error) {
      refused = messages
      failures = isRefusal(error) ? 0 : failures + 1
      if (mustReplaceProducer(error))
        logger.warn({ err: error }, 'Kafka producer cannot continue; a new one repeats the batch')
      // A send that timed out may still arrive, with sequence numbers that no other batch may use.
      if (mustReplaceProducer(error) || error instanceof TooLate || failures === FAILURES_MAX) discard()
      throw explainKafkaError(error)
    }
  }

  function discard(): void {
    const old = producer
    // A disconnect during a send would make kafkajs reconnect.
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
  // Does nothing while connected.
  await producer.connect()
  await producer.sendBatch({ acks: -1, timeout: ACK_MS, topicMessages })
}

class TooLate extends Error {}

function isSame(one: readonly BusMessage[], other: readonly BusMessage[]): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
