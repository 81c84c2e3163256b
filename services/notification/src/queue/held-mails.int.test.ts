import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { noteAccountHold } from '@paraph/messaging/account-hold'
import { parseKeyring } from '@paraph/service/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createComposer } from './composer.js'
import type { NotificationDatabase } from './database.js'
import { addInvitations, createDeliveries, releaseHeld, type Deliveries } from './deliveries.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createHeldMails, readHeld } from './held-mails.js'
import { FROM_ADDRESS, MAIL_SETTINGS, mailFacts, ownerLetter } from './mail-fixture.js'
import { createMailer } from './mailer.js'
import { createRelayCircuit } from './relay-circuit.js'
import { createSendRate } from './send-rate.js'
import { createSettlement } from './settlement.js'
import { startRelay, type TestRelay } from './smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'

const WAIT = { timeout: 20_000, interval: 10 }
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
/** Of the contract `held`: made an hour ago, and the one that tests hold by. */
const [MADE, BEFORE] = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 60_000)]

let clone: TestDatabase
let database: Kysely<NotificationDatabase>
/** As the service that is told to hold, and as one that is not. */
let holding: Deliveries
let free: Deliveries
let relay: TestRelay
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<NotificationDatabase>(openPool(clone.url, logger))
  holding = createDeliveries({ database, codeKeys, holdBefore: BEFORE })
  free = createDeliveries({ database, codeKeys })
  relay = await startRelay()
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await relay.stop()
  await database.destroy()
  await clone.drop()
})

