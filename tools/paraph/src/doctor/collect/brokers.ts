// Asks the brokers as the user of each service.
import { brokerSettings, kafkaConnectionOf } from '@paraph/messaging/bus-settings'
import { inspectBrokers } from '@paraph/messaging/kafka/inspect'
import type { Topic } from '@paraph/protocol/events'
import type { ServiceName } from '@paraph/protocol/services'
import type { BrokerFacts } from '../facts.js'
import type { Settings } from '../source/installation.js'

/** The topics that a service writes or reads, as in the table of rights in docs/how-to/operators/kafka.md. */
const TOPICS_OF: Readonly<Record<ServiceName, readonly Topic[]>> = {
  gateway: ['account.events.v1'],
  contract: ['contract.events.v1', 'notification.events.v1'],
  signing: ['signing.events.v1', 'contract.events.v1', 'account.events.v1'],
  notification: ['notification.events.v1', 'contract.events.v1', 'signing.events.v1', 'account.events.v1'],
}
const CONSUMERS: readonly ServiceName[] = ['contract', 'signing', 'notification']

type Asked = Omit<BrokerFacts, 'result'> & { work: Promise<BrokerFacts['result']> }

/** Starts to ask; nothing for services on the embedded bus, or with settings of Kafka that are wrong, which collect/settings.ts reports. */
export const collectBrokers = (known: readonly { service: ServiceName; settings: Settings }[]): Asked[] =>
  known.flatMap(({ service, settings }) => {
    const parsed = brokerSettings.safeParse(settings)
    if (!parsed.success || parsed.data.EVENT_BUS !== 'kafka') return []
    const topics = TOPICS_OF[service]
    const group = CONSUMERS.includes(service) ? service : undefined
    return [
      { service, topics, work: inspectBrokers(kafkaConnectionOf(parsed.data, 'paraph-doctor'), { topics, group }) },
    ]
  })
