// Checks I9 and I7: each consumer has handled every event before its position on the bus exactly once, or has stored the event as a dead
// letter, and has handled no event that was never published.
// Reads the rows in the order of event ids. Exact on the embedded bus, whose positions are rows and are read before the inboxes. With
// Kafka, an unhandled event counts as late when its outbox row was published more than `withinSeconds` ago.
import { EVENT_DATA } from '@paraph/protocol/events'
import { record, type Found, type Scope, type TableCheck, type Violation } from '../check.js'
import { inChunks, mergeByKey } from '../rows/merge.js'
import { consumedBy, CONSUMERS, deadLettersOf, ENVELOPE, producersOf, type Consumer } from '../rows/outboxes.js'
import type { Sessions } from '../sessions.js'

/** A row of an event: from the bus, an outbox or an inbox. */
interface EventRow extends Record<string, unknown> {
  /** The event's id. */
  key: string
  /** The contract or account; empty in an inbox. */
  subject: string
  /** True if the event is before the consumer's position on the bus; null if the position is unknown. */
  isPassed: boolean | null
  isLate: boolean
  /** For an inbox row: true if the row is so young that the bus must still have the message. */
  isYoung: boolean
}

/** The bus keeps every message for at least a day. */
const BUS_KEPT_HOURS = 20
/** Inboxes keep rows for 45 days. With a longer retention, the bus has messages whose inbox rows are deleted. */
const INBOX_KEPT_DAYS = 44
/** The number of event ids in one query. */
const SUSPECTS = 10_000
const TYPES = Object.keys(EVENT_DATA)

export const consumersHandleEveryEvent: TableCheck = {
  invariants: ['I9', 'I7'],
  compares: 'the published events with the inbox of each consumer and its dead letters',
  parts: CONSUMERS.map((consumer) => ({
    reads: ['bus', consumer.service, ...producersOf(consumer).map(({ service }) => service)],
    check: (sessions: Sessions, scope: Scope) => checkConsumer(consumer, sessions, scope),
  })),
}

interface ConsumerRun {
  consumer: Consumer
  sessions: Sessions
  found: Found
}

async function checkConsumer(consumer: Consumer, sessions: Sessions, scope: Scope): Promise<Found> {
  const run: ConsumerRun = { consumer, sessions, found: { counts: {}, violations: [] } }
  for await (const suspects of inChunks(suspectsOf(run, scope), SUSPECTS)) {
    const lost = suspects.filter(({ isYoung }) => !isYoung)
    const unpublished = suspects.filter(({ isYoung }) => isYoung)
    await recordLost(run, lost)
    await recordUnpublished(run, unpublished)
  }
  return run.found
}

/** Yields young inbox rows without a published event, and published events without an inbox row. Records events handled twice. */
async function* suspectsOf({ consumer, sessions, found }: ConsumerRun, scope: Scope): AsyncGenerator<EventRow, void> {
  const counts = { 'events published, per consumer': 0, 'inbox rows': 0 }
  found.counts = counts
  // With `since` or one contract, only a part of the bus is read.
  const isWholeBus = sessions.bus !== undefined && scope.since === undefined && scope.contractId === undefined
  const published = publishedEvents(sessions, consumer, scope)
  for await (const { rows } of mergeByKey([inboxOf(sessions, consumer, scope), ...published])) {
    const [inbox = [], ...others] = rows
    const events = others.flat()
    const [first] = inbox
    counts['inbox rows'] += inbox.length
    if (events.length > 0) counts['events published, per consumer'] += 1
    if (first && inbox.length > 1)
      record(found, violationOf(consumer, first, 'broken', 'I9', 'has handled an event twice'))
    const young = inbox.find((row) => row.isYoung)
    if (young && events.length === 0 && isWholeBus) yield young
    const missed = events.find((row) => row.isPassed === true) ?? events.find((row) => row.isLate)
    if (missed && !first) yield missed
  }
}

