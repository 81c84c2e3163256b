import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { Envelope } from '@paraph/protocol/events'
import { createLogger } from '@paraph/telemetry/logger'
import { pruneBatch } from '@paraph/database/retention'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { BusMessage, EventBus } from './event-bus.js'
import { appendToOutbox, createOutboxTables } from './outbox.js'
import { createRelay, type Relay } from './relay.js'
import { OUTBOX_RETENTION } from './retention.js'
import { RELAY_LOCK_CLASS } from './slot-lease.js'

const logger = createLogger('test', 'silent')
const WAIT = { timeout: 20_000, interval: 10 }
const AT = '2026-11-20T14:03:00.000Z'

let clone: TestDatabase
let pool: pg.Pool
let database: Kysely<unknown>
const relays: Relay[] = []

beforeEach(async () => {
  // The relay needs an empty database; the bus template is one.
  clone = await cloneTestDatabase('bus')
  const owner = new pg.Pool({ connectionString: clone.ownerUrl, max: 1 })
  await createOutboxTables(createDatabase<unknown>(owner))
  await owner.end()
  pool = openPool(clone.url, logger, { max: 20 })
  database = createDatabase<unknown>(pool)
})

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await database.destroy()
  await clone.drop()
})

it('two relays publish every row in the order of its key, despite late commits and broken connections [D48, F16]', async () => {
  const bus = createRecordingBus()
  startRelay(bus)
  startRelay(bus)
  const keys = Array.from({ length: 12 }, (_, index) => `contract-${index}`)
  const eventsPerKey = 15
  // One writer per key, as the row lock of the aggregate enforces. Rows of different keys are not committed in the order of ids.
  const writers = keys.map(async (key) => {
    for (let sequence = 1; sequence <= eventsPerKey; sequence++) {
      await retrying(() => append(key, sequence, () => sql`select pg_sleep(random() * 0.02)`.execute(database)))
      if (key === keys[0] && sequence % 5 === 0) await cutRelays()
    }
  })
  await Promise.all(writers)
  const whole = Array.from({ length: eventsPerKey }, (_, index) => index + 1)
  await waitFor(() => expect(bus.firstCopies()).toEqual(Object.fromEntries(keys.map((key) => [key, whole]))), WAIT)
  await waitFor(async () => expect(await countUnpublished()).toBe(0), WAIT)
})

it('two relays publish no row twice while nothing fails [D48]', async () => {
  const bus = createRecordingBus()
  startRelay(bus)
  startRelay(bus)
  await Promise.all(Array.from({ length: 60 }, (_, index) => append(`contract-${index}`, 1)))
  await waitFor(async () => expect(await countUnpublished()).toBe(0), WAIT)
  expect(bus.messages).toHaveLength(60)
})

it('relays share the slots while they come and go, and publish each row once and in the order of its key [D48, P5]', async () => {
  const bus = createRecordingBus()
  let isOver = false
  const writers = Array.from({ length: 24 }, async (_, index) => {
    const key = `contract-${index}`
    let sequence = 0
    while (!isOver) {
      await append(key, ++sequence)
      await sleep(5)
    }
    return [key, Array.from({ length: sequence }, (_each, before) => before + 1)] as const
  })
  startRelay(bus)
  await waitFor(async () => expect(await slotsOwned()).toEqual([16]), WAIT)
  const second = startRelay(bus)
  await waitFor(async () => expect(await slotsOwned()).toEqual([8, 8]), WAIT)
  startRelay(bus)
  await waitFor(async () => expect(await slotsOwned()).toEqual([6, 6, 4]), WAIT)
  await second.stop()
  await waitFor(async () => expect(await slotsOwned()).toEqual([8, 8]), WAIT)
  isOver = true
  const written = Object.fromEntries(await Promise.all(writers))
  await waitFor(async () => expect(await countUnpublished()).toBe(0), WAIT)
  expect(bus.firstCopies()).toEqual(written)
  expect(bus.messages).toHaveLength(Object.values(written).flat().length)
}, 90_000)

