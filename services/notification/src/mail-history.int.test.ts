import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import type { Environment } from '@paraph/protocol/environment'
import type { Principal } from '@paraph/protocol/principal'
import type { DomainError } from '@paraph/protocol/errors'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { parseKeyring } from '@paraph/config/keyring'
import { refusalOf } from '@paraph/rpc/link'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createContractMails } from './mail-history.js'
import { addInvitations, createDeliveryIntake, type DeliveryIntake } from './queue/add-delivery.js'
import { createDeliveryClaims, pauseDelivery, releasePaused, type DeliveryClaims } from './queue/claim-delivery.js'
import { sampleMailData } from '../test/mail-fixture.js'
import type { MailData } from './compose/mail-data.js'
import { createRpcRouter, type RpcRouter } from './rpc-router.js'
import type { TestMailbox } from './test-mailbox.js'
import type { NoticeRouter } from './notices/router.js'
import type { WebhookRouter } from './webhooks/router.js'
import { createFinishDelivery, type Ending, type FinishDelivery } from './queue/finish-delivery.js'

type Line = Awaited<ReturnType<typeof openRpcFixture<RpcRouter>>>
const logger = createLogger('test', 'silent')

let clone: TestDatabase
let database: Kysely<unknown>
let intake: DeliveryIntake
let claims: DeliveryClaims
let finishDelivery: FinishDelivery
let gateway: Line
let signing: Line
let data: MailData | null
let triggers: number
beforeAll(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger, { max: 20 }))
  intake = createDeliveryIntake({ database, codeKeys: parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`) })
  claims = createDeliveryClaims({ database })
  finishDelivery = createFinishDelivery({ database, notifyRelay: () => undefined })
  const triggerWorker = () => void (triggers += 1)
  const contractMails = createContractMails({ database, readMailData: () => Promise.resolve(data), triggerWorker })
  const router = createRpcRouter({
    intake,
    contractMails,
    testMailbox: {} as TestMailbox,
    webhooks: {} as WebhookRouter,
    notices: {} as NoticeRouter,
    triggerWorker,
    isSmtpUnavailable: () => false,
  })
  gateway = await openRpcFixture({ caller: 'gateway', callee: 'notification', router })
  signing = await openRpcFixture({ caller: 'signing', callee: 'notification', router })
})
afterAll(async () => {
  await Promise.all([gateway.close(), signing.close()])
  await database.destroy()
  await clone.drop()
})

let contracts = 0
let contractId: string
let owner: Principal
beforeEach(async () => {
  contracts += 1
  contractId = `contract-${contracts}`
  owner = principalOf(`acc_${contracts}`)
  data = sampleMailData()
  triggers = 0
  await sql`delete from delivery`.execute(database)
  await invite(owner)
})

function principalOf(accountId: string, environment: Environment = 'production'): Principal {
  const account = {
    name: 'Nordic',
    senderName: 'Nordic',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  } as const
  return { accountId, environment, scopes: [], account }
}
const invite = ({ accountId, environment }: Principal, partyCount = 2) =>
  database
    .transaction()
    .execute((trx) =>
      addInvitations(trx, { contractId, accountId, environment, expiresAt: '2099-01-01T00:00:00.000Z', partyCount }),
    )

const resend = (partyIndex = 0, principal = owner) =>
  gateway.rpcFor(principal).invitation.resend.mutate({ contractId, partyIndex })
const look = (principal = owner) => gateway.rpcFor(principal).deliveries.ofContract.query({ contractId })
const refusal = (call: Promise<unknown>): Promise<DomainError | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => refusalOf(error),
  )

/** Finishes all due deliveries, as accepted or with the ending at the party's index. */
async function settleAll(...endings: Ending[]): Promise<void> {
  const claimed = await claims.claim(10, 'all')
  for (const delivery of claimed.toSorted((left, right) => left.partyIndex! - right.partyIndex!))
    await finishDelivery(delivery, endings[delivery.partyIndex!] ?? { state: 'accepted' })
}

/** Makes all deliveries older. */
const age = (by: string) =>
  withClient(clone.ownerUrl, (client) =>
    client.query('update delivery set created_at = created_at - $1::interval', [by]),
  )

const sendNumbers = async (partyIndex = 0) => {
  const { rows } = await sql<{ number: number }>`
    select send_number as number from delivery where contract_id = ${contractId} and party_index = ${partyIndex}::smallint
       and kind = 'invitation' order by send_number`.execute(database)
  return rows.map(({ number }) => number)
}

describe('a resent invitation [D24]', () => {
  it('is a new mail with the next send number, due immediately, with 48 hours to be sent like the first invitation', async () => {
    await settleAll()
    expect(await resend()).toEqual({ outcome: 'queued', sendNumber: 2 })
    expect(triggers).toBe(1)
    const [mail, ...more] = await claims.claim(10, 'all')
    expect(mail).toMatchObject({ kind: 'invitation', contractId, partyIndex: 0, sendNumber: 2 })
    expect(mail!.lapsesInMs / 3_600_000).toBeCloseTo(48, 1)
    expect(more).toEqual([])
    expect(await sendNumbers(1)).toEqual([1])
  })

  it('is limited to one an hour for each party by the database clock, and a refusal states when the next is allowed', async () => {
    await settleAll()
    await resend()
    await settleAll()
    const asked = await sql<{ at: Date }>`
      select created_at as at from delivery where contract_id = ${contractId} and send_number = 2`.execute(database)
    const tryAgainAt = new Date(asked.rows[0]!.at.getTime() + 3_600_000).toISOString()
    expect(await resend()).toEqual({ outcome: 'too_soon', tryAgainAt })
    expect((await look()).parties.map(({ resendAfter }) => resendAfter)).toEqual([tryAgainAt, null])
    expectWithMessage(await resend(1), 'the other party').toMatchObject({ outcome: 'queued' })
    await settleAll()
    await age('59 minutes 50 seconds')
    expect(await resend()).toMatchObject({ outcome: 'too_soon' })
    await age('10 seconds')
    expect(await resend()).toEqual({ outcome: 'queued', sendNumber: 3 })
    expect(await sendNumbers()).toEqual([1, 2, 3])
  })

  it('is sent once after concurrent requests, and not while the previous invitation is due', async () => {
    expect(await resend()).toEqual({ outcome: 'still_waiting' })
    await settleAll()
    for (let run = 0; run < 20; run += 1) {
      await age('1 hour')
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => resend()))
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
        'queued',
        'still_waiting',
        'still_waiting',
        'still_waiting',
      ])
      await settleAll()
    }
    expect(await sendNumbers()).toHaveLength(21)
  })

  it('is limited to one an hour for all parties together whom one invitation invites [P24]', async () => {
    data = sampleMailData({ sameMailbox: [0, 1, 2, 3, 4] })
    await invite(owner, 5)
    await settleAll()
    expect(await resend(4)).toMatchObject({ outcome: 'queued' })
    expect(await resend(3)).toEqual({ outcome: 'still_waiting' })
    await settleAll()
    expect(await resend(2)).toMatchObject({ outcome: 'too_soon' })
    expect(await resend(1)).toMatchObject({ outcome: 'queued' })
  })

  it('waits while the account is suspended, and is due when the account is resumed [D37]', async () => {
    await settleAll()
    await note('account.suspended', 2)
    expect(await resend()).toMatchObject({ outcome: 'queued' })
    expect(await claims.claim(10, 'all')).toEqual([])
    expect(await look()).toMatchObject({ isHeld: true })
    expect(await resend()).toEqual({ outcome: 'still_waiting' })
    await note('account.resumed', 3)
    expect(await claims.claim(10, 'all')).toHaveLength(1)
  })

  it.each(['signed', 'expired', 'cancelled'] as const)('is refused when the contract is %s', async (status) => {
    await settleAll()
    data = sampleMailData({ status })
    expect(await resend()).toEqual({ outcome: 'contract_final', status })
    expect(await sendNumbers()).toEqual([1])
  })

  it('is refused when the party has signed or does not exist', async () => {
    await settleAll()
    data = sampleMailData({ status: 'partially_signed', party: { ...sampleMailData().party, hasSigned: true } })
    expect(await resend()).toEqual({ outcome: 'party_has_signed' })
    data = null
    expect(await refusal(resend(7))).toMatchObject({ code: 'invalid_request' })
    expect(await sendNumbers()).toEqual([1])
  })
})

describe('the mails of a contract [D24]', () => {
  it('are the newest of each kind to each party, with state, times and SMTP code', async () => {
    await settleAll(
      { state: 'failed', reason: 'refused', why: 'smtp 552' },
      { state: 'skipped', why: 'party has signed' },
    )
    await resend()
    await claims.reschedule((await claims.claim(1, 'all'))[0]!, 60_000, 'smtp 451')
    for (const [n, code] of ['123456', '654321'].entries())
      await intake.addCode({ requestId: `${contractId} ${n}`, contractId, partyIndex: 1, code, lapsesInSeconds: 600 })
    const [first, second] = await claims.claim(10, 'codes')
    await finishDelivery(first!, { state: 'accepted' })
    await finishDelivery(second!, { state: 'failed', reason: 'lapsed', why: 'not sent in time' })
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/) as unknown as string
    const mail = { reason: null, smtpCode: null, why: null, createdAt: instant, finishedAt: instant }
    expect(await look()).toEqual({
      isHeld: false,
      parties: [
        {
          index: 0,
          mails: [{ ...mail, kind: 'invitation', sendNumber: 2, state: 'due', smtpCode: 451, finishedAt: null }],
          resendAfter: instant,
        },
        {
          index: 1,
          mails: [
            { ...mail, kind: 'invitation', sendNumber: 1, state: 'skipped', why: 'party has signed' },
            { ...mail, kind: 'code', sendNumber: 2, state: 'lapsed', reason: 'lapsed' },
          ],
          resendAfter: null,
        },
      ],
    })
  })

  it('show the SMTP code of a rejected mail', async () => {
    await settleAll({ state: 'failed', reason: 'refused', why: 'smtp 552' })
    const { parties } = await look()
    expect(parties[0]!.mails).toMatchObject([{ state: 'failed', reason: 'refused', smtpCode: 552 }])
    expect(parties[1]!.mails).toMatchObject([{ state: 'accepted', reason: null, smtpCode: null }])
  })
})

describe('the authorisation of the mail procedures [D10, D44, D45]', () => {
  it('treats contracts of another account or environment like unknown ids, and sends nothing', async () => {
    await settleAll()
    const said = new Set<string>()
    for (const principal of [principalOf('acc_stranger'), principalOf(owner.accountId, 'sandbox')]) {
      for (const refused of await Promise.all([look(principal), resend(0, principal)].map(refusal))) {
        said.add(`${refused?.code}: ${refused?.message}`)
      }
    }
    expect(await sendNumbers()).toEqual([1])
    contractId = 'contract-unknown'
    // A code may be requested, and expire, before `contract.created` has arrived.
    await sql`insert into contract_mail (contract_id) values (${contractId})`.execute(database)
    for (const refused of await Promise.all([look(), resend()].map(refusal))) {
      said.add(`${refused?.code}: ${refused?.message}`)
    }
    expect([...said]).toEqual([expect.stringMatching(/^not_found: .*Look again in a minute/)])
  })

  it('refuses calls without an account and calls from other services', async () => {
    for (const line of [gateway.rpc, signing.rpcFor(owner)]) {
      const calls = [
        line.deliveries.ofContract.query({ contractId }),
        line.invitation.resend.mutate({ contractId, partyIndex: 0 }),
      ]
      expect(await Promise.all(calls.map(refusal))).toMatchObject(Array(2).fill({ code: 'invalid_key' }))
    }
  })
})

/** Records a suspension or its end, like the consumer. */
const note = (type: 'account.suspended' | 'account.resumed', sequence: number) =>
  database.transaction().execute(async (trx) => {
    const { accountId } = owner
    await recordSuspension(trx, { type, sequence: String(sequence), data: { accountId, at: '' } } as never)
    await (type === 'account.suspended' ? pauseDelivery(trx, accountId) : releasePaused(trx, accountId))
  })