/** Queries the inbox by id: with `since`, an event may be published again after that instant and have been handled long before. */
async function recordLost({ consumer, sessions, found }: ConsumerRun, suspects: readonly EventRow[]) {
  const ids = suspects.map(({ key }) => key)
  const consumed = await consumedBy(sessions, consumer, ids)
  for (const suspect of suspects.filter(({ key }) => !consumed.has(key)))
    record(
      found,
      suspect.isPassed === true
        ? violationOf(consumer, suspect, 'broken', 'I9', 'has skipped an event')
        : violationOf(consumer, suspect, 'late', 'I9', 'has not handled an event'),
    )
}

/**
 * Records the suspects that are neither in an outbox nor a dead letter. Those in an outbox were published long ago or on another bus, and
 * dead letters at any time, so the bus need not have their messages.
 */
async function recordUnpublished({ consumer, sessions, found }: ConsumerRun, suspects: readonly EventRow[]) {
  const ids = suspects.map(({ key }) => key)
  const known = await deadLettersOf(sessions, consumer, ids)
  for (const { service } of producersOf(consumer)) {
    const rows = await sessions[service].query<{ id: string }>(
      'select event_id::text as id from outbox where event_id::text = any($1)',
      [ids.filter((id) => !known.has(id))],
    )
    for (const { id } of rows) known.add(id)
  }
  for (const suspect of suspects.filter(({ key }) => !known.has(key)))
    record(found, violationOf(consumer, suspect, 'broken', 'I7', 'has handled an event that was never published'))
}

const violationOf = (
  { group }: Consumer,
  { key, subject }: EventRow,
  kind: Violation['kind'],
  invariant: 'I7' | 'I9',
  fault: string,
): Violation => ({ invariant, kind, subject: [group, subject, 'event', key].filter(Boolean).join(' '), fault })

function inboxOf(sessions: Sessions, { group, service }: Consumer, { since }: Scope): AsyncIterable<EventRow> {
  return sessions[service].stream<EventRow>(
    `select event_id collate "C" as key, '' as subject, null::boolean as "isPassed", false as "isLate",
            received_at > now() - make_interval(hours => $3) as "isYoung"
       from inbox where consumer = $1 and ($2::timestamptz is null or received_at >= $2::timestamptz - interval '1 minute')
      order by event_id collate "C"`,
    [group, since, BUS_KEPT_HOURS],
  )
}

/** The events published to the consumer: one stream of the embedded bus, or one of each outbox. */
function publishedEvents({ bus, ...services }: Sessions, consumer: Consumer, scope: Scope): AsyncIterable<EventRow>[] {
  const { since, contractId, withinSeconds } = scope
  if (bus)
    return [
      bus.stream<EventRow>(
        `select m.id collate "C" as key, m.key as subject, m.message_offset < g.next_offset as "isPassed",
                m.published_at < now() - make_interval(secs => $4) as "isLate", false as "isYoung"
           from (select *, ${ENVELOPE.id} as id, ${ENVELOPE.type} as type from bus.message) m
           left join bus.group_position g on g.group_name = $1 and g.topic = m.topic and g.partition = m.partition
          where m.topic = any($2) and m.id is not null and m.type = any($6) and m.published_at > now() - make_interval(days => $7)
            and ($3::timestamptz is null or m.published_at >= $3) and ($5::text is null or m.key = $5)
          order by m.id collate "C"`,
        [consumer.group, consumer.topics, since, withinSeconds, contractId, TYPES, INBOX_KEPT_DAYS],
      ),
    ]
  return producersOf(consumer).map(({ service, topic }) =>
    services[service].stream<EventRow>(
      `select event_id::text collate "C" as key, key as subject, null::boolean as "isPassed",
              published_at < now() - make_interval(secs => $3) as "isLate", false as "isYoung"
         from outbox where topic = $1 and published_at is not null and type = any($5)
          and ($2::timestamptz is null or published_at >= $2) and ($4::text is null or key = $4)
        order by event_id::text collate "C"`,
      [topic, since, withinSeconds, contractId, TYPES],
    ),
  )
}
