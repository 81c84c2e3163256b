// The events that a consumer has handled or stored as dead letters, looked up by id. [D49]
import type { Topic } from '@paraph/protocol/events'
import type { Looks } from '../check.js'
import { ENVELOPE, listenersOf, type Consumer } from './outboxes.js'

/** Those of `eventIds` in the inbox or the dead letters of the consumer. Within a moment of its service. */
export async function consumedBy(
  looks: Looks,
  { group, service }: Pick<Consumer, 'group' | 'service'>,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const taken = await looks[service].query<{ id: string }>(
    'select event_id as id from inbox where consumer = $1 and event_id = any($2)',
    [group, eventIds],
  )
  const consumed = new Set(taken.map(({ id }) => id))
  const others = eventIds.filter((id) => !consumed.has(id))
  for (const id of await deadLettersOf(looks, { group, service }, others)) consumed.add(id)
  return consumed
}

/** Those of `eventIds` that are or were dead letters of the consumer. */
export async function deadLettersOf(
  looks: Looks,
  { group, service }: Pick<Consumer, 'group' | 'service'>,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const rows = await looks[service].query<{ id: string }>(
    `select distinct ${ENVELOPE.id} as id from dead_letter where consumer = $1 and ${ENVELOPE.id} = any($2)`,
    [group, eventIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of `eventIds` that every consumer of `topic` has consumed; all of them if it has no consumer. */
export async function consumedByAll(looks: Looks, topic: Topic, eventIds: readonly string[]): Promise<Set<string>> {
  let consumed = [...eventIds]
  for (const consumer of listenersOf(topic)) {
    const known = await consumedBy(looks, consumer, consumed)
    consumed = consumed.filter((id) => known.has(id))
  }
  return new Set(consumed)
}
