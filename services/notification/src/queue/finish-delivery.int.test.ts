import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { addInvitations, createDeliveryIntake, type DeliveryIntake } from './add-delivery.js'
import { createDeliveryClaims, UNRECORDED, type DeliveryClaims } from './claim-delivery.js'
import { sampleOwnerMail } from '../../test/mail-fixture.js'
import { createFinishDelivery, smtpCodeOf, type Ending, type FinishDelivery } from './finish-delivery.js'

const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

const INVITED = {
  contractId: 'c1',
  accountId: 'a1',
  environment: 'sandbox',
  expiresAt: '2099-01-01T00:00:00.000Z',
  partyCount: 1,
} as const

let clone: TestDatabase
let database: Kysely<unknown>
let deliveries: DeliveryIntake & DeliveryClaims
let finishDelivery: FinishDelivery
let notifications: number

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  deliveries = { ...createDeliveryIntake({ database, codeKeys }), ...createDeliveryClaims({ database }) }
  notifications = 0
  finishDelivery = createFinishDelivery({ database, notifyRelay: () => (notifications += 1) })
})

afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

it('finishing a mail publishes an event, numbered without gaps, with ids, times and a reason, but without personal data [D48, I7, I14]', async () => {
  await invite('c1', 4)
  const ends: Ending[] = [
    { state: 'accepted' },
    { state: 'failed', reason: 'refused', why: 'smtp 550' },
    { state: 'failed', reason: 'gave_up', why: 'not sent in time: smtp 451' },
    { state: 'skipped', why: 'party has signed' },
  ]
  for (const [party, delivery] of (await claimAll()).entries()) await finishDelivery(delivery, ends[party]!)
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown as string
  const common = { contractId: 'c1', accountId: 'a1', environment: 'sandbox', kind: 'invitation', sendNumber: 1 }
  const data = { ...common, attempts: 1, createdAt: instant }
  const failed = { ...data, failedAt: instant }
  expect(await events()).toEqual([
    { type: 'email.accepted', sequence: 1, data: { ...data, partyIndex: 0, acceptedAt: instant } },
    { type: 'email.failed', sequence: 2, data: { ...failed, partyIndex: 1, reason: 'refused', smtpCode: 550 } },
    { type: 'email.failed', sequence: 3, data: { ...failed, partyIndex: 2, reason: 'gave_up', smtpCode: 451 } },
  ])
  expect(notifications).toBe(3)
})

it('finishing a mail publishes nothing if another worker has claimed the mail meanwhile [F8]', async () => {
  await invite('c1', 1)
  const [lost] = await claimAll()
  await endClaims()
  const [taken] = await claimAll()
  await finishDelivery(taken!, { state: 'accepted' })
  await finishDelivery(lost!, { state: 'failed', reason: 'refused', why: 'smtp 550' })
  expect((await events()).map(({ type, sequence }) => `${type} ${sequence}`)).toEqual(['email.accepted 1'])
})

it('a mail is not finished when its event cannot be stored [I7]', async () => {
  await invite('c1', 1)
  const [delivery] = await claimAll()
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query('alter table outbox add constraint closed check (id < 0) not valid')
  })
  await expect(finishDelivery(delivery!, { state: 'accepted' })).rejects.toThrow('closed')
  const { rows } = await sql<{ state: string }>`select state from delivery`.execute(database)
  expect(rows).toEqual([{ state: 'due' }])
})

it('the end of a code is published after the owner of its contract becomes known [D32, D48]', async () => {
  await pushCode('push-of-test-1', 600)
  await pushCode('push-of-test-2', 600)
  const [sent, late] = await claimAll()
  await finishDelivery(sent!, { state: 'accepted' })
  await finishDelivery(late!, { state: 'failed', reason: 'lapsed', why: 'not sent in time' })
  expect(await events()).toEqual([])
  await invite('c1', 1)
  await invite('c1', 1)
  const [invitation] = await claimAll()
  await finishDelivery(invitation!, { state: 'accepted' })
  expect(
    (await events()).map(({ type, sequence, data }) => [sequence, type, data.kind, data.reason, data.accountId]),
  ).toEqual([
    [1, 'email.accepted', 'code', undefined, 'a1'],
    [2, 'email.failed', 'code', 'lapsed', 'a1'],
    [3, 'email.accepted', 'invitation', undefined, 'a1'],
  ])
})

