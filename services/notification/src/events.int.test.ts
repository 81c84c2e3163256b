import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { readBrand } from '@paraph/messaging/account-brand'
import { isSuspended } from '@paraph/messaging/account-suspension'
import type { Consumer } from '@paraph/messaging/consumer'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import type { BusMessage, EventBus } from '@paraph/messaging/event-bus'
import { logoPath } from '@paraph/protocol/brand'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { mailOf, MAIL_SETTINGS, sampleMailData } from '../test/mail-fixture.js'
import { SAMPLE_ACCENT, SAMPLE_LOGO, SAMPLE_LOGO_FACTS } from '@paraph/testing/test/logo-fixture'
import { createComposer } from './compose/compose-delivery.js'
import type { ClaimedDelivery } from './database.js'
import { createEventsConsumer, type EventsConsumerDeps } from './events.js'

const WAIT = { timeout: 20_000, interval: 10 }
const AT = '2026-11-20T14:03:00.000Z'
const TOPIC = 'contract.events.v1'
const logger = createLogger('test', 'silent')

let clones: TestDatabase[]
let database: Kysely<unknown>
let bus: EventBus
let consumers: Consumer[]

beforeEach(async () => {
  clones = await Promise.all([cloneTestDatabase('notification'), cloneTestDatabase('bus', 'notification')])
  database = createDatabase<unknown>(openPool(clones[0]!.url, logger))
  bus = createPostgresEventBus({ url: clones[1]!.url, logger })
  consumers = []
})

afterEach(async () => {
  await Promise.all(consumers.map((consumer) => consumer.stop()))
  await bus.close()
  await database.destroy()
  await Promise.all(clones.map((clone) => clone.drop()))
})

it('the consumer adds one invitation per party, even when the topic is replayed [D49, F9]', async () => {
  const consumer = start()
  await publish(event('contract.created', { partyCount: 3, createdAt: AT, expiresAt: AT }))
  await waitFor(() => expect(consumer.counts().handled).toBe(1), WAIT)
  await consumer.stop()
  await bus.rewind('notification', TOPIC)
  const again = start()
  await waitFor(() => expect(again.counts().duplicates).toBe(1), WAIT)
  expect(await deliveries()).toEqual(['invitation 0', 'invitation 1', 'invitation 2'])
})

it('a new contract wakes the queue of mails, an end the queue of webhooks too [D49, D65]', async () => {
  const [triggerWorker, triggerWebhooks] = [jest.fn(), jest.fn()]
  const consumer = start({ triggerWorker, triggerWebhooks })
  await publish(event('contract.created', { partyCount: 3, createdAt: AT, expiresAt: AT }))
  await waitFor(() => expect(consumer.counts().handled).toBe(1), WAIT)
  expect([triggerWorker, triggerWebhooks].map(({ mock }) => mock.calls.length)).toEqual([1, 0])
  await publish(event('contract.expired', { at: AT }, '2'))
  await waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  expect([triggerWorker, triggerWebhooks].map(({ mock }) => mock.calls.length)).toEqual([2, 1])
})

it('the consumer adds the outcome mails even if the end of a contract arrives before its creation, as after a redrive [F10, D24]', async () => {
  const consumer = start()
  await publish(
    event('contract.cancelled', { at: AT, actor: 'owner' }),
    event('contract.created', { partyCount: 2, createdAt: AT, expiresAt: AT }),
  )
  await waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  expect(await deliveries()).toEqual(['cancelled 0', 'cancelled 1', 'invitation 0', 'invitation 1'])
})

it('the consumer adds outcome mails for a cancelled or expired contract, and none when the setting is off [D24]', async () => {
  const consumer = start()
  const created = event('contract.created', { partyCount: 2, createdAt: AT, expiresAt: AT })
  const cancelled = event('contract.cancelled', { at: AT, actor: 'owner' })
  await publish(created, cancelled)
  await waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  expect(await deliveries()).toEqual(['cancelled 0', 'cancelled 1', 'invitation 0', 'invitation 1'])
  await consumer.stop()
  const silent = start({ outcomeMails: false })
  await publish(event('contract.expired', { at: AT }))
  await waitFor(() => expect(silent.counts().handled).toBe(1), WAIT)
  expect(await deliveries()).toHaveLength(4)
})

