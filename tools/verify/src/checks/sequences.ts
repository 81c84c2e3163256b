// I9, I7 and I13: the events of a contract or an account are published in the order of `sequence` without a gap; every event marked as
// published is on the bus, none was published uncommitted, and each has the trace of its creator.
// Reads outboxes and the embedded bus in the order of their keys, one key in memory at a time. With Kafka, whose messages are no rows,
// it reads only the outboxes. The bus is read before the outboxes, because a message is the effect of a row.
// With `since`, suspects are read again without it: an event may be published before that instant and marked after it.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { Topic } from '@paraph/protocol/events'
import { readBusTimes, type BusTimes } from '../rows/bus-times.js'
import type { Found, Looks, Scope, TableCheck, Violation } from '../check.js'
import { add, listed, LISTED_MAX, recordViolation } from '../violations.js'
import { consumedByAll } from '../rows/consumed.js'
import { mergeByKey } from '../rows/merge.js'
import { sequenceViolations, type Aggregate, type PublishedEvent } from './sequence-violations.js'
import { ENVELOPE, hasTable, listenersOf, OUTBOX_KEPT_HOURS, PRODUCERS } from '../rows/outboxes.js'

type Producer = (typeof PRODUCERS)[number]

const CHUNK = 500

/** Keys per second read. */
const SUSPECTS = 5_000

/** The rows that are read. */
interface Selection {
  since: Date | undefined
  contractId: string | undefined
  /** Only of these contracts or accounts. */
  keys?: readonly string[]
}

export const eventsAreInSequence: TableCheck = {
  invariants: ['I9', 'I7', 'I13'],
  compares: 'the outbox rows of each contract and account with its version and, on the embedded bus, with its messages',
  parts: PRODUCERS.map((producer) => ({
    reads: ['bus', producer.service, ...listenersOf(producer.topic).map(({ service }) => service)],
    async look(looks: Looks, scope: Scope): Promise<Found> {
      const found: Found = {
        looked: { 'events in outboxes': 0, 'messages on the bus': 0, 'subjects of events': 0 },
        violations: [],
      }
      if (!(await hasTable(looks, producer.service, 'outbox'))) return found
      if (scope.contractId === undefined || producer.topic !== 'account.events.v1')
        await checkProducer(producer, looks, scope, found)
      return found
    },
  })),
}

async function checkProducer(producer: Producer, looks: Looks, scope: Scope, found: Found): Promise<void> {
  const { looked } = found
  let suspects: string[] = []
  for await (const { key, told, onBus, violations } of judge(producer, looks, scope)) {
    looked['subjects of events']! += 1
    looked['events in outboxes']! += told
    looked['messages on the bus']! += onBus
    if (scope.since === undefined) recordViolation(found, violations)
    else if (violations.length > 0) suspects.push(key)
  }
  for (; suspects.length > 0; suspects = suspects.slice(SUSPECTS)) {
    const whole = { since: undefined, contractId: undefined, keys: suspects.slice(0, SUSPECTS) }
    for await (const { violations } of judge(producer, looks, whole)) recordViolation(found, violations)
  }
  if (producer.aggregate?.table === 'contract') add(found, await untold(looks.contract, scope))
}

interface Judged {
  key: string
  /** Outbox rows, and messages. */
  told: number
  onBus: number
  violations: Violation[]
}

async function* judge(producer: Producer, looks: Looks, selection: Selection): AsyncGenerator<Judged, void> {
  const { service, topic, aggregate } = producer
  const outbox = readOutbox(looks[service], selection)
  const bus = looks.bus ? readBus(looks.bus, topic, selection) : nothing()
  const times = once(() => readBusTimes(looks.bus!))
  let chunk: { key: string; rows: [PublishedEvent[], PublishedEvent[]] }[] = []

  async function* judged(): AsyncGenerator<Judged, void> {
    const keys = chunk.map(({ key }) => key)
    const aggregates = aggregate ? await readAggregates(looks[service], aggregate.table, selection, keys) : undefined
    const missing = looks.bus ? chunk.flatMap(({ rows: [told, messages] }) => missingOnBus(told, messages)) : []
    const lost = missing.length > 0 ? await lostOf(missing, topic, looks, await times()) : new Set<string>()
    for (const { key, rows } of chunk)
      yield {
        key,
        told: rows[0].length,
        onBus: rows[1].length,
        violations: sequenceViolations(key, rows.flat(), {
          aggregate: aggregates && (aggregates.get(key) ?? null),
          firstSequence: aggregate?.firstSequence ?? 1,
          lost,
        }),
      }
    chunk = []
  }

  for await (const {
    key,
    rows: [told = [], messages = []],
  } of mergeByKey([outbox, bus])) {
    chunk.push({ key, rows: [told, messages] })
    if (chunk.length === CHUNK) yield* judged()
  }
  yield* judged()
}

