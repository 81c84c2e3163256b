import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createComposer } from '../compose/compose-delivery.js'
import { addInvitations, createDeliveryIntake, openSealed, type DeliveryIntake } from './add-delivery.js'
import { createDeliveryClaims, releasePaused, type DeliveryClaims } from './claim-delivery.js'
import { createMailboxLimit } from './mailbox-limit.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createHeldMails, readHeld } from './held-mails.js'
import {
  FROM_ADDRESS,
  MAIL_SETTINGS,
  sampleMailData,
  sampleOwnerMail,
  NO_TEST_MAILBOX,
} from '../../test/mail-fixture.js'
import { createMailer } from '../smtp/mailer.js'
import { createSmtpCircuit } from '../smtp/circuit.js'
import { createSendRate } from './token-bucket.js'
import { createFinishDelivery } from './finish-delivery.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { readSmtpUrl } from '../smtp/smtp-url.js'

const WAIT = { timeout: 20_000, interval: 10 }
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
/** When the mails of contract `held` were created, and the value of HOLD_MAILS_BEFORE. */
const [MADE, BEFORE] = [new Date(Date.now() - 3_600_000), new Date(Date.now() - 60_000)]

let clone: TestDatabase
let database: Kysely<unknown>
/** `holding`: claims of a service with HOLD_MAILS_BEFORE; `free`: claims of a service without this setting. */
let intake: DeliveryIntake
let holding: DeliveryClaims
let free: DeliveryClaims
let relay: TestSmtpServer
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  intake = createDeliveryIntake({ database, codeKeys })
  holding = createDeliveryClaims({ database, holdBefore: BEFORE })
  free = createDeliveryClaims({ database })
  relay = await startSmtpServer()
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await relay.stop()
  await database.destroy()
  await clone.drop()
})