it('the consumer pauses the mails of a suspended account, and makes them due when the account is resumed [D37]', async () => {
  const consumer = start()
  await publish(event('contract.created', { partyCount: 2, createdAt: AT, expiresAt: AT }))
  await publish(event('account.suspended', { at: AT }, '2'))
  await waitFor(async () => expect(await isSuspended(database, 'a1')).toBe(true), WAIT)
  await waitFor(() => expect(consumer.counts().handled).toBe(2), WAIT)
  const lapses = async () => {
    const { rows } = await sql<{ at: Date }>`select lapses_at as at from delivery`.execute(database)
    return rows.map(({ at }) => at.getTime())
  }
  const [first, second] = await lapses()
  await publish(event('account.resumed', { at: AT }, '3'))
  await waitFor(async () => expect(await isSuspended(database, 'a1')).toBe(false), WAIT)
  const [firstAfter, secondAfter] = await lapses()
  expect(firstAfter).toBeGreaterThan(first!)
  expect(secondAfter).toBeGreaterThan(second!)
})

it('the next mail shows the brand of its account after the event, not that of an older event, and none after its removal [D59, D49]', async () => {
  const consumer = start()
  const compose = createComposer({
    readMailData: () => Promise.resolve(sampleMailData({ accountId: 'a1' })),
    readBrand: (accountId) => readBrand(database, accountId),
    readCopy: () => Promise.resolve(null),
    openSealed: () => undefined,
    ...MAIL_SETTINGS,
  })
  const delivery = { kind: 'invitation', contractId: 'c1', partyIndex: 1, sendNumber: 1 } as ClaimedDelivery
  const nextMail = async (handled: number) => {
    await waitFor(() => expect(consumer.counts().handled).toBe(handled), WAIT)
    return mailOf(await compose(delivery, new AbortController().signal)).html
  }
  const logo = { ...SAMPLE_LOGO_FACTS, hex: SAMPLE_LOGO.bytes.toString('hex') }
  const ofOther = { accountId: 'a2', accent: '#c4006b', logo: null }
  await publish(event('account.brand_changed', { at: AT, ...ofOther }, '9'))
  expect(await nextMail(1)).not.toContain('#c4006b')
  await publish(event('account.brand_changed', { at: AT, accent: SAMPLE_ACCENT, logo }, '3'))
  const branded = new RegExp(`${logoPath(logo)}[^]*${SAMPLE_ACCENT}`)
  expect(await nextMail(2)).toMatch(branded)
  await publish(event('account.brand_changed', { at: AT, accent: '#c4006b', logo: null }, '2'))
  expect(await nextMail(3)).toMatch(branded)
  await publish(event('account.brand_changed', { at: AT, accent: null, logo: null }, '4'))
  expect(await nextMail(4)).not.toMatch(/<img|via Paraph|#0b6e4f/)
})

it('the service keeps no bytes of a logo [D59]', async () => {
  const consumer = start()
  const logo = { ...SAMPLE_LOGO_FACTS, hex: SAMPLE_LOGO.bytes.toString('hex') }
  await publish(event('account.brand_changed', { at: AT, accent: null, logo }, '1'))
  await waitFor(() => expect(consumer.counts().handled).toBe(1), WAIT)
  const { rows } = await sql`select logo from account_brand`.execute(database)
  expect(rows).toEqual([{ logo: SAMPLE_LOGO_FACTS }])
})

function start(
  overrides: Partial<Pick<EventsConsumerDeps, 'triggerWorker' | 'triggerWebhooks' | 'outcomeMails'>> = {},
): Consumer {
  const consumer = createEventsConsumer({
    bus,
    database,
    triggerWorker: () => undefined,
    triggerWebhooks: () => undefined,
    outcomeMails: true,
    completionMails: true,
    logger,
    ...overrides,
  })
  consumers.push(consumer)
  consumer.start()
  return consumer
}

let ids = 0
/** An event of contract `c1`, or of account `a1` if the data name no other, as its service publishes it. */
function event(type: string, data: Record<string, unknown>, sequence = '1'): BusMessage {
  const isOfAccount = type.startsWith('account.')
  const [service, subject] = isOfAccount ? ['gateway', String(data['accountId'] ?? 'a1')] : ['contract', 'c1']
  const owner = isOfAccount ? {} : { contractId: subject, environment: 'sandbox' }
  const value = JSON.stringify({
    specversion: '1.0',
    id: `event-${(ids += 1)}`,
    source: `/${service}`,
    type,
    subject,
    time: AT,
    datacontenttype: 'application/json',
    sequence,
    data: { ...owner, accountId: 'a1', ...data },
  })
  return { topic: isOfAccount ? 'account.events.v1' : TOPIC, key: subject, headers: {}, value }
}

const publish = (...messages: BusMessage[]) => bus.publish(messages)

async function deliveries(): Promise<string[]> {
  const { rows } = await sql<{ mail: string }>`select concat(kind, ' ', party_index) as mail from delivery`.execute(
    database,
  )
  return rows.map(({ mail }) => mail).sort()
}
