// Events of one contract or account that were not published as committed, in order and in one trace. Pure. [I9, I7, I13]
import { violationsOf, type Violation } from '../check.js'

export interface PublishedEvent extends Record<string, unknown> {
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

export interface Aggregate extends Record<string, unknown> {
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
  const firstCopies = [...Map.groupBy(messages, ({ eventId }) => eventId).values()].flatMap((copies) =>
    copies.slice(0, 1),
  )
  const isGrowing = isEachAfter(
    firstCopies.map(({ sequence }) => sequence ?? 0),
    (before, sequence) => sequence > before,
  )
  const isGapless = isEachAfter(sequences, (before, sequence) => sequence === before + 1)
  const lacksFirst = aggregate?.isYoung === true && outbox.length > 0 && sequences[0] !== firstSequence
  const isOtherVersion = aggregate && outbox.length > 0 && sequences.at(-1) !== aggregate.version
  const isOvertaken = outbox.some(
    ({ publishedAt }, index) => publishedAt !== null && outbox[index - 1]?.publishedAt === null,
  )
  const isUncommitted = messages.some(({ eventId, isOld }) => !isOld && !inOutbox.has(eventId))
  const isOtherTrace = messages.some(
    (row) => (inOutbox.get(row.eventId)?.traceparent ?? row.traceparent) !== row.traceparent,
  )
  const partitions = new Set(messages.map(({ partition }) => partition))
  return violationsOf(subject, [
    [aggregate === null && outbox.length > 0, 'I7', 'broken', 'has events but does not exist'],
    [!isGapless, 'I9', 'broken', 'has a gap or a duplicate in its outbox sequence'],
    [lacksFirst, 'I9', 'broken', 'lacks its first event in the outbox'],
    [isOtherVersion === true, 'I9', 'broken', 'has a version that differs from its last event'],
    [partitions.size > 1, 'I9', 'broken', 'has messages in two partitions'],
    [!isGrowing, 'I9', 'broken', 'has messages out of order on the bus'],
    [isOvertaken, 'I9', 'broken', 'has an unpublished event before a published one'],
    [
      outbox.some(({ eventId }) => lost.has(eventId ?? '')),
      'I9',
      'broken',
      'has a published event that is not on the bus',
    ],
    [isUncommitted, 'I7', 'broken', 'has an uncommitted message on the bus'],
    [isOtherTrace, 'I13', 'broken', 'has a message whose trace differs from its event'],
  ])
}

/** True when `holds` of each number and the one before. */
const isEachAfter = (numbers: readonly number[], holds: (before: number, number: number) => boolean): boolean =>
  numbers.slice(1).every((number, index) => holds(numbers[index] ?? NaN, number))
