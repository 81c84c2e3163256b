// Moves outbox rows to the bus: each at least once, those of a key in the order of their commits. [D48, D51, H11]
// Slots of keys are leased by session advisory locks rather than lease rows: they end with the connection, so nothing has to be
// renewed, compared with a clock or waited out. A relay that lost its locks unaware can only repeat what its successor
// publishes too; the first copy of every event still comes in order, and the inbox drops the second.
import type { Envelope } from '@paraph/protocol/events'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import { backOffMs } from '@paraph/service/back-off'
import { waitAtMost } from '@paraph/service/deadline'
import { failPoint } from '@paraph/service/fail-point'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import type { BusMessage, EventBus } from './event-bus.js'
import { OUTBOX_SLOTS } from './outbox.js'
import { createWakeUp, pause } from '@paraph/service/wake-up'

/** First number of the two-number advisory locks of relays; the second is the slot. */
export const RELAY_LOCK_CLASS = 0x70617261
const POLL_MS = 200
/**
 * Between two batches: what commits meanwhile goes into one. A batch costs three statements however many rows it has, and without
 * this pause a relay that is woken by each commit makes a batch of each row.
 */
const GATHER_MS = 20
const LEASE_EVERY_MS = 1_000
const ROWS_PER_SLOT = 50
/** What is published and not marked by then is published again, and its consumers know it. A service has 10 s for all its parts. */
const STOP_MS_MAX = 2_500

interface OutboxRow {
  id: string | number
  event_id: string
  topic: string
  type: string
  key: string
  sequence: string | number
  occurred_at: Date
  traceparent: string | null
  data: Record<string, unknown>
}

/**
 * Runs from `start` to `stop`. Any number of relays may share one outbox.
 * @param directUrl the service's database as its runtime role, not through a transaction pooler
 * @param source `source` of the envelopes, such as `/contract`
 */
export function createRelay({
  directUrl,
  source,
  bus,
  logger,
}: {
  directUrl: string
  source: string
  bus: Pick<EventBus, 'publish'>
  logger: Logger
}) {
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  let tickedAtMs = performance.now()
  let failures = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await relayOver(await openDirectConnection(directUrl, 'paraph relay'))
      } catch (error) {
        await backOff(error, 'the relay cannot reach its outbox; it tries again')
      }
    }
  }

  async function relayOver(connection: DirectConnection): Promise<void> {
    const slots: number[] = []
    let leasedAtMs = -Infinity
    let batch: OutboxRow[] = []
    const ended = AbortSignal.any([stopping.signal, connection.gone])
    try {
      while (!ended.aborted) {
        tickedAtMs = performance.now()
        if (batch.length === 0) {
          if (slots.length < OUTBOX_SLOTS && performance.now() - leasedAtMs >= LEASE_EVERY_MS) {
            slots.push(...(await lease(connection, slots)))
            leasedAtMs = performance.now()
          }
          batch = await readUnpublished(connection, slots)
        }
        if (batch.length > 0) {
          failPoint('relay.read')
          try {
            await publish(batch)
          } catch (error) {
            // The same rows again, unchanged: a bigger batch would break the sequence numbers of an idempotent Kafka producer.
            await backOff(error, 'the bus took no events; the relay tries again')
            continue
          }
          failPoint('relay.sent')
          await connection.query('update outbox set published_at = now() where id = any($1)', [
            batch.map((row) => row.id),
          ])
          failPoint('relay.marked')
          const isBacklog = batch.length >= ROWS_PER_SLOT
          recovered()
          tellPublished(batch)
          batch = []
          if (!isBacklog) await pause(GATHER_MS, ended)
          continue
        }
        recovered()
        await wakeUp.wait(POLL_MS, ended)
      }
    } finally {
      await connection.close()
    }
  }

  /** In a trace of its own with a link to each row's: a batch holds the events of many, and each message carries its own trace. [D51] */
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

  async function backOff(error: unknown, sentence: string): Promise<void> {
    failures += 1
    tickedAtMs = performance.now()
    if (failures === 1) logger.warn({ err: error }, sentence)
    await pause(backOffMs(failures, 100, 5_000, Math.random()), stopping.signal)
  }

  function recovered(): void {
    if (failures > 0) logger.info({ failures }, 'the relay works again')
    failures = 0
  }

  return {
    start: (): void => void (running ??= run()),
    /** Call after a commit that added an event; costs nothing. */
    wake: wakeUp.wake,
    /** Ends when the batch in hand is published and marked. A bus or database that does not answer is not waited for: its rows stay unmarked. */
    async stop(): Promise<void> {
      stopping.abort()
      await waitAtMost(STOP_MS_MAX, running ?? Promise.resolve())
    },
    /** Since the loop last went round. Grows past some 30 s only when the loop itself is stuck; a broken bus does not count. */
    tickAgeMs: () => performance.now() - tickedAtMs,
  }
}

export type Relay = ReturnType<typeof createRelay>

async function timed(publishing: Promise<void>): Promise<void> {
  const startedAtMs = performance.now()
  const tell = (outcome: string) =>
    measure('paraph.outbox.publish.duration', (performance.now() - startedAtMs) / 1_000, { 'paraph.outcome': outcome })
  try {
    await publishing
    tell('taken')
  } catch (error) {
    tell('refused')
    throw error
  }
}

function tellPublished(batch: readonly OutboxRow[]): void {
  for (const { topic } of batch) count('paraph.outbox.published', { 'messaging.destination.name': topic })
}

/** Tries the slots that are not held yet; gives those that are now. */
async function lease(connection: DirectConnection, held: number[]): Promise<number[]> {
  const rows = await connection.query<{ slot: number; locked: boolean }>(
    `select slot, pg_try_advisory_lock($1, slot) as locked from generate_series(0, $2::int - 1) as slot where not slot = any($3)`,
    [RELAY_LOCK_CLASS, OUTBOX_SLOTS, held],
  )
  return rows.filter((row) => row.locked).map((row) => row.slot)
}

/** One short index scan per slot: the cost of a look does not grow with the backlog. */
async function readUnpublished(connection: DirectConnection, slots: number[]): Promise<OutboxRow[]> {
  if (slots.length === 0) return []
  return connection.query<OutboxRow>(
    `select o.* from unnest($1::int[]) as s(slot) cross join lateral (
       select id, event_id, topic, type, key, sequence, occurred_at, traceparent, data from outbox
       where slot = s.slot and published_at is null order by id limit $2
     ) o order by o.id`,
    [slots, ROWS_PER_SLOT],
  )
}

function toMessage(row: OutboxRow, source: string): BusMessage {
  const envelope: Envelope = {
    specversion: '1.0',
    id: row.event_id,
    source,
    type: row.type,
    subject: row.key,
    time: row.occurred_at.toISOString(),
    datacontenttype: 'application/json',
    sequence: String(row.sequence),
    ...(row.traceparent === null ? {} : { traceparent: row.traceparent }),
    data: row.data,
  }
  const headers: Record<string, string> = { 'content-type': 'application/cloudevents+json; charset=UTF-8' }
  if (row.traceparent !== null) headers['traceparent'] = row.traceparent
  return { topic: row.topic, key: row.key, headers, value: JSON.stringify(envelope) }
}
