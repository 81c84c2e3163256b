import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startKafkaBroker, type KafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { KAFKA_AUTHORISER, rightsToApply } from '@paraph/messaging/test/kafka-rights-fixture'
import { TOPICS } from '@paraph/protocol/events'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { readConfig } from '../config.js'
import { applyTopicsOf, topicsCommands } from './topics.js'

let kafka: KafkaBroker
beforeAll(async () => {
  kafka = await startKafkaBroker({ properties: KAFKA_AUTHORISER })
  await kafka.admin.createAcls({ acl: rightsToApply(kafka.secure.username) })
})
afterAll(() => kafka?.stop())

const [command] = topicsCommands

/** Runs `paraph topics apply` over TLS as the user, with these settings and options. */
async function apply(environment: Record<string, string> = {}, ...options: string[]) {
  if (!command || !('runAlone' in command)) throw new Error('The command is not there.')
  const { brokers, caPem, username, password } = kafka.secure
  const config = readConfig({
    EVENT_BUS: 'kafka',
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TLS: 'on',
    KAFKA_TLS_CA: caPem,
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: username,
    KAFKA_SASL_PASSWORD: password,
    ...environment,
  })
  const { answer, text } = await command.runAlone(config, Object.fromEntries(options.map((option) => [option, 'yes'])))
  return { text, steps: (answer as { steps: { kind: string; topic: string }[] }).steps }
}
const ONE = { KAFKA_TOPIC_REPLICAS: '1' }
const topicsNow = async () => (await kafka.admin.listTopics()).filter((name) => !name.startsWith('__')).toSorted()
const partitionsOf = async (topic: string) =>
  (await kafka.admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length

async function configOf(topic: string, name: string): Promise<string | undefined> {
  const answer = await kafka.admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: 2, name: topic, configNames: [name] }],
  })
  return answer.resources[0]?.configEntries[0]?.configValue
}

it('`topics apply` changes nothing with the embedded bus [D50]', async () => {
  expect(await apply({ EVENT_BUS: 'postgres' })).toMatchObject({
    steps: [],
    text: expect.stringContaining('has no topics to apply'),
  })
})

it('`topics apply` refuses three replicas on one broker, and creates nothing', async () => {
  await expect(apply()).rejects.toThrow(/has 1 broker.*KAFKA_TOPIC_REPLICAS=1/)
  expect(await topicsNow()).toEqual([])
})

it('`topics apply` prints its plan, creates the topics, and changes nothing the second time [D50]', async () => {
  expect((await apply(ONE, 'dry-run')).steps).toHaveLength(4)
  expect(await topicsNow()).toEqual([])
  const { text } = await apply(ONE)
  expect(text).toContain('contract.events.v1: create with 8 partitions, 1 copy, cleanup.policy=delete, retention.ms=')
  expect(await topicsNow()).toEqual(Object.keys(TOPICS).toSorted())
  expect(await partitionsOf('contract.events.v1')).toBe(8)
  expect(await configOf('contract.events.v1', 'retention.ms')).toBe('2592000000')
  expect(await configOf('contract.events.v1', 'message.timestamp.type')).toBe('LogAppendTime')
  expect(await apply(ONE)).toEqual({ steps: [], text: 'There is nothing to do.' })
})

it('`topics apply` corrects a config that differs, and keeps what an operator added', async () => {
  const configEntries = [{ name: 'segment.bytes', value: '2097152' }]
  await kafka.admin.alterConfigs({
    validateOnly: false,
    resources: [{ type: 2, name: 'account.events.v1', configEntries }],
  })
  const { steps } = await apply({ ...ONE, KAFKA_TOPIC_RETENTION_DAYS: '7' })
  expect(steps.map(({ kind }) => kind)).toEqual(['configure', 'configure', 'configure', 'configure'])
  expect(await configOf('account.events.v1', 'retention.ms')).toBe('604800000')
  expect(await configOf('account.events.v1', 'cleanup.policy')).toBe('delete')
  expect(await configOf('account.events.v1', 'segment.bytes')).toBe('2097152')
  expect((await apply(ONE)).steps).toHaveLength(4)
  expect((await apply(ONE)).steps).toEqual([])
})

