import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { Consumer } from '@paraph/messaging/consumer'
import { createPostgresEventBus } from '@paraph/messaging/postgres-event-bus'
import type { EventBus } from '@paraph/messaging/event-bus'
import { createLogger } from '@paraph/telemetry/logger'
import type { Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEventsConsumer } from './consumers.js'
import type { NotificationDatabase } from './database.js'

const WAIT = { timeout: 20_000, interval: 10 }
const AT = '2026-11-20T14:03:00.000Z'
const TOPIC = 'contract.events.v1'
const logger = createLogger('test', 'silent')

let clones: TestDatabase[]
let database: Kysely<NotificationDatabase>
let bus: EventBus
let consumers: Consumer[]

beforeEach(async () => {
  clones = await Promise.all([cloneTestDatabase('notification'), cloneTestDatabase('bus', 'notification')])
  database = createDatabase<NotificationDatabase>(openPool(clones[0]!.url, logger))
  bus = createPostgresEventBus({ url: clones[1]!.url, logger })
  consumers = []
})

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()))
  await bus.close()
  await database.destroy()
  await Promise.all(clones.map((clone) => clone.drop()))
})

it('adds one invitation per party, once, also when the topic is replayed [D49, F9]', async () => {
  const wakes = vi.fn()
  const consumer = start({ wakeWorker: wakes })
  await publish(event('contract.created', { partyCount: 3, createdAt: AT, expiresAt: AT }))
  await vi.waitFor(() => expect(consumer.counts().handled).toBe(1), WAIT)
  expect(wakes).toHaveBeenCalled()
  await consumer.stop()
  await bus.rewind('notification', TOPIC)
  const again = start()
  await vi.waitFor(() => expect(again.counts().duplicates).toBe(1), WAIT)
  expect(await deliveries()).toEqual(['invitation 0', 'invitation 1', 'invitation 2'])
})

it('adds outcomes for a cancelled or expired contract, and none where the operator switched them off [D24]', async () => {
  const consumer = start()
  const created = event('contract.created', { partyCount: 2, createdAt: AT, expiresAt: AT })
  const cancelled = event('contract.cancelled', { at: AT, actor: 'owner' })
  await publish(created, cancelled)
  await vi.waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  expect(await deliveries()).toEqual(['cancelled 0', 'cancelled 1', 'invitation 0', 'invitation 1'])
  await consumer.stop()
  const silent = start({ outcomeMails: false })
  await publish(event('contract.expired', { at: AT }))
  await vi.waitFor(() => expect(silent.counts().handled).toBe(1), WAIT)
  expect(await deliveries()).toHaveLength(4)
})

it('holds and releases what an account event names [D37]', async () => {
  const consumer = start()
  await publish(event('contract.created', { partyCount: 2, createdAt: AT, expiresAt: AT }))
  await publish(event('account.suspended', { at: AT }))
  await vi.waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  const held = () => database.selectFrom('delivery').select('lapses_at').executeTakeFirstOrThrow()
  const { lapses_at: before } = await held()
  await publish(event('account.resumed', { at: AT }))
  await vi.waitFor(() => expect(consumer.counts().handled).toBe(3), WAIT)
  expect((await held()).lapses_at.getTime()).toBeGreaterThan(before.getTime())
})

function start(overrides: { wakeWorker?: () => void; outcomeMails?: boolean } = {}): Consumer {
  const consumer = createEventsConsumer({
    bus,
    database,
    wakeWorker: () => undefined,
    outcomeMails: true,
    logger,
    ...overrides,
  })
  consumers.push(consumer)
  consumer.start()
  return consumer
}

let ids = 0
function event(type: string, data: Record<string, unknown>): string {
  return JSON.stringify({
    specversion: '1.0',
    id: `event-${(ids += 1)}`,
    source: '/contract',
    type,
    subject: 'c1',
    time: AT,
    datacontenttype: 'application/json',
    sequence: '1',
    data: { contractId: 'c1', accountId: 'a1', environment: 'sandbox', ...data },
  })
}

async function publish(...values: string[]): Promise<void> {
  await bus.publish(values.map((value) => ({ topic: TOPIC, key: 'c1', headers: {}, value })))
}

async function deliveries(): Promise<string[]> {
  const rows = await database.selectFrom('delivery').select(['kind', 'party_index']).execute()
  return rows.map((row) => `${row.kind} ${row.party_index}`).sort()
}
