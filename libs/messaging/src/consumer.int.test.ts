import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { pruneBatch } from '@paraph/database/retention'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createConsumer, isStalled, type Consumer } from './consumer.js'
import type { EventBus } from './event-bus.js'
import type { ReceivedEvent } from './event-reader.js'
import { createInboxTables, storeDeadLetter } from './inbox.js'
import { createPostgresEventBus } from './postgres/event-bus.js'
import { INBOX_RETENTIONS } from './retention.js'

const logger = createLogger('test', 'silent')
const WAIT = { timeout: 20_000, interval: 10 }
const TOPIC = 'contract.events.v1'

let busClone: TestDatabase
let clone: TestDatabase
let database: Kysely<unknown>
let bus: EventBus
const consumers: Consumer[] = []

beforeEach(async () => {
  ;[busClone, clone] = await Promise.all([cloneTestDatabase('bus', 'signing'), cloneTestDatabase('bus')])
  const owner = new pg.Pool({ connectionString: clone.ownerUrl, max: 1 })
  await createInboxTables(createDatabase<unknown>(owner))
  await owner.query('create table effect (event_id text, subject text)')
  await owner.end()
  database = createDatabase<unknown>(openPool(clone.url, logger))
  bus = createPostgresEventBus({ url: busClone.url, logger })
})

afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()))
  await bus.close()
  await database.destroy()
  await Promise.all([busClone.drop(), clone.drop()])
})

it('the consumer handles an event once if it arrives twice or the whole topic is replayed [D49, F9, I9]', async () => {
  const consumer = start()
  await publish(eventJson('e1'), eventJson('e2'), eventJson('e1'))
  await waitFor(() => expect(consumer.counts()).toMatchObject({ handled: 2, duplicates: 1 }), WAIT)
  await consumer.stop()
  await bus.rewind('test', TOPIC)
  const again = start()
  await waitFor(() => expect(again.counts()).toMatchObject({ handled: 0, duplicates: 3 }), WAIT)
  expect(await effects()).toEqual(['e1', 'e2'])
})

it.each([
  ['no JSON', '{"specversion":', 1],
  ['no value', null, 1],
  ['JSON that is no envelope', '42', 1],
  ['an envelope of another version', eventJson('e0').replace('"specversion":"1.0"', '"specversion":"2.0"'), 1],
  ['data that do not fit their type', eventJson('e0').replace('"environment":"sandbox"', '"environment":"moon"'), 1],
  ['an event whose handler always fails', eventJson('poison'), 5],
])(
  'the consumer moves %s to the dead letters and handles the next message of the partition [D49, F11]',
  async (_, poison, attempts) => {
    const consumer = start()
    await publish(poison, eventJson('next'))
    await waitFor(async () => expect(await effects()).toEqual(['next']), WAIT)
    const { rows } = await sql`select topic, key, headers, value, attempts, message_offset from dead_letter`.execute(
      database,
    )
    expect(rows).toEqual([{ topic: TOPIC, key: 'k', headers: { h: '1' }, value: poison, attempts, message_offset: 0 }])
    await waitFor(() => expect(consumer.progress().some((entry) => entry.behind)).toBe(false), WAIT)
  },
)

it('the consumer moves a message that Postgres cannot store to the dead letters, with its bad characters escaped, and continues [D49, F11]', async () => {
  const place = { topic: TOPIC, partition: 0, offset: '7' }
  const stranger = { key: 'k\0', headers: { 'h\0': '\0' }, value: '{"not\0', publishedAt: new Date(NaN) }
  await storeDeadLetter(database, 'test', { ...place, ...stranger }, 'no JSON at \0', 1)
  // A message at the same offset on another bus, or of a recreated topic, is another dead letter.
  await storeDeadLetter(database, 'test', { ...place, ...stranger, publishedAt: new Date() }, 'no JSON', 1)
  await storeDeadLetter(database, 'test', { ...place, ...stranger }, 'no JSON at \0', 1)
  const { rows } = await sql`select key, headers, value, reason from dead_letter order by id`.execute(database)
  const kept = { key: 'k\u2400', headers: { 'h\u2400': '\u2400' }, value: '{"not\u2400' }
  expect(rows).toEqual([
    { ...kept, reason: 'no JSON at \u2400' },
    { ...kept, reason: 'no JSON' },
  ])
})

it('the consumer handles a batch in one transaction; it tries a failing event five times, and handles all others once and in order [D49, F11]', async () => {
  const calls: string[] = []
  const consumer = start(async (event, insert) => {
    calls.push(event.id)
    if (event.id === 'poison') throw new Error('always')
    await insert()
  })
  await publish(...['e1', 'e2', 'poison', 'e1', 'e3'].map(eventJson))
  await waitFor(async () => expect(await effects()).toEqual(['e1', 'e2', 'e3']), WAIT)
  expect(calls.filter((id) => id === 'poison')).toHaveLength(5)
  expect(consumer.counts()).toEqual({ handled: 3, duplicates: 1, failures: 5, deadLetters: 1 })
  calls.length = 0
  await publish(...['e4', 'e5', 'e6'].map(eventJson))
  await waitFor(() => expect(consumer.counts().handled).toBe(6), WAIT)
  expect(calls).toEqual(['e4', 'e5', 'e6'])
  const { rows } = await sql<{ of_three: number }>`
    select count(distinct xmin::text)::int as of_three from inbox where event_id in ('e4', 'e5', 'e6')`.execute(
    database,
  )
  expect(rows).toEqual([{ of_three: 1 }])
})

