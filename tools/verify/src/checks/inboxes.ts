// I9 and I7: each consumer has handled, exactly once, or stored as a dead letter every event below its position on the bus, and has
// handled no event that was never published.
// Reads by event id, one in memory at a time. Exact on the embedded bus, whose positions are rows and are read before the inboxes.
// With Kafka an event counts as lost when its outbox row was published longer ago than the time for late work.
import { EVENT_DATA } from '@paraph/protocol/events'
import type { Found, Looks, Scope, TableCheck, Violation } from '../check.js'
import { recordViolation } from '../violations.js'
import { consumedBy, deadLettersOf } from '../rows/consumed.js'
import { mergeByKey } from '../rows/merge.js'
import { CONSUMERS, ENVELOPE, hasTable, producersOf, type Consumer } from '../rows/outboxes.js'

export interface Handed {
  /** The event's id. */
  key: string
  source: 'told' | 'inbox'
  subject: string
  topic: string
  partition: number | null
  offset: number | null
  /** True when it is below the consumer's position. Null when positions are unknown. */
  isPassed: boolean | null
  isLate: boolean
  /** Of an inbox row: so young that the bus must still have its message. */
  isYoung: boolean
}

/** The bus keeps every message for a day at least. */
const BUS_KEPT_HOURS = 20
/** Inboxes keep 45 days; with a longer retention the bus holds messages that inboxes no longer know. */
const INBOX_KEPT_DAYS = 44
/** Per query by id. */
const SUSPECTS = 10_000
const TYPES = Object.keys(EVENT_DATA)

export const consumersMissNothing: TableCheck = {
  invariants: ['I9', 'I7'],
  compares: 'the published events with the inbox of each consumer and its dead letters',
  parts: CONSUMERS.map((consumer) => ({
    reads: ['bus', consumer.service, ...producersOf(consumer).map(({ service }) => service)],
    look: (looks: Looks, scope: Scope) => checkConsumer(consumer, looks, scope),
  })),
}

async function checkConsumer(consumer: Consumer, looks: Looks, scope: Scope): Promise<Found> {
  const found: Found = { looked: { 'events published, per consumer': 0, 'inbox rows': 0 }, violations: [] }
  const lost = inBatches((suspects) => recordLost(consumer, looks, suspects, found))
  const ghosts = inBatches((suspects) => recordUnpublished(consumer, looks, suspects, found))
  const told = looks.bus ? [fromBus(looks, consumer, scope)] : await fromOutboxes(looks, consumer, scope)
  for await (const { rows } of mergeByKey([inboxOf(looks, consumer, scope), ...told])) {
    const [inbox = [], ...others] = rows
    const events = others.flat()
    found.looked['inbox rows']! += inbox.length
    found.looked['events published, per consumer']! += events.length > 0 ? 1 : 0
    if (inbox.length > 1)
      recordViolation(found, [say(consumer, inbox[0]!, 'broken', 'I9', 'has handled an event twice')])
    const ghost = inbox.find((row) => row.isYoung)
    if (ghost && events.length === 0 && looks.bus && !isNarrow(scope)) await ghosts.add(ghost)
    const missed =
      inbox.length === 0 && (events.find((row) => row.isPassed === true) ?? events.find((row) => row.isLate))
    if (missed) await lost.add(missed)
  }
  await lost.flush()
  await ghosts.flush()
  return found
}

/** By id: with `since`, an event may be published again after that instant and have been handled long before. */
async function recordLost(consumer: Consumer, looks: Looks, suspects: readonly Handed[], found: Found): Promise<void> {
  const consumed = await consumedBy(
    looks,
    consumer,
    suspects.map(({ key }) => key),
  )
  for (const suspect of suspects.filter(({ key }) => !consumed.has(key)))
    recordViolation(found, [
      suspect.isPassed === true
        ? say(consumer, suspect, 'broken', 'I9', 'has skipped an event')
        : say(consumer, suspect, 'late', 'I9', 'has not handled an event'),
    ])
}

/**
 * Events in an outbox were published, on another bus or long ago, and redriven dead letters at any time. Neither must still be on the
 * bus.
 */