it('a commit wakes the relay that owns its slot, in whichever process it runs [D48]', async () => {
  const bus = createRecordingBus()
  // Without polling, which would find the rows.
  const [own, other] = [startRelay(bus, 600_000), startRelay(bus, 600_000)]
  await waitFor(async () => {
    own.wake()
    other.wake()
    expect(await slotsOwned()).toEqual([8, 8])
  }, WAIT)
  const keys = Array.from({ length: 64 }, (_, index) => `contract-${index}`)
  await Promise.all(keys.map((key) => append(key, 1)))
  own.wake()
  await waitFor(() => expect(bus.messages).toHaveLength(keys.length), WAIT)
})

it('the relay does not skip a row that commits after later ones were published [D48]', async () => {
  const bus = createRecordingBus()
  startRelay(bus)
  const appended = Promise.withResolvers<void>()
  const commit = Promise.withResolvers<void>()
  const late = append('slow', 1, async () => {
    appended.resolve()
    await commit.promise
  })
  await appended.promise
  await append('fast', 1)
  await waitFor(() => expect(bus.firstCopies()).toEqual({ fast: [1] }), WAIT)
  commit.resolve()
  await late
  await waitFor(() => expect(bus.firstCopies()).toEqual({ fast: [1], slow: [1] }), WAIT)
})

it('the relay publishes nothing of a transaction that rolled back [I7]', async () => {
  const bus = createRecordingBus()
  const relay = startRelay(bus)
  await expect(append('k', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await append('k', 2)
  relay.wake()
  await waitFor(() => expect(bus.firstCopies()).toEqual({ k: [2] }), WAIT)
})

it('the relay keeps the same batch while the bus refuses it, and its loop continues [F1, F2, H11]', async () => {
  const bus = createRecordingBus()
  bus.refuse(4)
  const relay = startRelay(bus)
  await append('k', 1)
  await waitFor(() => expect(bus.refused.length).toBeGreaterThan(0), WAIT)
  await append('k', 2)
  await waitFor(() => expect(bus.firstCopies()).toEqual({ k: [1, 2] }), WAIT)
  expect(bus.refused.map((messages) => messages.length)).toEqual([1, 1, 1, 1])
  expect(relay.tickAgeMs()).toBeLessThan(5_000)
})

it('the relay writes a CloudEvents envelope with the trace of the creating span [D51]', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await append('contract-1', 7)
  await sql`update outbox set traceparent = ${traceparent}`.execute(database)
  const bus = createRecordingBus()
  startRelay(bus)
  await waitFor(() => expect(bus.messages).toHaveLength(1), WAIT)
  const [message] = bus.messages
  expect(message).toMatchObject({ topic: 'contract.events.v1', key: 'contract-1', headers: { traceparent } })
  expect(JSON.parse(message?.value ?? '')).toEqual({
    specversion: '1.0',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    source: '/contract',
    type: 'contract.expired',
    subject: 'contract-1',
    time: AT,
    datacontenttype: 'application/json',
    sequence: '7',
    traceparent,
    data: { contractId: 'contract-1', accountId: 'a', environment: 'sandbox', at: AT },
  })
})

it('another relay takes over from a stopped one within seconds [D48]', async () => {
  const first = createRecordingBus()
  const second = createRecordingBus()
  const relay = startRelay(first)
  await append('k', 1)
  await waitFor(() => expect(first.messages).toHaveLength(1), WAIT)
  startRelay(second)
  await relay.stop()
  await append('k', 2)
  await waitFor(() => expect(second.firstCopies()).toEqual({ k: [2] }), { timeout: 4_000 })
})

it('the relay stops even if the bus never answers, and leaves its rows to the next relay [F1, H13]', async () => {
  const given = Promise.withResolvers<void>()
  const relay = startRelay({
    publish: () => {
      given.resolve()
      return new Promise(() => undefined)
    },
  })
  await append('k', 1)
  await given.promise
  const beganAtMs = performance.now()
  await relay.stop()
  expect(performance.now() - beganAtMs).toBeLessThan(4_000)
  await cutRelays()
  const bus = createRecordingBus()
  startRelay(bus)
  await waitFor(() => expect(bus.firstCopies()).toEqual({ k: [1] }), WAIT)
})

it('the relay prunes published rows past their retention and never an unpublished one', async () => {
  for (const sequence of [1, 2, 3]) await append('k', sequence)
  await sql`update outbox set published_at = now() - interval '8 days' where sequence = 1`.execute(database)
  await sql`update outbox set published_at = now() - interval '6 days' where sequence = 2`.execute(database)
  await pruneBatch(database, OUTBOX_RETENTION)
  const { rows } = await sql<{ sequence: number }>`select sequence from outbox order by id`.execute(database)
  expect(rows.map((row) => row.sequence)).toEqual([2, 3])
})

it('the outbox refuses data that does not match the schema of the event type', async () => {
  await expect(
    database
      .transaction()
      .execute((trx) =>
        appendToOutbox(trx, {
          topic: 'contract.events.v1',
          type: 'contract.expired',
          subject: 'k',
          sequence: 1,
          data: { contractId: 'k', accountId: 'a', environment: 'sandbox', at: 'yesterday' },
        }),
      ),
  ).rejects.toThrow('at')
})

function startRelay(bus: Pick<EventBus, 'publish'>, pollMs = 200): Relay {
  const relay = createRelay({ directUrl: clone.url, source: '/contract', bus, logger, pollMs })
  relays.push(relay)
  relay.start()
  return relay
}

async function append(
  key: string,
  sequence: number,
  beforeCommit: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await appendToOutbox(trx, {
      topic: 'contract.events.v1',
      type: 'contract.expired',
      subject: key,
      sequence,
      time: new Date(AT),
      data: { contractId: key, accountId: 'a', environment: 'sandbox', at: AT },
    })
    await beforeCommit()
  })
}