it('the consumer skips an event of an unknown type', async () => {
  const consumer = start()
  await publish(eventJson('e0').replace('contract.expired', 'contract.painted'), eventJson('next'))
  await waitFor(async () => expect(await effects()).toEqual(['next']), WAIT)
  expect(consumer.counts()).toMatchObject({ handled: 1, deadLetters: 0 })
})

it('the consumer rolls back the inbox row with the writes of a failing handler, so that the next attempt is complete [D49]', async () => {
  let calls = 0
  start(async (event, insert) => {
    calls += 1
    await insert()
    if (calls < 3) throw new TypeError('broken')
  })
  await publish(eventJson('e1'))
  await waitFor(async () => expect(await effects()).toEqual(['e1']), WAIT)
  expect(calls).toBe(3)
})

it('the consumer waits for its database without counting an attempt or appearing stalled, and then continues [D49, H7]', async () => {
  const consumer = start()
  await consumer.joined
  await withClient(clone.adminUrl, async (admin) => {
    await admin.query(`alter database ${new URL(clone.url).pathname.slice(1)} connection limit 0`)
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
  })
  await publish(eventJson('e1'))
  await waitFor(() => expect(consumer.progress().some((entry) => entry.behind)).toBe(true), WAIT)
  // Longer than five attempts, and longer than the stall limit below.
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect(consumer.counts()).toEqual({ handled: 0, duplicates: 0, failures: 0, deadLetters: 0 })
  expect(isStalled(consumer.progress(), 3_500)).toBe(false)
  await withClient(clone.adminUrl, (admin) =>
    admin.query(`alter database ${new URL(clone.url).pathname.slice(1)} connection limit -1`),
  )
  await waitFor(async () => expect(await effects()).toEqual(['e1']), WAIT)
  expect(consumer.counts()).toMatchObject({ handled: 1, failures: 0, deadLetters: 0 })
})

it('the consumer retries an event on a locked table without counting an attempt, and handles it when the lock ends [P20, F29]', async () => {
  const busy = createDatabase<unknown>(openPool(clone.url, logger, { statementTimeoutMs: 50 }))
  let calls = 0
  await withClient(clone.adminUrl, async (admin) => {
    await admin.query('begin; lock table effect in access exclusive mode')
    const consumer = start(async (_, insert) => {
      calls += 1
      await insert()
    }, busy)
    await publish(eventJson('e1'), eventJson('e2'))
    // More failures than make a dead letter of an event whose handler fails.
    await waitFor(() => expect(calls).toBeGreaterThan(7), WAIT)
    await admin.query('rollback')
    await waitFor(async () => expect(await effects()).toEqual(['e1', 'e2']), WAIT)
    expect(consumer.counts()).toEqual({ handled: 2, duplicates: 0, failures: 0, deadLetters: 0 })
    await consumer.stop()
  })
  await busy.destroy()
})

it('the consumer prunes all inbox rows past their retention, and no others', async () => {
  await sql`insert into inbox values ('test', 'new', now())`.execute(database)
  await sql`insert into inbox select 'test', 'old' || n, now() - interval '46 days' from generate_series(1, 2500) as n`.execute(
    database,
  )
  const [inbox] = INBOX_RETENTIONS
  while ((await pruneBatch(database, inbox!)) > 0);
  const { rows } = await sql`select event_id from inbox`.execute(database)
  expect(rows).toEqual([{ event_id: 'new' }])
})

it('the consumer redrives a dead letter once, after the handler is fixed [F11]', async () => {
  let mended = false
  const consumer = start(async (_, insert) => {
    if (!mended) throw new Error('not mended')
    await insert()
  })
  await publish(eventJson('e1'))
  await waitFor(() => expect(consumer.counts().deadLetters).toBe(1), WAIT)
  const { rows } = await sql<{ id: number }>`select id from dead_letter`.execute(database)
  const id = Number(rows[0]?.id)
  await expect(consumer.redrive(id)).rejects.toThrow('not mended')
  mended = true
  expect([await consumer.redrive(id), await consumer.redrive(id)]).toEqual([true, false])
  expect(await effects()).toEqual(['e1'])
})

function start(
  handle: (event: ReceivedEvent, insert: () => Promise<void>) => Promise<void> = async (event, insert) => {
    if (event.id === 'poison') throw new Error('always')
    await insert()
  },
  own = database,
): Consumer {
  const consumer = createConsumer({
    name: 'test',
    topics: [TOPIC],
    bus,
    database: own,
    logger,
    retryFirstMs: 10,
    handle: (trx, event) =>
      handle(
        event,
        async () => void (await sql`insert into effect values (${event.id}, ${event.subject})`.execute(trx)),
      ),
  })
  consumers.push(consumer)
  consumer.start()
  return consumer
}

async function publish(...values: (string | null)[]): Promise<void> {
  await bus.publish(values.map((value) => ({ topic: TOPIC, key: 'k', headers: { h: '1' }, value })))
}

async function effects(): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`select event_id from effect order by event_id`.execute(database)
  return rows.map((row) => row.event_id)
}

function eventJson(id: string): string {
  return JSON.stringify({
    specversion: '1.0',
    id,
    source: '/contract',
    type: 'contract.expired',
    subject: 'k',
    time: '2026-11-20T14:03:00.000Z',
    datacontenttype: 'application/json',
    sequence: '1',
    data: { contractId: 'k', accountId: 'a', environment: 'sandbox', at: '2026-11-20T14:03:00.000Z' },
  })
}