async function recordUnpublished(
  consumer: Consumer,
  looks: Looks,
  suspects: readonly Handed[],
  found: Found,
): Promise<void> {
  const ids = suspects.map(({ key }) => key)
  const known = await deadLettersOf(looks, consumer, ids)
  for (const { service } of producersOf(consumer)) {
    const rows = await looks[service].query<{ id: string }>(
      'select event_id::text as id from outbox where event_id::text = any($1)',
      [ids.filter((id) => !known.has(id))],
    )
    for (const { id } of rows) known.add(id)
  }
  for (const suspect of suspects.filter(({ key }) => !known.has(key)))
    recordViolation(found, [say(consumer, suspect, 'broken', 'I7', 'has handled an event that was never published')])
}

/** Passes suspects on in batches, so that memory does not grow with their number. */
function inBatches(process: (suspects: readonly Handed[]) => Promise<void>) {
  let waiting: Handed[] = []
  async function flush(): Promise<void> {
    const suspects = waiting
    waiting = []
    if (suspects.length > 0) await process(suspects)
  }
  return {
    flush,
    async add(suspect: Handed): Promise<void> {
      if (waiting.push(suspect) >= SUSPECTS) await flush()
    },
  }
}

const isNarrow = ({ since, contractId }: Scope): boolean => since !== undefined || contractId !== undefined

const say = (
  { group }: Consumer,
  { key, subject }: Handed,
  kind: Violation['kind'],
  invariant: 'I7' | 'I9',
  fault: string,
): Violation => ({ invariant, kind, subject: `${group} ${subject === '' ? '' : `${subject} `}event ${key}`, fault })

function inboxOf(looks: Looks, { group, service }: Consumer, { since }: Scope): AsyncIterable<Handed> {
  return looks[service].stream<Handed & Record<string, unknown>>(
    `select event_id collate "C" as key, 'inbox' as source, '' as subject, '' as topic, null as partition, null as offset,
            null::boolean as "isPassed", false as "isLate", received_at > now() - make_interval(hours => $3) as "isYoung"
       from inbox where consumer = $1 and ($2::timestamptz is null or received_at >= $2::timestamptz - interval '1 minute')
      order by event_id collate "C"`,
    [group, since ?? null, BUS_KEPT_HOURS],
  )
}

function fromBus(
  looks: Looks,
  { group, topics }: Consumer,
  { since, contractId, withinSeconds }: Scope,
): AsyncIterable<Handed> {
  return looks.bus!.stream<Handed & Record<string, unknown>>(
    `select m.id collate "C" as key, 'told' as source, m.key as subject, m.topic, m.partition, m.message_offset as offset,
            m.message_offset < g.next_offset as "isPassed", m.published_at < now() - make_interval(secs => $4) as "isLate",
            false as "isYoung"
       from (select *, ${ENVELOPE.id} as id,
                    ${ENVELOPE.type} as type from bus.message) m
       left join bus.group_position g on g.group_name = $1 and g.topic = m.topic and g.partition = m.partition
      where m.topic = any($2) and m.id is not null and m.type = any($6) and m.published_at > now() - make_interval(days => $7)
        and ($3::timestamptz is null or m.published_at >= $3) and ($5::text is null or m.key = $5)
      order by m.id collate "C"`,
    [group, topics, since ?? null, withinSeconds, contractId ?? null, TYPES, INBOX_KEPT_DAYS],
  )
}

async function fromOutboxes(
  looks: Looks,
  consumer: Consumer,
  { since, contractId, withinSeconds }: Scope,
): Promise<AsyncIterable<Handed>[]> {
  const streams: AsyncIterable<Handed>[] = []
  for (const { service, topic } of producersOf(consumer)) {
    if (!(await hasTable(looks, service, 'outbox'))) continue
    streams.push(
      looks[service].stream<Handed & Record<string, unknown>>(
        `select event_id::text collate "C" as key, 'told' as source, key as subject, topic, null as partition, null as offset,
                null::boolean as "isPassed", published_at < now() - make_interval(secs => $3) as "isLate", false as "isYoung"
           from outbox where topic = $1 and published_at is not null and type = any($5)
            and ($2::timestamptz is null or published_at >= $2) and ($4::text is null or key = $4)
          order by event_id::text collate "C"`,
        [topic, since ?? null, withinSeconds, contractId ?? null, TYPES],
      ),
    )
  }
  return streams
}
