// Checks I9, I7 and I13: the events of a contract or an account are published in the order of `sequence` without a gap. Every event that
// is marked as published is on the bus, every message has a committed event, and both have the same trace.
// Reads the outboxes and the embedded bus in the order of their keys, some hundred keys in memory at a time. With Kafka, whose messages
// are not rows, reads only the outboxes. Reads the bus before the outboxes, because a message is the effect of an outbox row.
// With `since`, reads suspects again without that limit: an event may be published before that instant and marked after it.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { Topic } from '@paraph/protocol/events'
import { add, listBroken, once, record, violationsOf, type Found, type Scope, type TableCheck } from '../check.js'
import { readBusTimes, type BusTimes } from '../rows/bus-times.js'
import { inChunks, mergeByKey } from '../rows/merge.js'
import { consumedByAll, consumersOf, ENVELOPE, OUTBOX_KEPT_HOURS, PRODUCERS, type Producer } from '../rows/outboxes.js'
import type { Sessions } from '../sessions.js'

/** The number of keys in one query of the second read. */
const SUSPECTS = 5_000

/** Selects the rows to read. */
interface Selection extends Pick<Scope, 'since' | 'contractId'> {
  /** Only of these contracts or accounts. */
  keys?: readonly string[]
}

export interface PublishedEvent extends Record<string, unknown> {
  key: string
  source: 'outbox' | 'bus'
  eventId: string | null
  sequence: number | null
  traceparent: string | null
  /** Null for an unpublished outbox row. */
  publishedAt: Date | null
  /** The partition of a message; null for an outbox row. */
  partition: number | null
  /** True for a message from before `since`, or so old that its outbox row may be deleted. */
  isOld: boolean
}

interface Aggregate extends Record<string, unknown> {
  id: string
  version: number
  /** True if it is so young that all its events must still be in the outbox. */
  isYoung: boolean
}

/** The events of one contract or account. */
interface EventsOfKey {
  key: string
  outbox: PublishedEvent[]
  onBus: PublishedEvent[]
}

export const eventsAreInSequence: TableCheck = {
  invariants: ['I9', 'I7', 'I13'],
  compares: 'the outbox rows of each contract and account with its version and, on the embedded bus, with its messages',
  parts: PRODUCERS.map((producer) => ({
    reads: ['bus', producer.service, ...consumersOf(producer.topic).map(({ service }) => service)],
    check: (sessions: Sessions, scope: Scope) => checkProducer(producer, sessions, scope),
  })),
}

async function checkProducer(producer: Producer, sessions: Sessions, scope: Scope): Promise<Found> {
  const counts = { 'events in outboxes': 0, 'messages on the bus': 0, 'subjects of events': 0 }
  const found: Found = { counts, violations: [] }
  if (scope.contractId !== undefined && producer.topic === 'account.events.v1') return found
  let suspects: string[] = []
  for await (const { key, outbox, onBus, violations } of checkKeys(producer, sessions, scope)) {
    counts['subjects of events'] += 1
    counts['events in outboxes'] += outbox.length
    counts['messages on the bus'] += onBus.length
    if (scope.since === undefined) record(found, ...violations)
    else if (violations.length > 0) suspects.push(key)
  }
  for (; suspects.length > 0; suspects = suspects.slice(SUSPECTS)) {
    const whole = { since: undefined, contractId: undefined, keys: suspects.slice(0, SUSPECTS) }
    for await (const { violations } of checkKeys(producer, sessions, whole)) record(found, ...violations)
  }
  if (producer.aggregate?.table === 'contract') add(found, await contractsWithoutEvent(sessions.contract, scope))
  return found
}

async function* checkKeys({ service, topic, aggregate }: Producer, sessions: Sessions, selection: Selection) {
  const { bus } = sessions
  const times = bus && once(() => readBusTimes(bus))
  const streams = [readOutbox(sessions[service], selection), ...(bus ? [readBus(bus, topic, selection)] : [])]
  for await (const merged of inChunks(mergeByKey(streams))) {
    const chunk = merged.map(({ key, rows: [outbox = [], onBus = []] }): EventsOfKey => ({ key, outbox, onBus }))
    const keys = chunk.map(({ key }) => key)
    const aggregates = aggregate && (await readAggregates(sessions[service], aggregate.table, selection, keys))
    const missing = times ? chunk.flatMap(missingOnBus) : []
    const lost = times && missing.length > 0 ? await lostOf(missing, topic, sessions, await times()) : new Set<string>()
    for (const { key, outbox, onBus } of chunk) {
      const violations = sequenceViolations(key, [...outbox, ...onBus], {
        aggregate: aggregates && (aggregates.get(key) ?? null),
        firstSequence: aggregate?.firstSequence ?? 1,
        lost,
      })
      yield { key, outbox, onBus, violations }
    }
  }
}

type PublishedRow = PublishedEvent & { eventId: string; publishedAt: Date }

