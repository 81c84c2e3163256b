// The rights that docs/how-to/operators/kafka.md lists, as numbers of Kafka's protocol. For test brokers that grant nothing else.
import { TOPICS } from '@paraph/protocol/events'

/** Properties of a test broker: clients of its PLAINTEXT listener are administrators, and KAFKA_TEST_USER has only the granted rights. */
export const KAFKA_AUTHORISER = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS',
}

const [TOPIC, GROUP, LITERAL, ALLOW] = [2, 3, 3, 3]
const OPERATIONS = { Read: 3, Write: 4, Create: 5, Alter: 7, Describe: 8, DescribeConfigs: 10, AlterConfigs: 11 }

const allow = (username: string, resourceType: number, resourceName: string, operation: keyof typeof OPERATIONS) => ({
  principal: `User:${username}`,
  host: '*',
  permissionType: ALLOW,
  resourceType,
  resourceName,
  resourcePatternType: LITERAL,
  operation: OPERATIONS[operation],
})

const onTopics = (username: string, operations: readonly (keyof typeof OPERATIONS)[]) =>
  Object.keys(TOPICS).flatMap((topic) => operations.map((operation) => allow(username, TOPIC, topic, operation)))

/** The rights of the services. */
export const rightsOfServices = (username: string) => [
  ...onTopics(username, ['Describe', 'Read', 'Write']),
  ...['contract', 'signing', 'notification'].map((group) => allow(username, GROUP, group, 'Read')),
]

/** The rights that `paraph topics apply` needs. */
export const rightsToApply = (username: string) =>
  onTopics(username, ['Create', 'Describe', 'DescribeConfigs', 'Alter', 'AlterConfigs'])
