// Events of one contract or account that were not published as committed, in order and in one trace. Pure. [I9, I7, I13]
import type { Violation } from '../check.js'

export interface PublishedEvent {
  key: string
  source: 'outbox' | 'bus'
  eventId: string | null
  sequence: number | null
  traceparent: string | null
  /** Null for an unpublished outbox row. */
  publishedAt: Date | null
  /** Of a message: its partition. */
  partition: number | null
  /** A message from before the scope, or so old that its outbox row may be deleted. */
  isOld: boolean
}

export interface Aggregate {
  id: string
  version: number
  /** So young that all its events must still be in the outbox. */
  isYoung: boolean
}

/**
 * Violations among the events of one contract or account. Pure.
 * @param aggregate null when none has that id, undefined when versions are not stored in a row
 * @param lost published events that the embedded bus must hold and does not
 */
export function sequenceViolations(
  subject: string,
  rows: readonly PublishedEvent[],
  {
    aggregate,
    firstSequence,
    lost,
  }: { aggregate: Aggregate | null | undefined; firstSequence: number; lost: ReadonlySet<string> },
): Violation[] {
  const outbox = rows.filter(({ source }) => source === 'outbox')
  const messages = rows.filter(({ source, eventId }) => source === 'bus' && eventId !== null)
  const sequences = outbox.map(({ sequence }) => sequence ?? 0)
  const inOutbox = new Map(outbox.map((row) => [row.eventId, row]))
  // Copies may follow, and consumers act on the first of each. Events published on another bus in between are missing here.
  const firstCopies = [...Map.groupBy(messages, ({ eventId }) => eventId).values()].map(
    ([first]) => first!.sequence ?? 0,
  )
  const faults: [boolean, Violation['invariant'], string][] = [
    [aggregate === null && outbox.length > 0, 'I7', 'has events but does not exist'],
    [!isGapless(sequences), 'I9', 'has a gap or a duplicate in its outbox sequence'],
    [
      aggregate?.isYoung === true && outbox.length > 0 && sequences[0] !== firstSequence,
      'I9',
      'lacks its first event in the outbox',
    ],
    [
      typeof aggregate?.version === 'number' && outbox.length > 0 && sequences.at(-1) !== aggregate.version,
      'I9',
      'has a version that differs from its last event',
    ],
    [new Set(messages.map(({ partition }) => partition)).size > 1, 'I9', 'has messages in two partitions'],
    [!isGrowing(firstCopies), 'I9', 'has messages out of order on the bus'],
    [hasOvertaken(outbox), 'I9', 'has an unpublished event before a published one'],
    [outbox.some(({ eventId }) => lost.has(eventId ?? '')), 'I9', 'has a published event that is not on the bus'],
    [
      messages.some(({ eventId, isOld }) => !isOld && !inOutbox.has(eventId)),
      'I7',
      'has an uncommitted message on the bus',
    ],
    [
      messages.some((row) => (inOutbox.get(row.eventId)?.traceparent ?? row.traceparent) !== row.traceparent),
      'I13',
      'has a message whose trace differs from its event',
    ],
  ]
  return faults.flatMap(([isFault, invariant, fault]) =>
    isFault ? [{ invariant, kind: 'broken', subject, fault } as const] : [],
  )
}

const isGapless = (sequences: readonly number[]): boolean =>
  sequences.every((sequence, index) => index === 0 || sequence === sequences[index - 1]! + 1)

const isGrowing = (sequences: readonly number[]): boolean =>
  sequences.every((sequence, index) => index === 0 || sequence > sequences[index - 1]!)

const hasOvertaken = (outbox: readonly PublishedEvent[]): boolean =>
  outbox.some(({ publishedAt }, index) => publishedAt !== null && outbox[index - 1]?.publishedAt === null)