/** Rows marked as published whose event has no message. */
function missingOnBus(told: readonly PublishedEvent[], messages: readonly PublishedEvent[]): PublishedEvent[] {
  const onBus = new Set(messages.map(({ eventId }) => eventId))
  return told.filter(({ eventId, publishedAt }) => publishedAt !== null && !onBus.has(eventId))
}

/** Events of `missing` that the bus must hold: not those that it has pruned, or that were published on another bus. */
async function lostOf(
  missing: readonly PublishedEvent[],
  topic: Topic,
  looks: Looks,
  times: BusTimes,
): Promise<Set<string>> {
  const kept = missing.filter(({ publishedAt }) => !times.isPast(publishedAt!))
  const elsewhere = kept.filter(({ publishedAt }) => times.wasSilent(publishedAt!)).map(({ eventId }) => eventId!)
  const consumed = await consumedByAll(looks, topic, elsewhere)
  return new Set(kept.map(({ eventId }) => eventId!).filter((eventId) => !consumed.has(eventId)))
}

function readOutbox(look: ReadOnlySession, { since, contractId, keys }: Selection): AsyncIterable<PublishedEvent> {
  return look.stream<PublishedEvent & Record<string, unknown>>(
    `select key collate "C" as key, 'outbox' as source, event_id::text as "eventId", sequence, traceparent,
            published_at as "publishedAt", null::smallint as partition, false as "isOld"
       from outbox
      where ($1::timestamptz is null or occurred_at >= $1 or published_at >= $1 or published_at is null)
        and ($2::text is null or key = $2) and ($3::text[] is null or key = any($3))
      order by key collate "C", id`,
    [since ?? null, contractId ?? null, keys ?? null],
  )
}

/** Fields that a foreign message lacks are null. */
function readBus(
  look: ReadOnlySession,
  topic: string,
  { since, contractId, keys }: Selection,
): AsyncIterable<PublishedEvent> {
  return look.stream<PublishedEvent & Record<string, unknown>>(
    `select key collate "C" as key, 'bus' as source, ${ENVELOPE.id} as "eventId",
            ${ENVELOPE.sequence} as sequence, headers ->> 'traceparent' as traceparent,
            published_at as "publishedAt", partition,
            published_at < greatest(now() - make_interval(hours => $4), $2) as "isOld"
       from bus.message
      where topic = $1 and ($2::timestamptz is null or published_at >= $2::timestamptz - interval '1 minute')
        and ($3::text is null or key = $3) and ($5::text[] is null or key = any($5))
      order by key collate "C", partition, message_offset`,
    [topic, since ?? null, contractId ?? null, OUTBOX_KEPT_HOURS, keys ?? null],
  )
}

async function readAggregates(
  look: ReadOnlySession,
  table: string,
  { since }: Selection,
  ids: readonly string[],
): Promise<Map<string, Aggregate>> {
  const rows = await look.query<Aggregate & Record<string, unknown>>(
    `select id, version, created_at > greatest(now() - make_interval(hours => $2), $3::timestamptz) as "isYoung"
       from ${table} where id = any($1)`,
    [ids, OUTBOX_KEPT_HOURS, since ?? null],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Young contracts without an event. */
async function untold(look: ReadOnlySession, { since, contractId }: Scope): Promise<Found> {
  const rows = await look.query<{ id: string; all: number }>(
    `select id, count(*) over ()::int as all from contract c
      where id >= 'contract-' || floor(extract(epoch from greatest(now() - make_interval(hours => $1), $2::timestamptz)) * 1000)::text
        and created_at > greatest(now() - make_interval(hours => $1), $2::timestamptz) and ($3::text is null or id = $3)
        and not exists (select from outbox o where o.key = c.id) order by id limit ${LISTED_MAX}`,
    [OUTBOX_KEPT_HOURS, since ?? null, contractId ?? null],
  )
  const fault = 'has no event of its creation'
  return { looked: {}, ...listed(rows, ({ id: subject }) => ({ invariant: 'I9', kind: 'broken', subject, fault })) }
}

/** Caches the result of the first call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= read())
}

async function* nothing(): AsyncGenerator<PublishedEvent, void> {
  // No rows: the bus is Kafka.
}