describe('mails created before HOLD_MAILS_BEFORE [D24, docs/how-to/operators/backup-restore.md]', () => {
  it('wait while codes and newer mails are sent; without the setting, each mail is sent once', async () => {
    await inviteOld('held', 2)
    await invite('new', 2)
    await intake.addCode({
      requestId: 'push-0001',
      contractId: 'held',
      partyIndex: 0,
      code: '123456',
      lapsesInSeconds: 600,
    })
    await sql`update delivery set created_at = ${MADE.toISOString()}::timestamptz where kind = 'code'`.execute(database)
    const stop = startWorker(holding)
    await waitFor(() => expect(sent()).toEqual(['code held', 'invitation new', 'invitation new']), WAIT)
    expect(await holding.claim(10, 'all')).toEqual([])
    await stop()
    startWorker(free)
    await waitFor(async () => expect(await statesOf('held')).toEqual(['accepted', 'accepted', 'accepted']), WAIT)
    expect(sent().filter((each) => each === 'invitation held')).toHaveLength(2)
    expect(relay.mails).toHaveLength(5)
  })

  it('are not used as probes of an unavailable SMTP server [F6]', async () => {
    await inviteOld('held', 1)
    const circuit = createSmtpCircuit({ database, pace: { firstMs: 0, codesMaxMs: 0, othersMaxMs: 0 } })
    await circuit.record('unavailable', performance.now(), 'no connection')
    expect(await holding.claim(1, 'all', circuit.probeOf('others'))).toEqual([])
    await waitFor(async () => expect(await free.claim(1, 'all', circuit.probeOf('others'))).toHaveLength(1), WAIT)
  })

  it('are never given up while paused, and have at least a day left to be sent when they are released [D49]', async () => {
    await inviteOld('held', 2)
    await sql`update delivery set lapses_at = clock_timestamp() - interval '3 hours' where party_index = 0`.execute(
      database,
    )
    await sql`update delivery set lapses_at = clock_timestamp() + interval '3 hours' where party_index = 1`.execute(
      database,
    )
    expect(await holding.claimExpired(10)).toEqual([])
    startWorker(holding)
    await waitFor(async () => {
      const { rows } = await sql<{ hours: number }>`
        select extract(epoch from min(lapses_at) - clock_timestamp())::float8 / 3600 as hours from delivery`.execute(
        database,
      )
      expect(rows[0]!.hours).toBeGreaterThan(24)
    }, WAIT)
    expect(await statesOf('held')).toEqual(['due', 'due'])
  })

  it('stay paused when their account is resumed [D37]', async () => {
    await inviteOld('held', 1)
    await database.transaction().execute(async (trx) => {
      await recordSuspension(trx, { type: 'account.resumed', data: { accountId: 'acc_1' }, sequence: 3 } as never)
      await releasePaused(trx, 'acc_1')
    })
    expect(await holding.claim(10, 'all')).toEqual([])
    expect(await free.claim(10, 'all')).toHaveLength(1)
  })

  it('do not block newer mails, however many are held, and are counted', async () => {
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

describe('the operator’s list of paused mails [docs/how-to/operators/backup-restore.md]', () => {
  it('shows the mails by kind with their times, and by the names in the SMTP server’s log, without an address', async () => {
    await inviteOld('held', 2)
    await intake.addOwnerMail(sampleOwnerMail('approved'))
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
    expect(names).toEqual(['invitation.held.0.1', 'invitation.held.1.1', sampleOwnerMail('approved').id])
    expect(await held.readNames(MADE, named[1]!.id)).toEqual([named[2]])
    expect(await held.readNames(new Date(MADE.getTime() - 1), 0)).toEqual([])

    // These names appear in the Message-IDs that an SMTP server receives.
    startWorker(free)
    await waitFor(() => expect(relay.mails).toHaveLength(4), WAIT)
    const ids = relay.mails.map(({ parsed }) => parsed.messageId ?? '')
    for (const name of names)
      expectWithMessage(
        ids.filter((id) => id.includes(name)),
        name,
      ).toHaveLength(1)
  })

  it('marks the named mails as accepted, publishes one event for each, and leaves the other mails paused [I7, I8]', async () => {
    await inviteOld('held', 2)
    await invite('new', 1)
    const { held, notifications } = heldMails()
    expect(await held.recordSent(['invitation.held.0.1', 'invitation.new.0.1', 'invitation.nothing.0.1'])).toBe(1)
    expect(await held.recordSent(['invitation.held.0.1'])).toBe(0)
    expect(await statesOf('held')).toEqual(['accepted', 'due'])
    const { rows } = await sql<{ attempts: number; outcome: string }>`
      select attempts, outcome from delivery where state = 'accepted'`.execute(database)
    expect(rows).toEqual([{ attempts: 1, outcome: 'sent before a restore' }])
    const published = await sql<{ type: string; data: object }>`select type, data from outbox`.execute(database)
    expect(published.rows).toEqual([
      {
        type: 'email.accepted',
        data: expect.objectContaining({ contractId: 'held', partyIndex: 0, kind: 'invitation', attempts: 1 }),
      },
    ])
    expect(notifications()).toBe(1)
    startWorker(free)
    await waitFor(() => expect(sent()).toEqual(['invitation held', 'invitation new']), WAIT)
  })

  it('is empty without the setting, and marks no mail as accepted', async () => {
    await inviteOld('held', 1)
    const { held } = heldMails({ claims: free, before: undefined })
    expect(await held.readKinds()).toEqual({ before: null, kinds: [] })
    expect(await held.readNames(new Date(), 0)).toEqual([])
    expect(await held.recordSent(['invitation.held.0.1'])).toBe(0)
    expect(await statesOf('held')).toEqual(['due'])
  })
})

function heldMails(
  { claims, before }: { claims: DeliveryClaims; before: Date | undefined } = { claims: holding, before: BEFORE },
) {
  let notifications = 0
  const finishDelivery = createFinishDelivery({ database, notifyRelay: () => void (notifications += 1) })
  return {
    held: createHeldMails({ database, claims, finishDelivery, before, logger }),
    notifications: () => notifications,
  }
}

function startWorker(claims: DeliveryClaims): () => Promise<void> {
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${relay.port}`),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 5,
  })
  const worker = createDeliveryWorker({
    testMailbox: NO_TEST_MAILBOX,
    claims,
    finishDelivery: createFinishDelivery({ database, notifyRelay: () => undefined }),
    circuit: createSmtpCircuit({ database }),
    mailboxLimit: createMailboxLimit({ database, keys: codeKeys }),
    rate: createSendRate(1_000, performance.now()),
    mailer,
    compose: createComposer({
      readBrand: () => Promise.resolve(undefined),
      readMailData: () => Promise.resolve(sampleMailData()),
      readCopy: () => Promise.resolve(null),
      openSealed: (delivery) => openSealed(codeKeys, delivery),
      ...MAIL_SETTINGS,
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
    .execute((trx) =>
      addInvitations(trx, {
        contractId,
        accountId: 'acc_1',
        environment: 'production',
        expiresAt: '2099-01-01T00:00:00.000Z',
        partyCount,
      }),
    )

/** Adds invitations that are as old as those in a restored database. */
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

/** Kind and contract of each mail that the SMTP server accepted, sorted. */
const sent = (): string[] =>
  relay.mails.map(({ parsed }) => (parsed.messageId ?? '').replace(/^<(\w+)\.(\w+)\..*$/, '$1 $2')).toSorted()