/** Outbox rows that are marked as published and have no message on the bus. */
function missingOnBus({ outbox, onBus }: EventsOfKey): PublishedRow[] {
  const present = new Set(onBus.map(({ eventId }) => eventId))
  const isPublished = (row: PublishedEvent): row is PublishedRow => row.publishedAt !== null
  return outbox.filter(isPublished).filter(({ eventId }) => !present.has(eventId))
}

/** Events of `missing` that the bus must have: not those that it may have pruned, or that another bus published. */
async function lostOf(missing: readonly PublishedRow[], topic: Topic, sessions: Sessions, times: BusTimes) {
  const kept = missing.filter(({ publishedAt }) => !times.isPast(publishedAt))
  const elsewhere = kept.filter(({ publishedAt }) => times.wasSilent(publishedAt)).map(({ eventId }) => eventId)
  const consumed = await consumedByAll(sessions, topic, elsewhere)
  return new Set(kept.map(({ eventId }) => eventId).filter((eventId) => !consumed.has(eventId)))
}

const readOutbox = (session: ReadOnlySession, { since, contractId, keys }: Selection) =>
  session.stream<PublishedEvent>(
    `select key collate "C" as key, 'outbox' as source, event_id::text as "eventId", sequence, traceparent,
            published_at as "publishedAt", null::smallint as partition, false as "isOld"
       from outbox
      where ($1::timestamptz is null or occurred_at >= $1 or published_at >= $1 or published_at is null)
        and ($2::text is null or key = $2) and ($3::text[] is null or key = any($3))
      order by key collate "C", id`,
    [since, contractId, keys],
  )

/** A field is null if a message of another publisher does not contain it. */
const readBus = (session: ReadOnlySession, topic: Topic, { since, contractId, keys }: Selection) =>
  session.stream<PublishedEvent>(
    `select key collate "C" as key, 'bus' as source, ${ENVELOPE.id} as "eventId",
            ${ENVELOPE.sequence} as sequence, headers ->> 'traceparent' as traceparent,
            published_at as "publishedAt", partition,
            published_at < greatest(now() - make_interval(hours => $4), $2) as "isOld"
       from bus.message
      where topic = $1 and ($2::timestamptz is null or published_at >= $2::timestamptz - interval '1 minute')
        and ($3::text is null or key = $3) and ($5::text[] is null or key = any($5))
      order by key collate "C", partition, message_offset`,
    [topic, since, contractId, OUTBOX_KEPT_HOURS, keys],
  )

async function readAggregates(
  session: ReadOnlySession,
  table: string,
  { since }: Selection,
  ids: readonly string[],
): Promise<Map<string, Aggregate>> {
  const rows = await session.query<Aggregate>(
    `select id, version, created_at > greatest(now() - make_interval(hours => $2), $3::timestamptz) as "isYoung"
       from ${table} where id = any($1)`,
    [ids, OUTBOX_KEPT_HOURS, since],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reports young contracts that have no event in the outbox. */
const contractsWithoutEvent = (session: ReadOnlySession, { since, contractId }: Scope) =>
  listBroken(
    session,
    'I9',
    'has no event of its creation',
    `select id as subject from contract c
      where id >= 'contract-' || floor(extract(epoch from greatest(now() - make_interval(hours => $1), $2::timestamptz)) * 1000)::text
        and created_at > greatest(now() - make_interval(hours => $1), $2::timestamptz) and ($3::text is null or id = $3)
        and not exists (select from outbox o where o.key = c.id)`,
    [OUTBOX_KEPT_HOURS, since, contractId],
  )

/**
 * Violations among the events of one contract or account. Pure.
 * @param aggregate null if no contract or account has that id; undefined for a topic whose events count no version of a row
 * @param lost published events that the embedded bus must have and does not have
 */
export function sequenceViolations(
  subject: string,
  rows: readonly PublishedEvent[],
  expected: { aggregate: Aggregate | null | undefined; firstSequence: number; lost: ReadonlySet<string> },
) {
  const { aggregate, firstSequence, lost } = expected
  const outbox = rows.filter(({ source }) => source === 'outbox')
  const messages = rows.filter(({ source, eventId }) => source === 'bus' && eventId !== null)
  const sequences = outbox.map(({ sequence }) => sequence ?? 0)
  const inOutbox = new Map(outbox.map((row) => [row.eventId, row]))
  // Consumers handle only the first copy of a message. Events that were published on another bus in between are missing here.
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
  const isLost = outbox.some(({ eventId }) => lost.has(eventId ?? ''))
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
    [isLost, 'I9', 'broken', 'has a published event that is not on the bus'],
    [isUncommitted, 'I7', 'broken', 'has an uncommitted message on the bus'],
    [isOtherTrace, 'I13', 'broken', 'has a message whose trace differs from its event'],
  ])
}

/** True if `holds` is true for each number and the number before it. */
const isEachAfter = (numbers: readonly number[], holds: (before: number, number: number) => boolean): boolean =>
  numbers.slice(1).every((number, index) => holds(numbers[index] ?? NaN, number))
