// Producers and consumers of each topic, their tables, and the events that a consumer has handled. [D49; Topics and events of
// docs/explanation/architecture.md]
import type { ServiceName } from '@paraph/protocol/services'
import type { Topic } from '@paraph/protocol/events'
import type { Sessions } from '../sessions.js'

export interface Producer {
  service: ServiceName
  topic: Topic
  /** The aggregate whose version the events count: its table, and the version in its first event. */
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
  { group: 'contract', service: 'contract', topics: ['notification.events.v1'] },
  { group: 'signing', service: 'signing', topics: ['contract.events.v1', 'account.events.v1'] },
  {
    group: 'notification',
    service: 'notification',
    topics: ['contract.events.v1', 'signing.events.v1', 'account.events.v1'],
  },
]

export const consumersOf = (topic: Topic): Consumer[] => CONSUMERS.filter(({ topics }) => topics.includes(topic))

export const producersOf = ({ topics }: Consumer): Producer[] => PRODUCERS.filter(({ topic }) => topics.includes(topic))

/** Published rows stay in an outbox for 7 days, so a row that is missing within this time never existed. */
export const OUTBOX_KEPT_HOURS = 6 * 24

/** SQL for a text field of an envelope written by the relay; null for other values. 100 times as fast as a regular expression. */
const fieldOf = (name: string): string => `nullif(split_part(split_part(value, '"${name}":"', 2), '"', 1), '')`

/** SQL for fields of the envelope in the column `value`. Never fails, even if another publisher wrote the message. */
export const ENVELOPE = {
  id: fieldOf('id'),
  type: fieldOf('type'),
  sequence: `case when ${fieldOf('sequence')} ~ '^[0-9]+$' and length(${fieldOf('sequence')}) <= 18 then ${fieldOf('sequence')}::bigint end`,
} as const

/** Those of `eventIds` in the inbox or the dead letters of the consumer. Call it within a snapshot of its service. */
export async function consumedBy(sessions: Sessions, consumer: Consumer, eventIds: readonly string[]) {
  if (eventIds.length === 0) return new Set<string>()
  const handled = await sessions[consumer.service].query<{ id: string }>(
    'select event_id as id from inbox where consumer = $1 and event_id = any($2)',
    [consumer.group, eventIds],
  )
  return new Set([...handled.map(({ id }) => id), ...(await deadLettersOf(sessions, consumer, eventIds))])
}

/** Those of `eventIds` that are or were dead letters of the consumer. */
export async function deadLettersOf(sessions: Sessions, { group, service }: Consumer, eventIds: readonly string[]) {
  if (eventIds.length === 0) return new Set<string>()
  const rows = await sessions[service].query<{ id: string }>(
    `select distinct ${ENVELOPE.id} as id from dead_letter where consumer = $1 and ${ENVELOPE.id} = any($2)`,
    [group, eventIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of `eventIds` that every consumer of `topic` has consumed; all of them if it has no consumer. */
export async function consumedByAll(sessions: Sessions, topic: Topic, eventIds: readonly string[]) {
  let consumed = new Set(eventIds)
  for (const consumer of consumersOf(topic)) consumed = await consumedBy(sessions, consumer, [...consumed])
  return consumed
}
