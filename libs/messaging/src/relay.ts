// Publishes outbox rows to the bus: each at least once, the rows of a key in the order of their commits. [D48, D51, H11]
// Does not own: which slots of keys are this relay's (slot-lease.ts).
import type { Envelope } from '@paraph/protocol/events'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { waitAtMost } from '@paraph/protocol/deadline'
import { createLoop } from '@paraph/background/loop'
import { pause, pollPauseMs } from '@paraph/background/wake-up'
import { failPoint } from '@paraph/testing/fail-point'
import type { DirectConnection } from '@paraph/database/direct-connection'
import type { BusMessage, EventBus } from './event-bus.js'
import { OUTBOX_SLOTS } from './outbox.js'
import { openSlotLease, type SlotLease } from './slot-lease.js'

/**
 * The pause between two batches, so that commits in the meantime share a batch. A batch costs three statements whatever its size;
 * without this pause a relay that is woken by each commit publishes each row in a batch of its own. The same pause bounds the NOTIFYs.
 */
const GATHER_MS = 20
const ROWS_PER_SLOT = 50
/** A batch that is published but not yet marked is published again; consumers drop the copy. A service has 10 s to stop all parts. */
const STOP_MS_MAX = 2_500

interface OutboxRow extends Pick<Envelope, 'type' | 'sequence' | 'data'>, Pick<BusMessage, 'topic' | 'key'> {
  id: string | number
  eventId: string
  occurredAt: Date
  traceparent: string | null
}

export interface RelayDeps {
  /** The service's database as its runtime role, not through a transaction pooler. */
  directUrl: string
  /** `source` of the envelopes, such as `/contract`. */
  source: string
  bus: Pick<EventBus, 'publish'>
  logger: Logger
  /** Nobody waits for these events: a batch waits for further ones before it is read. */
  isPatient?: boolean
  /** Pause of a poll, which finds rows whose NOTIFY was lost: their process died, or its own relay failed. Default: `pollPauseMs`. */
  pollMs?: number
}

/** Publishes from `start` to `stop`. Any number of relays may share one outbox. */
export function createRelay({ directUrl, source, bus, logger, isPatient = false, pollMs }: RelayDeps) {
  let lease: SlotLease | undefined
  let batch: OutboxRow[] = []
  /** True when this process has committed rows since the last round; their slots may be another relay's. */
  let hasCommitted = false
  /** True when another relay has sent a notification since the last round. */
  let isNotified = false

  /** @returns true when more rows may be waiting */
  async function relayBatch(): Promise<boolean> {
    if (lease?.connection.closed.aborted) await release()
    lease ??= await openSlotLease(directUrl, () => {
      isNotified = true
      wake()
    })
    const { connection, slots } = lease
    if (batch.length === 0) await lease.share()
    if (isPatient && hasCommitted) await pause(GATHER_MS, connection.closed)
    const mustNotify = hasCommitted && slots.length < OUTBOX_SLOTS
    const isAboutOthers = mustNotify || isNotified
    hasCommitted = isNotified = false
    if (batch.length === 0) batch = await readUnpublished(connection, slots)
    if (mustNotify) await lease.notifyOthers()
    if (batch.length === 0) {
      // Without this pause each commit of any process would cost each relay a round.
      if (isAboutOthers) await pause(GATHER_MS, connection.closed)
      return false
    }
    failPoint('relay.read')
    // After a failure the next round sends the same rows unchanged: a bigger batch would break the sequence numbers of an idempotent
    // Kafka producer.
    await publish(batch)
    failPoint('relay.sent')
    await connection.query('update outbox set published_at = now() where id = any($1)', [batch.map(({ id }) => id)])
    failPoint('relay.marked')
    for (const { topic } of batch) count('paraph.outbox.published', { 'messaging.destination.name': topic })
    const isLarge = batch.length >= ROWS_PER_SLOT
    batch = []
    // Rows of commits in the meantime have called `wake`.
    if (!isLarge) await pause(GATHER_MS, connection.closed)
    return isLarge
  }

  async function release(): Promise<void> {
    const ended = lease
    lease = undefined
    batch = []
    await ended?.connection.close()
  }

  /** Ignored during an outage, so that commits do not defeat the back-off. */
  function wake(): void {
    if (!loop.isFailing()) loop.wake()
  }

  /** In a trace of its own with links to the traces of the rows: a batch has many events, and each message has its own trace. [D51] */
  const publish = (rows: readonly OutboxRow[]): Promise<void> =>
    inOwnTrace(
      {
        name: 'relay outbox',
        kind: 'CLIENT',
        attributes: { 'messaging.operation.name': 'send', 'messaging.batch.message_count': rows.length },
        causes: rows.map(({ traceparent }) => traceparent),
      },
      () => timed(bus.publish(rows.map((row) => toMessage(row, source)))),
    )

  const loop = createLoop({
    name: 'outbox relay',
    work: relayBatch,
    pauseMs: pollMs ?? pollPauseMs,
    failureMessage: 'outbox relay failed; retrying with back-off',
    logger,
  })

  return {
    start: loop.start,
    /** Call after a commit that added an event; costs the commit nothing. Wakes the relays of other processes too. */
    wake(): void {
      hasCommitted = true
      wake()
    },
    /** Resolves when the current batch is published and marked. If the bus does not answer in time, its rows stay unmarked. */
    stop: (): Promise<void> => waitAtMost(STOP_MS_MAX, loop.stop().then(release)),
    /** Exceeds about 30 s only if the loop itself hangs, not if the bus is unavailable. */
    tickAgeMs: loop.tickAgeMs,
  }
}

export type Relay = ReturnType<typeof createRelay>

async function timed(publishing: Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  let outcome = 'refused'
  try {
    await publishing
    outcome = 'taken'
  } finally {
    measure('paraph.outbox.publish.duration', (performance.now() - startedAtMs) / 1_000, { 'paraph.outcome': outcome })
  }
}

/** One short index scan per slot: the cost does not grow with the backlog. */
async function readUnpublished(connection: DirectConnection, slots: readonly number[]): Promise<OutboxRow[]> {
  if (slots.length === 0) return []
  return connection.query<OutboxRow>(
    `select o.* from unnest($1::int[]) as s(slot) cross join lateral (
       select id, event_id as "eventId", topic, type, key, sequence::text, occurred_at as "occurredAt", traceparent, data from outbox
       where slot = s.slot and published_at is null order by id limit $2
     ) o order by o.id`,
    [slots, ROWS_PER_SLOT],
  )
}

function toMessage(row: OutboxRow, source: string): BusMessage {
  const { topic, type, key, sequence, data } = row
  const trace = row.traceparent === null ? {} : { traceparent: row.traceparent }
  const envelope: Envelope = {
    specversion: '1.0',
    id: row.eventId,
    source,
    type,
    subject: key,
    time: row.occurredAt.toISOString(),
    datacontenttype: 'application/json',
    sequence,
    ...trace,
    data,
  }
  const headers = { 'content-type': 'application/cloudevents+json; charset=UTF-8', ...trace }
  return { topic, key, headers, value: JSON.stringify(envelope) }
}
