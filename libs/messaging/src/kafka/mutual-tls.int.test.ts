// Brokers that authenticate clients by certificate only. Not part of event-bus.int.test.ts, because these brokers have other listeners.
import { randomUUID } from 'node:crypto'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createAuthority } from '@paraph/testing/test/certificate-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { expect, it } from '@jest/globals'
import { startKafkaBroker } from '../../test/kafka-broker-fixture.js'
import { kafkaConnectionOf, type KafkaSettings } from '../bus-settings.js'
import { createKafkaEventBus } from './event-bus.js'
import { startMember } from '../../test/kafka-member-fixture.js'

const WAIT = { timeout: 30_000, interval: 20 }

it('the client presents our certificate to brokers, and names the remedy if it is missing or not accepted [Transport, I14]', async () => {
  const clients = await createAuthority('clients')
  const strangers = await createAuthority('strangers')
  const kafka = await startKafkaBroker({
    properties: {
      'listener.security.protocol.map': 'OPEN:PLAINTEXT,SECURE:SSL,CONTROLLER:PLAINTEXT',
      'listener.name.secure.ssl.client.auth': 'required',
      'listener.name.secure.ssl.truststore.type': 'PEM',
      'listener.name.secure.ssl.truststore.location': clients.caFile,
    },
  })
  const { brokers, caPem } = kafka.secure
  const [ours, strange] = await Promise.all([clients.issue('paraph', 'DNS:c'), strangers.issue('paraph', 'DNS:c')])
  const topic = `topic-${randomUUID()}`
  await kafka.createTopics(topic)
  const settings = { KAFKA_BROKERS: brokers, KAFKA_TLS: 'on', KAFKA_TLS_CA: caPem } as KafkaSettings
  const bus = createKafkaEventBus({
    connection: kafkaConnectionOf({ ...settings, KAFKA_TLS_CERT: ours.certificate, KAFKA_TLS_KEY: ours.key }, 'test'),
    logger: createLogger('test', 'silent'),
  })
  const seen: (string | null)[] = []
  const subscription = bus.subscribe({
    group: topic,
    topics: [topic],
    handle: async (messages) => void seen.push(...messages.map(({ value }) => value)),
  })
  const refused = await Promise.all([
    startMember({ group: topic, topic, connection: { brokers, tls: { caPem } } }),
    startMember({
      group: topic,
      topic,
      connection: { brokers, tls: { caPem, certPem: strange.certificate, keyPem: strange.key } },
    }),
  ])
  try {
    await bus.publish([{ topic, key: 'k', headers: {}, value: 'known by its certificate' }])
    await waitFor(() => expectWithMessage(seen, 'what was published').toEqual(['known by its certificate']), WAIT)
    for (const member of refused) {
      await waitFor(() => expect(member.output()).toMatch(/"level":"warn".*KAFKA_TLS_CERT/), WAIT)
      expect(member.output()).not.toMatch(/PRIVATE|BEGIN|"level":"error"/)
    }
  } finally {
    await Promise.all(refused.map((member) => member.end()))
    await subscription.stop()
    await bus.close()
    await kafka.stop()
    await Promise.all([clients.close(), strangers.close()])
  }
}, 120_000)
