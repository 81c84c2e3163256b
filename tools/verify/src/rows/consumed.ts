// Which events a consumer has taken in, or shows as a dead letter: looked up by id, however long ago that was. [D49]
import type { Topic } from '@paraph/protocol/events'
import type { Looks } from './check.js'
import { ENVELOPE, listenersOf, type Consumer } from './outboxes.js'

/** Of `eventIds`, those that the consumer knows. Inside a moment of its service. */
export async function heardBy(
  looks: Looks,
  { group, service }: Pick<Consumer, 'group' | 'service'>,
  eventIds: readonly string[],
): Promise<Set<string>> {
  if (eventIds.length === 0) return new Set()
  const taken = await looks[service].query<{ id: string }>(
    'select event_id as id from inbox where consumer = $1 and event_id = any($2)',
    [group, eventIds],
  )
  const heard = new Set(taken.map(({ id }) => id))
  const others = eventIds.filter((id) => !heard.has(id))
  for (const id of await lettersOf(looks, { group, service }, others)) heard.add(id)
  return heard
}

/** Of `eventIds`, those that are or were dead letters of the consumer. */
export async function lettersOf(
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

/** Of `eventIds`, those that every consumer of `topic` knows; all of them where nobody listens. */
export async function heardByAll(looks: Looks, topic: Topic, eventIds: readonly string[]): Promise<Set<string>> {
  let heard = [...eventIds]
  for (const consumer of listenersOf(topic)) {
    const known = await heardBy(looks, consumer, heard)
    heard = heard.filter((id) => known.has(id))
  }
  return new Set(heard)
}
