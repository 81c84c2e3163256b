// Producers and consumers of each topic, and their tables. [Topics and events of docs/architecture.md]
import type { ServiceName } from '@paraph/protocol/services'
import type { Topic } from '@paraph/protocol/events'
import type { Looks } from '../check.js'

export interface Producer {
  service: ServiceName
  topic: Topic
  /** The aggregate whose version its events count: its table, and the version after its first event. */
  aggregate: { table: string; firstSequence: number } | undefined
}

export const PRODUCERS: readonly Producer[] = [
  { service: 'contract', topic: 'contract.events.v1', aggregate: { table: 'contract', firstSequence: 1 } },
  // The creation of an account has no event.
  { service: 'gateway', topic: 'account.events.v1', aggregate: { table: 'account', firstSequence: 2 } },
  { service: 'notification', topic: 'notification.events.v1', aggregate: undefined },
  { service: 'signing', topic: 'signing.events.v1', aggregate: undefined },
]

export interface Consumer {
  group: string
  service: ServiceName
  topics: readonly Topic[]
}

export const CONSUMERS: readonly Consumer[] = [
  { group: 'signing', service: 'signing', topics: ['contract.events.v1', 'account.events.v1'] },
  {
    group: 'notification',
    service: 'notification',
    topics: ['contract.events.v1', 'signing.events.v1', 'account.events.v1'],
  },
]

export const listenersOf = (topic: Topic): Consumer[] => CONSUMERS.filter(({ topics }) => topics.includes(topic))

export const producersOf = ({ topics }: Consumer): Producer[] => PRODUCERS.filter(({ topic }) => topics.includes(topic))

/** Published rows stay in an outbox for 7 days: a row missing within this time never existed. */
export const OUTBOX_KEPT_HOURS = 6 * 24

/** True when the database has the table: not every service publishes or consumes events. */
export async function hasTable(looks: Looks, service: ServiceName, table: string): Promise<boolean> {
  const [row] = await looks[service].query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return row?.there ?? false
}

/** SQL for a text field of an envelope written by the relay; null for other values. 100 times as fast as a regular expression. */
const fieldOf = (name: string): string => `nullif(split_part(split_part(value, '"${name}":"', 2), '"', 1), '')`

/** SQL for fields of the envelope in the column `value`. Never fails, whatever was published. */
export const ENVELOPE = {
  id: fieldOf('id'),
  type: fieldOf('type'),
  sequence: `case when ${fieldOf('sequence')} ~ '^[0-9]+$' and length(${fieldOf('sequence')}) <= 18 then ${fieldOf('sequence')}::bigint end`,
} as const
