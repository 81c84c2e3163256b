import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { Consumer } from '@paraph/messaging/consumer'
import type { EventBus } from '@paraph/messaging/event-bus'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { bodyOf, openContractFixture, PRINCIPAL, requestOf, type ContractFixture } from '../../test/contract-fixture.js'
import { createDeliveriesConsumer } from './deliveries.js'
import { createContractList } from './list.js'

const WAIT = { timeout: 20_000, interval: 10 }
const TOPIC = 'notification.events.v1'
const AT = '2026-11-20T14:03:00.000Z'
const logger = createLogger('test', 'silent')

let fixture: ContractFixture
let clone: TestDatabase
let bus: EventBus
let consumer: Consumer
const changed: string[] = []
beforeAll(async () => {
  fixture = await openContractFixture()
  clone = await cloneTestDatabase('bus', 'contract')
  bus = createPostgresEventBus({ url: clone.url, logger })
  consumer = start()
})
afterAll(async () => {
  await consumer.stop()
  await bus.close()
  await fixture.close()
  await clone.drop()
})

function start(): Consumer {
  const onChanged = (ids: readonly string[]) => void changed.push(...ids)
  const started = createDeliveriesConsumer({ bus, database: fixture.database, onChanged, logger })
  started.start()
  return started
}

const DATA = {
  'email.accepted': { acceptedAt: AT },
  'email.delayed': { delayedAt: AT },
  'email.failed': { failedAt: AT, reason: 'refused', smtpCode: 550 },
}
interface Mail {
  type: keyof typeof DATA
  sequence: number
  partyIndex?: number
  kind?: string
}

/** Publishes events about the mails of one contract, as the notification service does. */
const publish = (contractId: string, ...mails: Mail[]) =>
  bus.publish(
    mails.map(({ type, sequence, partyIndex = 0, kind = 'invitation' }) => {
      const mail = { kind, partyIndex, sendNumber: 1, attempts: 1, createdAt: AT, ...DATA[type] }
      const value = JSON.stringify({
        specversion: '1.0',
        id: randomUUID(),
        source: '/notification',
        type,
        subject: contractId,
        time: AT,
        datacontenttype: 'application/json',
        sequence: String(sequence),
        data: { contractId, accountId: 'acc_1', environment: 'production', ...mail },
      })
      return { topic: TOPIC, key: contractId, headers: {}, value }
    }),
  )

const read = async (id: string) => (await fixture.read(id))!
const deliveriesOf = async (id: string) => (await read(id)).body.contract.parties.map(({ delivery }) => delivery)

it('an invitation is pending until it is sent, delayed or refused; each change makes a new ETag and a new version [D52]', async () => {
  const { id } = await fixture.createContract()
  const seen = [await read(id)]
  const steps: [Mail, string[]][] = [
    [{ type: 'email.delayed', sequence: 1 }, ['delayed', 'pending']],
    [{ type: 'email.failed', sequence: 2, partyIndex: 1 }, ['delayed', 'refused']],
    [{ type: 'email.accepted', sequence: 3 }, ['sent', 'refused']],
    // An invitation that was sent again.
    [{ type: 'email.accepted', sequence: 4, partyIndex: 1 }, ['sent', 'sent']],
  ]
  expect(await deliveriesOf(id)).toEqual(['pending', 'pending'])
  for (const [mail, expected] of steps) {
    await publish(id, mail)
    await waitFor(async () => expect(await deliveriesOf(id)).toEqual(expected), WAIT)
    seen.push(await read(id))
  }
  expect(new Set(seen.map(({ etag }) => etag)).size).toBe(seen.length)
  expect(seen.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5])
  expect(changed).toEqual([id, id, id, id])
})

it('a contract has a delivery problem while an invitation of it is delayed or refused, and until it ends [D71]', async () => {
  const { id } = await fixture.createContract()
  const problem = async () => {
    const { contracts } = await createContractList(fixture.database).list(
      PRINCIPAL,
      { problem: 'delivery' },
      { limit: 50 },
    )
    return contracts.find((contract) => contract.id === id)?.deliveryProblem
  }
  const steps: [Mail, string | undefined][] = [
    [{ type: 'email.delayed', sequence: 1 }, 'delayed'],
    [{ type: 'email.failed', sequence: 2, partyIndex: 1 }, 'refused'],
    [{ type: 'email.accepted', sequence: 3, partyIndex: 1 }, 'delayed'],
    [{ type: 'email.accepted', sequence: 4 }, undefined],
    [{ type: 'email.failed', sequence: 5 }, 'refused'],
  ]
  expect(await problem()).toBeUndefined()
  for (const [mail, expected] of steps) {
    await publish(id, mail)
    await waitFor(async () => expect(await problem()).toBe(expected), WAIT)
  }
  await fixture.store.execute(id, { type: 'cancel', actor: 'owner' })
  expect(await problem()).toBeUndefined()
})

it('mails of other kinds, older events and events of unknown contracts and parties change nothing [D49, D52]', async () => {
  const { id } = await fixture.createContract()
  const before = consumer.counts().handled
  await publish(
    id,
    { type: 'email.accepted', sequence: 1, kind: 'code' },
    { type: 'email.accepted', sequence: 9 },
    { type: 'email.delayed', sequence: 8 },
    { type: 'email.accepted', sequence: 10, partyIndex: 7 },
    // The first event of this party, handled late, as after a redrive.
    { type: 'email.accepted', sequence: 3, partyIndex: 1 },
  )
  await publish('contract-1000000000000-ghostghos', { type: 'email.accepted', sequence: 1 })
  await waitFor(() => expect(consumer.counts().handled).toBe(before + 6), WAIT)
  expect(await deliveriesOf(id)).toEqual(['sent', 'sent'])
  expect(consumer.counts().deadLetters).toBe(0)
})

it('a replay of the topic changes nothing [D49, D52, F9]', async () => {
  const { id } = await fixture.createContract()
  await publish(id, { type: 'email.failed', sequence: 1 }, { type: 'email.accepted', sequence: 2 })
  await waitFor(async () => expect(await deliveriesOf(id)).toEqual(['sent', 'pending']), WAIT)
  const before = await read(id)
  await consumer.stop()
  await bus.rewind('contract', TOPIC)
  consumer = start()
  await waitFor(() => expect(consumer.counts().duplicates).toBeGreaterThanOrEqual(2), WAIT)
  expect(await read(id)).toMatchObject({ etag: before.etag, version: before.version })
})

it('the third invitation of a mailbox stands for all further parties of that mailbox [D52, P24]', async () => {
  const body = bodyOf(5)
  const parties = body.parties.map((party, index) => (index === 1 ? party : { ...party, email: 'one@example.test' }))
  const { contract } = await fixture.creation.create({ ...body, parties }, requestOf())
  await publish(
    contract.id,
    { type: 'email.accepted', sequence: 1, partyIndex: 0 },
    { type: 'email.failed', sequence: 2, partyIndex: 3 },
  )
  await waitFor(
    async () => expect(await deliveriesOf(contract.id)).toEqual(['sent', 'pending', 'pending', 'refused', 'refused']),
    WAIT,
  )
})