describe('mails made before HOLD_MAILS_BEFORE [D24, docs/backup.md]', () => {
  it('wait, while codes and what was made since go out; without the setting they go out once each', async () => {
    await inviteOld('held', 2)
    await invite('new', 2)
    await free.addCode({
      requestId: 'push-0001',
      contractId: 'held',
      partyIndex: 0,
      code: '123456',
      lapsesInSeconds: 600,
    })
    await sql`update delivery set created_at = ${MADE.toISOString()}::timestamptz where kind = 'code'`.execute(database)
    const stop = startWorker(holding)
    await vi.waitFor(() => expect(sent()).toEqual(['code held', 'invitation new', 'invitation new']), WAIT)
    expect(await holding.claim(10, 'all')).toEqual([])
    await stop()
    startWorker(free)
    await vi.waitFor(async () => expect(await statesOf('held')).toEqual(['accepted', 'accepted', 'accepted']), WAIT)
    expect(sent().filter((each) => each === 'invitation held')).toHaveLength(2)
    expect(relay.mails).toHaveLength(5)
  })

  it('are no probe of a relay that is away [F6]', async () => {
    await inviteOld('held', 1)
    const circuit = createRelayCircuit({ database, pace: { firstMs: 0, codesMaxMs: 0, othersMaxMs: 0 } })
    await circuit.note('away', performance.now(), 'no connection')
    expect(await holding.claim(1, 'all', circuit.probeOf('others'))).toEqual([])
    await vi.waitFor(async () => expect(await free.claim(1, 'all', circuit.probeOf('others'))).toHaveLength(1), WAIT)
  })

  it('are not given up, however long they are held, and have a day at least when they are released [D49]', async () => {
    await inviteOld('held', 2)
    await sql`update delivery set lapses_at = clock_timestamp() - interval '3 hours' where party_index = 0`.execute(
      database,
    )
    await sql`update delivery set lapses_at = clock_timestamp() + interval '3 hours' where party_index = 1`.execute(
      database,
    )
    expect(await holding.claimLapsed(10)).toEqual([])
    startWorker(holding)
    await vi.waitFor(async () => {
      const { rows } = await sql<{ hours: number }>`
        select extract(epoch from min(lapses_at) - clock_timestamp())::float8 / 3600 as hours from delivery`.execute(
        database,
      )
      expect(rows[0]!.hours).toBeGreaterThan(24)
    }, WAIT)
    expect(await statesOf('held')).toEqual(['due', 'due'])
  })

  it('stay held when their account is resumed meanwhile [D37]', async () => {
    await inviteOld('held', 1)
    await database.transaction().execute(async (trx) => {
      await noteAccountHold(trx, { type: 'account.resumed', data: { accountId: 'acc_1' }, sequence: 3 } as never)
      await releaseHeld(trx, 'acc_1')
    })
    expect(await holding.claim(10, 'all')).toEqual([])
    expect(await free.claim(10, 'all')).toHaveLength(1)
  })

  it('hide nothing that may be sent, however many of them are due before it, and are counted', async () => {
    await inviteOld('held', 1)
    await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, created_at, due_at)
      select 'many-' || n, 'acc_1', 0, 'invitation', 1, 1, now() + interval '1 day', ${MADE.toISOString()}::timestamptz, ${MADE.toISOString()}::timestamptz
        from generate_series(1, 20000) n`.execute(database)
    await invite('new', 1)
    expect((await holding.claim(10, 'all')).map(({ contractId }) => contractId)).toEqual(['new'])
    expect(await readHeld(database, BEFORE)).toBe(20_001)
    expect(await readHeld(database, undefined)).toBe(0)
  })
})

describe('what an operator sees and does of them [docs/backup.md]', () => {
  it('shows them by kind with their times, and by the names that a relay’s log has, without an address', async () => {
    await inviteOld('held', 2)
    await free.addOwnerLetter(ownerLetter('approved'))
    await sql`update delivery set created_at = ${MADE.toISOString()}::timestamptz where kind = 'owner_mail'`.execute(
      database,
    )
    await invite('new', 1)
    const { held } = heldMails()
    const times = { oldest: MADE.toISOString(), newest: MADE.toISOString() }
    expect(await held.readKinds()).toEqual({
      before: BEFORE.toISOString(),
      kinds: [
        { kind: 'invitation', count: 2, ...times },
        { kind: 'owner_mail', count: 1, ...times },
      ],
    })
    const named = await held.readNames(MADE, 0)
    const names = named.map(({ name }) => name)
    expect(names).toEqual(['invitation.held.0.1', 'invitation.held.1.1', ownerLetter('approved').id])
    expect(await held.readNames(MADE, named[1]!.id)).toEqual([named[2]])
    expect(await held.readNames(new Date(MADE.getTime() - 1), 0)).toEqual([])

    // What a worker hands to a relay is found by these names.
    startWorker(free)
    await vi.waitFor(() => expect(relay.mails).toHaveLength(4), WAIT)
    const ids = relay.mails.map(({ parsed }) => parsed.messageId ?? '')
    for (const name of names)
      expect(
        ids.filter((id) => id.includes(name)),
        name,
      ).toHaveLength(1)
  })

  it('ends those that were sent as accepted, tells it once, and leaves the others held [I7, I8]', async () => {
    await inviteOld('held', 2)
    await invite('new', 1)
    const { held, wakes } = heldMails()
    expect(await held.noteSent(['invitation.held.0.1', 'invitation.new.0.1', 'invitation.nothing.0.1'])).toBe(1)
    expect(await held.noteSent(['invitation.held.0.1'])).toBe(0)
    expect(await statesOf('held')).toEqual(['accepted', 'due'])
    const { rows } = await sql<{ attempts: number; outcome: string }>`
      select attempts, outcome from delivery where state = 'accepted'`.execute(database)
    expect(rows).toEqual([{ attempts: 1, outcome: 'sent before a restore' }])
    const told = await sql<{ type: string; data: object }>`select type, data from outbox`.execute(database)
    expect(told.rows).toEqual([
      {
        type: 'email.accepted',
        data: expect.objectContaining({ contractId: 'held', partyIndex: 0, kind: 'invitation', attempts: 1 }),
      },
    ])
    expect(wakes()).toBe(1)
    startWorker(free)
    await vi.waitFor(() => expect(sent()).toEqual(['invitation held', 'invitation new']), WAIT)
  })

  it('shows and ends nothing where the setting is not there', async () => {
    await inviteOld('held', 1)
    const { held } = heldMails({ deliveries: free, before: undefined })
    expect(await held.readKinds()).toEqual({ before: null, kinds: [] })
    expect(await held.readNames(new Date(), 0)).toEqual([])
    expect(await held.noteSent(['invitation.held.0.1'])).toBe(0)
    expect(await statesOf('held')).toEqual(['due'])
  })
})

function heldMails(
  { deliveries, before }: { deliveries: Deliveries; before: Date | undefined } = {
    deliveries: holding,
    before: BEFORE,
  },
) {
  let wakes = 0
  const settlement = createSettlement({ database, wakeRelay: () => void (wakes += 1) })
  return { held: createHeldMails({ database, deliveries, settlement, before, logger }), wakes: () => wakes }
}

function startWorker(deliveries: Deliveries): () => Promise<void> {
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${relay.port}`),
    ...{ fromAddress: FROM_ADDRESS, domain: MAIL_SETTINGS.mailDomain, connections: 5 },
  })
  const worker = createDeliveryWorker({
    deliveries,
    settlement: createSettlement({ database, wakeRelay: () => undefined }),
    circuit: createRelayCircuit({ database }),
    rate: createSendRate(1_000, performance.now()),
    mailer,
    compose: createComposer({
      readFacts: () => Promise.resolve(mailFacts()),
      readCopy: () => Promise.resolve(null),
      ...{ codeKeys, ...MAIL_SETTINGS },
    }),
    connections: 4,
    logger,
  })
  const stop = async (): Promise<void> => {
    await worker.stop()
    mailer.close()
  }
  stops.push(stop)
  worker.start()
  return stop
}

const invite = (contractId: string, partyCount: number): Promise<void> =>
  database
    .transaction()
    .execute((trx) => addInvitations(trx, { contractId, accountId: 'acc_1', environment: 'production', partyCount }))

/** As they stand in a restored database. */
async function inviteOld(contractId: string, partyCount: number): Promise<void> {
  await invite(contractId, partyCount)
  await sql`update delivery set created_at = ${MADE.toISOString()}::timestamptz, due_at = ${MADE.toISOString()}::timestamptz
    where contract_id = ${contractId}`.execute(database)
}

async function statesOf(contractId: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from delivery where contract_id = ${contractId} order by id`.execute(database)
  return rows.map(({ state }) => state)
}

/** Kind and contract of each mail that the relay has taken, in the order of the alphabet. */
const sent = (): string[] =>
  relay.mails.map(({ parsed }) => (parsed.messageId ?? '').replace(/^<(\w+)\.(\w+)\..*$/, '$1 $2')).toSorted()
