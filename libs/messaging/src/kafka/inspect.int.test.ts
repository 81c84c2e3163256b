// What `paraph doctor` reads from the brokers as a user with all, some or none of its rights.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { TOPICS, type Topic } from '@paraph/protocol/events'
import { waitFor } from '@paraph/testing/wait-for'
import { startKafkaBroker, type KafkaBroker } from '../../test/kafka-broker-fixture.js'
import { KAFKA_AUTHORISER, rightsOfServices } from '../../test/kafka-rights-fixture.js'
import { inspectBrokers } from './inspect.js'

const WAIT = { timeout: 30_000, interval: 50 }
const ALL = Object.keys(TOPICS) as Topic[]
const WANTED = { topics: ALL, group: 'signing' }

let kafka: KafkaBroker
beforeAll(async () => {
  kafka = await startKafkaBroker({ properties: KAFKA_AUTHORISER })
  await kafka.createTopics(...ALL)
}, 120_000)
afterAll(() => kafka?.stop())

const connection = (password = kafka.secure.password) => {
  const { brokers, caPem, username } = kafka.secure
  return {
    brokers,
    clientId: 'test',
    tls: { caPem },
    sasl: { mechanism: 'scram-sha-512' as const, username, password },
  }
}

it('a user without rights sees no topic, and lacks the rights to publish and to consume [D50]', async () => {
  expect(await inspectBrokers(connection(), WANTED)).toEqual({
    topics: [],
    lacking: [
      expect.stringContaining('do not allow this user to do that'),
      expect.stringContaining('GROUP_AUTHORIZATION_FAILED'),
    ],
  })
})

it('a user with the rights of a service sees every topic with its partitions and copies, and lacks nothing [D50]', async () => {
  await kafka.admin.createAcls({ acl: rightsOfServices(kafka.secure.username) })
  // A granted right takes effect a moment later.
  await waitFor(
    async () =>
      expect(await inspectBrokers(connection(), WANTED)).toEqual({
        topics: expect.arrayContaining(ALL.map((topic) => ({ topic, partitions: 8, copies: 1, inSync: 1 }))),
        lacking: [],
      }),
    WAIT,
  )
  const offsets = await Promise.all(ALL.map((topic) => kafka.admin.fetchTopicOffsets(topic)))
  expect(offsets.flat().filter(({ offset }) => offset !== '0')).toEqual([])
})

it('a refused user, and brokers that are away, are said in one sentence with a remedy', async () => {
  expect(await inspectBrokers(connection('wrong'), WANTED)).toEqual({
    failure: 'The brokers refused the user. See KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD.',
  })
  expect(await inspectBrokers({ brokers: ['127.0.0.1:1'], clientId: 'test' }, WANTED)).toEqual({
    failure: expect.stringMatching(/^No broker of KAFKA_BROKERS answers\./),
  })
})