it('`topics apply` raises partitions only with --raise-partitions, and never lowers them [D48]', async () => {
  const twelve = { ...ONE, KAFKA_TOPIC_PARTITIONS: '12' }
  await expect(apply(twelve)).rejects.toThrow(/from 8 to 12.*out of order/)
  expect(await partitionsOf('account.events.v1')).toBe(8)
  await apply(twelve, 'raise-partitions')
  expect(await partitionsOf('account.events.v1')).toBe(12)
  expect((await apply(ONE)).text).toMatch(/^There is nothing to do\.\nNot changed:\n.*cannot make them fewer/)
  expect(await partitionsOf('account.events.v1')).toBe(12)
})

it('`topics apply` accepts every SASL mechanism, and names a wrong user, certificate or port without a secret [I14]', async () => {
  const now = { ...ONE, KAFKA_TOPIC_PARTITIONS: '12' }
  for (const KAFKA_SASL_MECHANISM of ['PLAIN', 'SCRAM-SHA-256'])
    expect((await apply({ ...now, KAFKA_SASL_MECHANISM })).steps.map(({ kind }) => kind)).not.toContain('configure')
  const sentenceOf = (environment: Record<string, string>) =>
    apply(environment).then(
      () => 'It was done.',
      (error: unknown) => String(error),
    )
  const wrong = 'wrong-password'
  const refused = await sentenceOf({ KAFKA_SASL_PASSWORD: wrong })
  expect(refused).toMatch(/refused the user\..*KAFKA_SASL_PASSWORD/)
  expect(refused).not.toContain(wrong)
  expect(await sentenceOf({ KAFKA_TLS_CA: kafka.secure.otherCaPem })).toMatch(
    /certificate is not trusted.*KAFKA_TLS_CA/,
  )
  const away = /No broker of KAFKA_BROKERS answers.*KAFKA_TLS.*KAFKA_SASL_MECHANISM/
  expectWithMessage(await sentenceOf({ KAFKA_BROKERS: kafka.brokers.join(',') }), 'TLS to a port without TLS').toMatch(
    away,
  )
  expectWithMessage(await sentenceOf({ KAFKA_BROKERS: '127.0.0.1:1' }), 'a port on which no broker listens').toMatch(
    away,
  )
})

it('`topics apply` reports missing rights of its user', async () => {
  const acl = rightsToApply(kafka.secure.username)
  await kafka.admin.deleteAcls({ filters: acl.filter(({ operation }) => operation === 11) })
  await expect(apply({ ...ONE, KAFKA_TOPIC_RETENTION_DAYS: '9' })).rejects.toThrow('do not allow this user')
  expect(await configOf('contract.events.v1', 'retention.ms')).toBe('2592000000')
})

it('`topics apply` for the local start creates as many replicas as there are brokers, and finds its topics on every broker', async () => {
  await kafka.addBroker()
  await kafka.admin.deleteTopics({ topics: Object.keys(TOPICS) })
  await waitFor(async () => expect(await topicsNow()).toEqual([]), { timeout: 30_000 })
  const config = readConfig({ EVENT_BUS: 'kafka', KAFKA_BROKERS: kafka.brokers.join(',') })
  const apply = (dryRun = false) => applyTopicsOf(config, { fewBrokers: 'fewer copies', dryRun })
  // Either broker may answer, and each learns of the other and of deleted topics with a delay.
  await waitFor(
    async () => {
      for (let times = 0; times < 4; times += 1)
        expect(await apply(true)).toMatchObject(Array(4).fill({ kind: 'create', replicas: 2 }))
    },
    { timeout: 30_000 },
  )
  expect(await apply()).toMatchObject(Array(4).fill({ kind: 'create', replicas: 2 }))
  expect(await configOf('contract.events.v1', 'min.insync.replicas')).toBe('1')
  expect(await apply()).toEqual([])
}, 120_000)
