// Which service tells what, and where that is to be found. [Topics and events of docs/architecture.md]
import type { ServiceName } from '@paraph/protocol/caller'
import type { Topic } from '@paraph/protocol/events'
import type { Looks } from './check.js'

export interface Producer {
  service: ServiceName
  topic: Topic
  /** The aggregate whose version its events count: its table, and the version after its first event. */
  aggregate: { table: string; firstSequence: number } | undefined
}

export const PRODUCERS: readonly Producer[] = [
  { service: 'contract', topic: 'contract.events.v1', aggregate: { table: 'contract', firstSequence: 1 } },
  // An account is made without an event.
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

export const tellersOf = ({ topics }: Consumer): Producer[] => PRODUCERS.filter(({ topic }) => topics.includes(topic))

/** Published rows stay in an outbox for 7 days; up to here a row that is missing never was there. */
export const OUTBOX_KEPT_HOURS = 6 * 24

/** Whether a database has a table: not every service tells something, and not every one listens. */
export async function hasTable(looks: Looks, service: ServiceName, table: string): Promise<boolean> {
  const [row] = await looks[service].query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  return row?.there ?? false
}

/** A text field of an envelope as the relay writes it, in SQL; null for a value that is none. 100 times a regular expression's speed. */
const fieldOf = (name: string): string => `nullif(split_part(split_part(value, '"${name}":"', 2), '"', 1), '')`

/** What stands in the envelope in the column `value`. Never fails, whatever somebody has published. */
export const ENVELOPE = {
  id: fieldOf('id'),
  type: fieldOf('type'),
  sequence: `case when ${fieldOf('sequence')} ~ '^[0-9]+$' and length(${fieldOf('sequence')}) <= 18 then ${fieldOf('sequence')}::bigint end`,
} as const
