// Publishes outbox rows to the bus: each at least once, the rows of a key in the order of their commits. [D48, D51, H11]
// Slots of keys are leased by session advisory locks rather than lease rows: a lock ends with its connection, so no lease has to be
// renewed, compared with a clock or waited out. A relay that lost its locks without noticing can only repeat events that its successor also
// publishes: the first copies of all events still arrive in order, and the inbox drops the second ones.
import type { Envelope } from '@paraph/protocol/events'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { waitAtMost } from '@paraph/protocol/deadline'
import { createLoop } from '@paraph/background/loop'
import { pause } from '@paraph/background/wake-up'
import { failPoint } from '@paraph/testing/fail-point'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import type { BusMessage, EventBus } from './event-bus.js'
import { OUTBOX_SLOTS } from './outbox.js'

/** First number of the two-number advisory locks of relays; the second is the slot. */
export const RELAY_LOCK_CLASS = 0x70617261
const POLL_MS = 200
/**
 * The pause between two batches, so that commits in the meantime share a batch. A batch costs three statements whatever its size;
 * without this pause a relay that is woken by each commit publishes each row in a batch of its own.
 */
const GATHER_MS = 20
const LEASE_EVERY_MS = 1_000
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
}

/** One connection, its locked slots and the current batch. All three end together. */
interface Lease {
  connection: DirectConnection
  slots: number[]
  leasedAtMs: number
  batch: OutboxRow[]
}

/** Publishes from `start` to `stop`. Any number of relays may share one outbox. */
export function createRelay({ directUrl, source, bus, logger }: RelayDeps) {
  let lease: Lease | undefined

  /** @returns true when more rows may be waiting */
  async function relayBatch(): Promise<boolean> {
    if (lease?.connection.closed.aborted) await release()
    if (!lease) {
      const opened = await openDirectConnection(directUrl, 'paraph relay')
      lease = { connection: opened, slots: [], leasedAtMs: -Infinity, batch: [] }
    }
    const { connection, slots } = lease
    if (lease.batch.length === 0) {
      if (slots.length < OUTBOX_SLOTS && performance.now() - lease.leasedAtMs >= LEASE_EVERY_MS) {
        slots.push(...(await lockSlots(connection, slots)))
        lease.leasedAtMs = performance.now()
      }
      lease.batch = await readUnpublished(connection, slots)
    }
    const { batch } = lease
    if (batch.length === 0) return false
    failPoint('relay.read')
    // After a failure the next round sends the same rows unchanged: a bigger batch would break the sequence numbers of an idempotent
    // Kafka producer.
    await publish(batch)
    failPoint('relay.sent')
    await connection.query('update outbox set published_at = now() where id = any($1)', [batch.map(({ id }) => id)])
    failPoint('relay.marked')
    lease.batch = []
    for (const { topic } of batch) count('paraph.outbox.published', { 'messaging.destination.name': topic })
    if (batch.length < ROWS_PER_SLOT) await pause(GATHER_MS, connection.closed)
    return true
  }

  async function release(): Promise<void> {
    const ended = lease
    lease = undefined
    await ended?.connection.close()
  }

  /** In a trace of its own with links to the traces of the rows: a batch has many events, and each message has its own trace. [D51] */
  const publish = (batch: OutboxRow[]): Promise<void> =>
    inOwnTrace(
      {
        name: 'relay outbox',
        kind: 'CLIENT',
        attributes: { 'messaging.operation.name': 'send', 'messaging.batch.message_count': batch.length },
        causes: batch.map(({ traceparent }) => traceparent),
      },
      () => timed(bus.publish(batch.map((row) => toMessage(row, source)))),
    )

  const loop = createLoop({
    work: relayBatch,
    pauseMs: POLL_MS,
    failureMessage: 'could not publish the events of the outbox; retrying with back-off',
    logger,
  })

  return {
    start: loop.start,
    /** Call after a commit that added an event; costs nothing. Ignored during an outage, so that commits do not defeat the back-off. */
    wake(): void {
      if (!loop.isFailing()) loop.wake()
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

/** Tries to lock the slots not in `locked`. @returns those that it locked */
async function lockSlots(connection: DirectConnection, locked: number[]): Promise<number[]> {
  const rows = await connection.query<{ slot: number; locked: boolean }>(
    `select slot, pg_try_advisory_lock($1, slot) as locked from generate_series(0, $2::int - 1) as slot where not slot = any($3)`,
    [RELAY_LOCK_CLASS, OUTBOX_SLOTS, locked],
  )
  return rows.filter((row) => row.locked).map((row) => row.slot)
}

/** One short index scan per slot: the cost does not grow with the backlog. */
async function readUnpublished(connection: DirectConnection, slots: number[]): Promise<OutboxRow[]> {
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