async function retrying(work: () => Promise<void>): Promise<void> {
  await waitFor(work, WAIT)
}

async function cutRelays(): Promise<void> {
  await withClient(clone.adminUrl, (admin) =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'paraph relay'`),
  )
}

/** The number of slots of each relay that owns any, the largest first. */
async function slotsOwned(): Promise<number[]> {
  const { rows } = await sql<{ slots: number }>`
    select count(*)::int as slots from pg_locks
     where locktype = 'advisory' and classid = ${RELAY_LOCK_CLASS} and granted
       and database = (select oid from pg_database where datname = current_database())
     group by pid order by 1 desc`.execute(database)
  return rows.map(({ slots }) => slots)
}

async function countUnpublished(): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from outbox where published_at is null`.execute(database)
  return rows[0]?.count ?? -1
}

/** Stores published messages in memory; rejects the next calls when a test says so. */
function createRecordingBus() {
  const messages: BusMessage[] = []
  const refused: (readonly BusMessage[])[] = []
  let refusals = 0
  return {
    messages,
    refused,
    refuse: (count: number) => void (refusals = count),
    async publish(batch: readonly BusMessage[]): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve))
      if (refusals > 0) {
        refusals -= 1
        refused.push(batch)
        throw new Error('the bus is unavailable')
      }
      messages.push(...batch)
    },
    /** Key → sequence numbers in the order of the first copies. */
    firstCopies(): Record<string, number[]> {
      const sequences: Record<string, number[]> = {}
      const seen = new Set<string>()
      for (const message of messages) {
        const envelope = JSON.parse(message.value ?? '') as Envelope
        if (seen.has(envelope.id)) continue
        seen.add(envelope.id)
        ;(sequences[message.key] ??= []).push(Number(envelope.sequence))
      }
      return sequences
    },
  }
}