it('the end of a code is published also if it waits for the transaction that learns the owner of its contract [D32, D48]', async () => {
  await pushCode('push-of-test-1', 600)
  await pushCode('push-of-test-2', 600)
  const [first, second] = await claimAll()
  await finishDelivery(first!, { state: 'accepted' })
  const ending = await database.transaction().execute(async (trx) => {
    await addInvitations(trx, INVITED)
    const waiting = finishDelivery(second!, { state: 'accepted' })
    await waitFor(async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(database)
      expect(rows).not.toEqual([])
    })
    return { waiting }
  })
  await ending.waiting
  expect((await events()).map(({ sequence, data }) => [sequence, data.sendNumber])).toEqual([
    [1, 1],
    [2, 2],
  ])
})

it('events are numbered in the order of commits when many mails of a contract finish at the same time, without a deadlock [D48]', async () => {
  await invite('c1', 20)
  const claimed = await claimAll()
  await Promise.all([
    ...claimed.map((delivery) => finishDelivery(delivery, { state: 'accepted' })),
    ...Array.from({ length: 5 }, () => invite('c1', 20)),
  ])
  const published = await events()
  expect(published.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

it.each<[Ending, string, string | null]>([
  [{ state: 'accepted' }, 'accepted', null],
  [{ state: 'failed', reason: 'refused', why: 'smtp 550' }, 'failed', 'smtp 550'],
  [{ state: 'failed', reason: 'gave_up', why: 'not sent in time' }, 'failed', 'not sent in time'],
  [{ state: 'failed', reason: 'lapsed', why: 'not sent in time' }, 'lapsed', 'not sent in time'],
])('a mail to an owner is finished with %o and wiped, without an event [D24, I14]', async (ending, state, outcome) => {
  await deliveries.addOwnerMail(
    sampleOwnerMail(ending.state === 'failed' && ending.reason === 'lapsed' ? 'signIn' : 'keyCreated'),
  )
  const [lost] = await claimAll()
  await endClaims()
  const [delivery] = await claimAll()
  await finishDelivery(delivery!, ending)
  // Another worker has claimed and finished the mail, so a late write of the first worker has no effect. [F8]
  await finishDelivery(lost!, { state: 'failed', reason: 'refused', why: 'late' })
  const { rows } = await sql`select state, outcome, sealed, claim, claimed_until, is_published from delivery`.execute(
    database,
  )
  expect(rows).toEqual([{ state, outcome, sealed: null, claim: null, claimed_until: null, is_published: true }])
  expect([await events(), notifications]).toEqual([[], 0])
})

it.each([
  ['smtp 550', 550],
  ['not sent in time: smtp 451', 451],
  ['not sent in time', null],
  ['ECONNECTION', null],
  [null, null],
])('the SMTP code of the outcome %j is %j', (outcome, code) => {
  expect(smtpCodeOf(outcome)).toBe(code)
})

const invite = (contractId: string, partyCount: number) =>
  database.transaction().execute((trx) => addInvitations(trx, { ...INVITED, contractId, partyCount }))

const pushCode = (requestId: string, lapsesInSeconds: number) =>
  deliveries.addCode({ requestId, contractId: 'c1', partyIndex: 0, code: '482913', lapsesInSeconds })

/** Claims all due deliveries, ordered by party and send number. */
async function claimAll() {
  const claimed = await deliveries.claim(100, 'all')
  return claimed.sort((a, b) => (a.partyIndex ?? 0) - (b.partyIndex ?? 0) || a.sendNumber - b.sendNumber)
}

/** Expires all claims, with their grace. */
async function endClaims(): Promise<void> {
  await sql`update delivery set claimed_until = clock_timestamp() - interval '1 second', outcome = ${UNRECORDED}`.execute(
    database,
  )
}

async function events() {
  const { rows } = await sql<{ type: string; sequence: number; data: Record<string, unknown> }>`
    select type, sequence::int, data from outbox order by id`.execute(database)
  return rows
}
