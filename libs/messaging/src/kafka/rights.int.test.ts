// The rights that docs/how-to/operators/kafka.md lists for each user are sufficient for a service, and give it nothing that belongs to another service.
import { readFileSync } from 'node:fs'
import kafkajs, { type AclOperationTypes as Operation, type AclResourceTypes as Resource } from 'kafkajs'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { TOPICS, type Topic } from '@paraph/protocol/events'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { startKafkaBroker, type KafkaBroker } from '../../test/kafka-broker-fixture.js'
import { createKafkaClient } from './client.js'
import { createKafkaEventBus } from './event-bus.js'
import { applyTopics } from './topics.js'

// Destructured here, because Node finds no such named exports in this CommonJS module.
const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs
const logger = createLogger('test', 'silent')
const WAIT = { timeout: 30_000, interval: 50 }
const ALL = Object.keys(TOPICS) as Topic[]
const OWN: Readonly<Record<string, Topic>> = {
  contract: 'contract.events.v1',
  gateway: 'account.events.v1',
  signing: 'signing.events.v1',
  notification: 'notification.events.v1',
}
/** The topics that the consumers of each service subscribe to. */
const SUBSCRIBED: Readonly<Record<string, readonly Topic[]>> = {
  signing: ['contract.events.v1', 'account.events.v1'],
  notification: ['contract.events.v1', 'signing.events.v1', 'account.events.v1'],
}

interface Right {
  resourceType: Resource
  resourceName: string
  operation: Operation
}
const OPERATIONS: Readonly<Record<string, Operation>> = {
  Read: AclOperationTypes.READ,
  Write: AclOperationTypes.WRITE,
  Create: AclOperationTypes.CREATE,
  Alter: AclOperationTypes.ALTER,
  Describe: AclOperationTypes.DESCRIBE,
  DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
  AlterConfigs: AclOperationTypes.ALTER_CONFIGS,
}
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

/** The rows of "Rights of the user" whose first column names `who`. */
function rightsOf(who: string): Right[] {
  const page = readFileSync(new URL('../../../../docs/how-to/operators/kafka.md', import.meta.url), 'utf8')
  const section = page.split('\n## Rights of the user\n')[1]!.split('\n## ')[0]!
  const rows = [...section.matchAll(/^\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].filter(([, name]) => name!.includes(who))
  return rows.flatMap(([, , resource, operations]) => {
    const names = resource === 'the four topics' ? ALL : quoted(resource!)
    const resourceType = resource!.startsWith('group') ? AclResourceTypes.GROUP : AclResourceTypes.TOPIC
    return names.flatMap((resourceName) =>
      quoted(operations!).map((operation) => ({ resourceType, resourceName, operation: OPERATIONS[operation]! })),
    )
  })
}

let kafka: KafkaBroker
beforeAll(async () => {
  // An anonymous client, such as the fixture's admin client, may do everything.
  const authorizer = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer'
  kafka = await startKafkaBroker({
    properties: { 'authorizer.class.name': authorizer, 'super.users': 'User:ANONYMOUS' },
  })
  await kafka.createTopics(...ALL)
}, 120_000)
afterAll(() => kafka.stop())

const principal = () => `User:${kafka.secure.username}`
const everything = {
  host: '*',
  permissionType: AclPermissionTypes.ALLOW,
  resourcePatternType: ResourcePatternTypes.LITERAL,
}
beforeEach(async () => {
  const any = { resourceType: AclResourceTypes.ANY, operation: AclOperationTypes.ANY }
  await kafka.admin.deleteAcls({
    filters: [{ ...any, permissionType: AclPermissionTypes.ANY, resourcePatternType: ResourcePatternTypes.ANY }],
  })
})
async function allow(rights: readonly Right[]): Promise<void> {
  await kafka.admin.createAcls({ acl: rights.map((right) => ({ ...everything, ...right, principal: principal() })) })
}

const connection = () => {
  const { brokers, caPem, username, password } = kafka.secure
  const sasl = { mechanism: 'scram-sha-512', username, password } as const
  return { brokers, clientId: 'test', tls: { caPem }, sasl }
}
const message = (topic: Topic, value: string) => ({ topic, key: 'k', headers: {}, value })

it.each(Object.keys(OWN))(
  'a user with the rights of %s publishes to its own topic, and to no other [D50]',
  async (service) => {
    await allow(rightsOf(service))
    const bus = createKafkaEventBus({ connection: connection(), logger })
    await waitFor(() => bus.publish([message(OWN[service]!, 'own')]), WAIT)
    for (const other of ALL.filter((topic) => topic !== OWN[service]))
      await expectWithMessage(bus.publish([message(other, 'not its own')]), other).rejects.toThrow()
    await bus.close()
  },
)

it.each(Object.keys(SUBSCRIBED))(
  'a user with the rights of %s consumes its topics, reports its offsets, and resets them to the beginning [D50]',
  async (service) => {
    const topics = SUBSCRIBED[service]!
    const value = `for ${service}`
    const teller = createKafkaEventBus({ connection: { brokers: kafka.brokers, clientId: 'teller' }, logger })
    for (const topic of topics) await teller.publish([message(topic, value)])
    await teller.close()
    await allow(rightsOf(service))
    const bus = createKafkaEventBus({ connection: connection(), logger })
    const seen = new Set<string>()
    const subscription = bus.subscribe({
      group: service,
      topics,
      handle: async (messages) => {
        for (const each of messages) if (each.value === value) seen.add(each.topic)
      },
    })
    await waitFor(() => expect([...seen].sort()).toEqual([...topics].sort()), WAIT)
    await waitFor(async () => {
      const backlog = await bus.backlog(service, topics)
      expect(backlog.filter(({ waiting }) => waiting > 0)).toEqual([])
    }, WAIT)
    await subscription.stop()
    await bus.rewind(service, topics[0]!)
    expect((await bus.backlog(service, [topics[0]!])).some(({ waiting }) => waiting > 0)).toBe(true)
    await bus.close()
  },
)

it('a user with the rights of `paraph topics apply` creates and configures topics, and publishes to none [D50]', async () => {
  await kafka.admin.deleteTopics({ topics: ['signing.events.v1'] })
  await allow(rightsOf('topics apply'))
  const admin = createKafkaClient(connection(), logger).admin()
  await admin.connect()
  // A granted right takes effect a moment later.
  await waitFor(async () => expect(await admin.listTopics()).toHaveLength(ALL.length - 1), WAIT)
  const settings = { KAFKA_TOPIC_PARTITIONS: 9, KAFKA_TOPIC_RETENTION_DAYS: 7 }
  const applied = await applyTopics(admin, settings, { mayRaise: true, fewBrokers: 'fewer copies' })
  await admin.disconnect()
  expect(new Set('steps' in applied ? applied.steps.map(({ kind }) => kind) : applied.faults)).toEqual(
    new Set(['create', 'raise', 'configure']),
  )
  const bus = createKafkaEventBus({ connection: connection(), logger })
  await expect(bus.publish([message('account.events.v1', 'x')])).rejects.toThrow()
  await bus.close()
})
