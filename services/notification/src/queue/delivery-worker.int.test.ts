import { randomUUID } from 'node:crypto'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { addInvitations, addOutcomes, createDeliveryIntake, openSealed, type DeliveryIntake } from './add-delivery.js'
import {
  createDeliveryClaims,
  GRACE_SECONDS,
  pauseDelivery,
  releasePaused,
  UNRECORDED,
  type DeliveryClaims,
} from './claim-delivery.js'
import { createComposer } from '../compose/compose-delivery.js'
import { createMailboxLimit, MAILBOX_LIMITS, type MailboxLimits } from './mailbox-limit.js'
import { createDeliveryWorker } from './delivery-worker.js'
import {
  FROM_ADDRESS,
  MAIL_SETTINGS,
  sampleMailData,
  OWNER_MAIL_NAMES,
  sampleOwnerMail,
  type OwnerMailName,
  NO_TEST_MAILBOX,
} from '../../test/mail-fixture.js'
import type { MailData } from '../compose/mail-data.js'
import { createMailer, type Mailer } from '../smtp/mailer.js'
import type { OwnerMailData } from '../compose/mail-data.js'
import { createSmtpCircuit } from '../smtp/circuit.js'
import { createSendRate } from './token-bucket.js'
import { createFinishDelivery, type FinishDelivery } from './finish-delivery.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { readSmtpUrl } from '../smtp/smtp-url.js'
import { startFailingSmtpServer } from '../../test/troubled-relay-fixture.js'

const WAIT = { timeout: 20_000, interval: 10 }
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

let clone: TestDatabase
let database: Kysely<unknown>
let deliveries: DeliveryIntake & DeliveryClaims
let finishDelivery: FinishDelivery
let relay: TestSmtpServer
let data: Partial<MailData>
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  deliveries = { ...createDeliveryIntake({ database, codeKeys }), ...createDeliveryClaims({ database }) }
  finishDelivery = createFinishDelivery({ database, notifyRelay: () => undefined })
  relay = await startSmtpServer()
  data = {}
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await relay.stop()
  await database.destroy()
  await clone.drop()
})

it('the worker sends one mail to each party and records it; adding the same mails again sends no mail [S2.3, F9, I8]', async () => {
  await invite('c1', 3)
  startWorker()
  await waitFor(() => expect(relay.accepted()).toHaveLength(3), WAIT)
  expect(relay.mails.map((mail) => mail.to).sort()).toEqual([
    ['party-0@c1.example'],
    ['party-1@c1.example'],
    ['party-2@c1.example'],
  ])
  await invite('c1', 3)
  await invite('c2', 1)
  await waitFor(() => expect(relay.accepted()).toHaveLength(4), WAIT)
  await waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'accepted']), WAIT)
})

it('the worker neither sends nor gives up the mails of a suspended account, except codes, until the account is resumed [D37]', async () => {
  await note('account.suspended', 2)
  await invite('c1', 2)
  await sql`update delivery set lapses_at = clock_timestamp() - interval '1 hour'`.execute(database)
  await pushCode('c1', 0)
  startWorker()
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  expect(await deliveries.claimExpired(10)).toEqual([])
  expect(await deliveries.claim(10, 'all')).toEqual([])
  await note('account.resumed', 3)
  await waitFor(() => expect(relay.accepted()).toHaveLength(3), WAIT)
})

it('the mails of a suspended account are not due, and an outdated suspension event has no effect [D37]', async () => {
  await invite('c1', 40)
  await note('account.suspended', 2)
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from delivery where state = 'due' and due_at <= clock_timestamp()`.execute(database)
    return rows[0]!.n
  }
  expect(await waiting()).toBe(0)
  await note('account.resumed', 3)
  expect(await waiting()).toBe(40)
  await note('account.suspended', 2)
  expect(await waiting()).toBe(40)
})

it('a claim reads the brand of the account of the contract, also for a code, and names no account while it is unknown [D59]', async () => {
  await sql`insert into account_brand (account_id, accent, sequence) values ('a1', '#0b6e4f', 1), ('a2', null, 1)`.execute(
    database,
  )
  await invite('c1', 1)
  await pushCode('c1', 0)
  await invite('c2', 1, 'a2')
  await pushCode('c3', 0)
  const claimed = await deliveries.claim(10, 'all')
  const brand = { accent: '#0b6e4f', logo: null }
  expect(
    Object.fromEntries(
      claimed.map(({ contractId, kind, brandOf, brand: read }) => [`${kind} ${contractId}`, [brandOf, read]]),
    ),
  ).toEqual({
    'code c1': ['a1', brand],
    'invitation c1': ['a1', brand],
    'invitation c2': ['a2', null],
    'code c3': [null, null],
  })
})

it('codes that are pushed for one party at the same time are all sent, each once [D24, D42]', async () => {
  const pushed = Array.from({ length: 8 }, (_, at) => `push-of-test-${at}`)
  await Promise.all([...pushed, ...pushed].map((requestId) => pushCode('c1', 0, { requestId })))
  const { rows } = await sql`select send_number, count(*)::int as mails from delivery group by 1 order by 1`.execute(
    database,
  )
  expect(rows).toEqual(pushed.map((_, at) => ({ send_number: at + 1, mails: 1 })))
})

it('the worker finds a delivery by polling, without a notification', async () => {
  startWorker()
  await invite('c1', 1)
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
})

it('the worker loses no mail while the SMTP server is down, probes with one mail at a time, and sends all mails afterwards [D32, F6]', async () => {
  const { port } = relay
  await relay.stop()
  await invite('c1', 8)
  await pushCode('c1', 0)
  const knocks = countKnocks()
  startWorker({ mailer: knocks.mailer })
  await waitFor(() => expect(knocks.atOnceLater.length).toBeGreaterThan(3), WAIT)
  expect(Math.max(...knocks.atOnceLater)).toBe(1)
  expect(await states()).toEqual(Array.from({ length: 9 }, () => 'due'))
  relay = await startSmtpServer(port)
  await waitFor(() => expect(relay.accepted()).toHaveLength(9), WAIT)
  await waitFor(async () => expect(await states()).toEqual(Array.from({ length: 9 }, () => 'accepted')), WAIT)
})

it('the worker retries a mail after a 4yz answer with the same Message-ID [D24, F7]', async () => {
  relay.answerWith(() => (relay.mails.length < 2 ? 451 : 'ok'))
  await invite('c1', 1)
  startWorker()
  await waitFor(() => expect(relay.mails.map((mail) => mail.answer)).toEqual([451, 451, 'ok']), WAIT)
  expect(new Set(relay.mails.map((mail) => mail.parsed.messageId))).toEqual(
    new Set(['<invitation.c1.0.1@mail.example.com>']),
  )
})

it('the worker retries much later if the SMTP server received a message and did not answer, because it may have accepted the message [F7, I8]', async () => {
  const cutting = await startFailingSmtpServer('data reset')
  stops.push(cutting.stop)
  await invite('c1', 1)
  startWorker({ mailer: openMailer(cutting.port) })
  const { rows } = await waitFor(async () => {
    const found = await sql<{ outcome: string; minutes: number }>`
      select outcome, extract(epoch from due_at - clock_timestamp())::float8 / 60 as minutes from delivery
       where claim is null and attempts = 1`.execute(database)
    expect(found.rows).toHaveLength(1)
    return found
  }, WAIT)
  expect(rows[0]!.outcome).toBe('no answer to the text: ESOCKET')
  expect(rows[0]!.minutes).toBeGreaterThan(10)
})

it('the worker polls an empty queue no more often when the rate is low [F6]', async () => {
  let polls = 0
  const counted = {
    ...deliveries,
    claim: (...asked: Parameters<DeliveryClaims['claim']>) => ((polls += 1), deliveries.claim(...asked)),
  }
  const startedAtMs = performance.now()
  startWorker({ perSecond: 5, queue: counted })
  await waitFor(() => expect(polls).toBeGreaterThan(7), WAIT)
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_200)
})

it('the worker probes with a code while another mail hangs in a probe of an unavailable SMTP server [D42, F6]', async () => {
  const hung = await startFailingSmtpServer('reset')
  stops.push(hung.stop)
  await invite('c1', 3)
  startWorker({ mailer: openMailer(hung.port), connections: 1 })
  await waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(2), WAIT)
  hung.behave('hang')
  const before = hung.knocksAtMs.length
  await waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(before), WAIT)
  await pushCode('c1', 0)
  // Well before fifteen seconds, when the first attempt times out.
  await waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(before + 1), { timeout: 10_000, interval: 10 })
})

it('the worker gives up a mail that the SMTP server rejects permanently, records no text of the server, and sends the other mails [F7]', async () => {
  relay.answerWith((mail) => (mail.to?.[0]?.address === 'party-0@c1.example' ? 550 : 'ok'))
  await invite('c1', 2)
  startWorker()
  await waitFor(async () => expect(await states()).toEqual(['accepted', 'failed']), WAIT)
  const { rows } = await sql<{ outcome: string | null }>`select * from delivery`.execute(database)
  expect(rows.map((row) => row.outcome).sort()).toEqual(['smtp 550', null].sort())
  expect(JSON.stringify(rows)).not.toContain('example.com')
  expect(relay.mails).toHaveLength(2)
})

it('the worker loses no mail and no code while the SMTP server refuses every recipient, whatever code it gives, and sends all mails afterwards [F34, P23]', async () => {
  for (const [index, answer] of ['550 no such user', '554 5.7.1 Relay access denied'].entries()) {
    relay.refuseRecipients(() => answer)
    const before = relay.accepted().length
    await invite(`c${index}`, 20)
    await pushCode(`c${index}`, 0)
    const { circuit, stop } = startWorker()
    await waitFor(() => expect(circuit.isOpen()).toBe(true), WAIT)
    await waitFor(async () => expect(new Set(await states(`c${index}`))).toEqual(new Set(['due'])), WAIT)
    relay.refuseRecipients(() => undefined)
    await waitFor(() => expect(relay.accepted()).toHaveLength(before + 21), WAIT)
    await waitFor(async () => expect(new Set(await states(`c${index}`))).toEqual(new Set(['accepted'])), WAIT)
    await stop()
  }
})

it('a list of dead addresses of one account does not delay the mails of another account [F34, P23]', async () => {
  relay.refuseRecipients((address) => (address.endsWith('@dead.example') ? '550 5.1.1 unknown' : undefined))
  await invite('dead', 30)
  const { circuit } = startWorker()
  await waitFor(async () => {
    const { rows } = await sql`select state from delivery where attempts > 0 and state = 'due'`.execute(database)
    expect(rows).toHaveLength(30)
  }, WAIT)
  expect(circuit.isOpen()).toBe(false)
  await invite('c1', 1, 'a2')
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
})

it('a dead mailbox among good ones fails at the first refusal, whatever other mails are refused later [F7, P23]', async () => {
  relay.refuseRecipients((address) => (address.startsWith('party-0@') ? '550 5.1.1 unknown' : undefined))
  for (let index = 0; index < 12; index += 1) await invite(`c${index}`, 2)
  startWorker({ connections: 1 })
  await waitFor(
    async () =>
      expect(await states()).toEqual([...Array<string>(12).fill('accepted'), ...Array<string>(12).fill('failed')]),
    WAIT,
  )
  const { rows } = await sql`select 1 from delivery where attempts > 1`.execute(database)
  expect(rows).toEqual([])
})

describe('mails to one mailbox over all contracts and accounts [P25]', () => {
  const toJane = async (contractId: string) =>
    sampleMailData({
      party: {
        role: 'Buyer',
        legalName: 'Jane',
        email: contractId === 'other' ? 'ben@b.example' : 'Jane@a.example',
        hasSigned: false,
        hasDeclined: false,
      },
    })
  const waits = async () =>
    (
      await sql<{ hours: number; lifeHours: number; attempts: number }>`select attempts,
          extract(epoch from due_at - clock_timestamp())::float8 / 3600 as hours,
          extract(epoch from lapses_at - due_at)::float8 / 3600 as "lifeHours"
        from delivery where state = 'due' and claim is null and outcome is not null`.execute(database)
    ).rows

  it('wait beyond the limit of an hour for a later hour, and are not given up; codes and other mailboxes do not wait', async () => {
    for (const [index, accountId] of ['a1', 'a2', 'a1', 'a2', 'a1'].entries()) await invite(`c${index}`, 1, accountId)
    startWorker({ limits: { perHour: 3, perDay: 100 }, readMailData: toJane, connections: 1 })
    await waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'due', 'due']), WAIT)
    await waitFor(async () => expect(await waits()).toHaveLength(2), WAIT)
    for (const { hours, lifeHours, attempts } of await waits()) {
      expect(hours).toBeGreaterThan(0)
      expect(hours).toBeLessThan(2)
      expect(lifeHours).toBeGreaterThan(47.9)
      expect(attempts).toBe(0)
    }
    await pushCode('c0', 0)
    await invite('other', 1)
    await waitFor(() => expect(relay.accepted()).toHaveLength(5), WAIT)
    // An hour later.
    await sql`update mailbox_count set hour = hour - interval '1 hour'`.execute(database)
    await sql`update delivery set due_at = clock_timestamp() where state = 'due'`.execute(database)
    await waitFor(() => expect(relay.accepted()).toHaveLength(7), WAIT)
  })

  it('wait beyond the limit of a day for the next day', async () => {
    for (let index = 0; index < 3; index += 1) await invite(`c${index}`, 1)
    startWorker({ limits: { perHour: 100, perDay: 2 }, readMailData: toJane })
    await waitFor(async () => expect(await waits()).toHaveLength(1), WAIT)
    const { rows } =
      await sql`select 1 from delivery where due_at >= date_trunc('day', clock_timestamp(), 'UTC') + interval '1 day'
      and state = 'due'`.execute(database)
    expect(rows).toHaveLength(1)
  })

  it('count only when the SMTP server accepted them, or may have, and leave no address in the database', async () => {
    relay.answerWith(() => (relay.mails.length < 5 ? 451 : 'ok'))
    await invite('c1', 1)
    startWorker({ limits: { perHour: 2, perDay: 2 }, readMailData: toJane })
    await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
    await waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
    const { rows } = await sql<{ count: number; text: string }>`
      select in_hour as count, mailbox_count::text || encode(mailbox, 'escape') as text from mailbox_count`.execute(
      database,
    )
    expect(rows).toMatchObject([{ count: 1 }])
    expect(rows[0]!.text).not.toMatch(/jane|example/i)
  })

  it('are limited so that a director who signs 200 contracts in an hour waits for none', () => {
    // An invitation and a copy for each contract, and per day as many outcomes again.
    expect(MAILBOX_LIMITS.perHour).toBeGreaterThanOrEqual(2 * 200)
    expect(MAILBOX_LIMITS.perDay).toBeGreaterThanOrEqual(3 * 200)
  })
})

it('the worker sends the mail of a killed worker after the claim on it expires, and not before [F8, F16]', async () => {
  await invite('c1', 1)
  const [dead] = await deliveries.claim(1, 'all')
  expect(dead).toBeDefined()
  expect(await deliveries.claim(1, 'all')).toEqual([])
  await endClaims()
  startWorker()
  await waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  // A late write of the dead worker has no effect.
  await finishDelivery(dead!, { state: 'failed', reason: 'refused', why: 'late' })
  expect(await states()).toEqual(['accepted'])
  expect(relay.mails).toHaveLength(1)
})

it('a worker that dies after the SMTP server accepted a mail, before the commit, causes at most one duplicate with the same Message-ID [D24, F8]', async () => {
  await invite('c1', 1)
  const death = Promise.withResolvers<void>()
  // This worker's result never reaches the database.
  const dying = startWorker({ endings: () => death.promise })
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  expect(await states()).toEqual(['due'])
  const stopped = dying.stop()
  await endClaims()
  startWorker()
  await waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  expect(relay.mails.map((mail) => mail.parsed.messageId)).toEqual([
    '<invitation.c1.0.1@mail.example.com>',
    '<invitation.c1.0.1@mail.example.com>',
  ])
  death.resolve()
  await stopped
})

it('a worker does not reschedule a mail that another worker has claimed meanwhile [F8]', async () => {
  await invite('c1', 1)
  const [lost] = await deliveries.claim(1, 'all')
  await endClaims()
  expect(await deliveries.claim(1, 'all')).toHaveLength(1)
  await deliveries.reschedule(lost!, 0, 'late')
  expect(await deliveries.claim(1, 'all')).toEqual([])
})

it('the claim on a delivery, with its grace, expires within a minute [F8]', async () => {
  await invite('c1', 1)
  await deliveries.claim(1, 'all')
  const { rows } = await sql<{
    seconds: number
  }>`select extract(epoch from claimed_until - clock_timestamp())::float8 as seconds from delivery`.execute(database)
  expect(rows[0]!.seconds + GRACE_SECONDS).toBeLessThan(60)
})

it('a mail does not wait as long as the step of a clock that was set back; its claim ends in the usual time [F32]', async () => {
  await Promise.all(['new', 'old', 'claimed', 'paused', 'postponed'].map((contractId) => invite(contractId, 1)))
  // Set as they would be an hour ahead: a new mail, one that was retried late, one with a worker, and one of a suspended account.
  await sql`update delivery set
    due_at = case contract_id when 'paused' then 'infinity' when 'claimed' then due_at else clock_timestamp() + interval '1 hour' end,
    created_at = case contract_id when 'old' then created_at - interval '50 minutes' else created_at end,
    outcome = case contract_id when 'postponed' then 'many mails to this mailbox' end,
    claimed_until = case contract_id when 'claimed' then clock_timestamp() + interval '1 hour' end`.execute(database)
  expect(await deliveries.claim(4, 'all')).toEqual([])
  await deliveries.limitWaits()
  const claimed = await deliveries.claim(4, 'all')
  expect(claimed.map(({ contractId }) => contractId)).toEqual(['new'])
  const { rows } = await sql`
    select contract_id, due_at = 'infinity' as never, claimed_until < clock_timestamp() + interval '1 minute' as claimed
      from delivery where contract_id <> 'new' order by contract_id`.execute(database)
  expect(rows).toEqual([
    { contract_id: 'claimed', never: false, claimed: true },
    // An hour is a pause that a mail of 50 minutes may have.
    { contract_id: 'old', never: false, claimed: null },
    { contract_id: 'paused', never: true, claimed: null },
    { contract_id: 'postponed', never: false, claimed: null },
  ])
})

it('several workers share one table and send each mail once', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => invite(`c${index}`, 4)))
  startWorker()
  startWorker()
  await waitFor(async () => expect((await states()).filter((state) => state === 'accepted')).toHaveLength(40), WAIT)
  expect(relay.mails).toHaveLength(40)
})

it('a claim of one mail takes a code before invitations that have waited longer [D42]', async () => {
  await invite('c1', 2)
  await pushCode('c1', 0)
  const kinds: string[] = []
  for (let place = 0; place < 3; place += 1) kinds.push(...(await deliveries.claim(1, 'all')).map(({ kind }) => kind))
  expect(kinds).toEqual(['code', 'invitation', 'invitation'])
})

it('the worker sends a code before invitations that have waited longer [D42]', async () => {
  await invite('c1', 20)
  await pushCode('c1', 0)
  startWorker({ connections: 1 })
  await waitFor(() => expect(relay.accepted()).toHaveLength(21), WAIT)
  expect(relay.mails.slice(0, 2).map((mail) => mail.parsed.subject)).toContain(
    'Your one-time code / Votre code à usage unique',
  )
})

it('the worker sends a code next while 1,000 invitations wait for a slow SMTP server [D42]', async () => {
  await relay.stop()
  relay = await startSmtpServer(0, { answerMs: 200 })
  await Promise.all(Array.from({ length: 20 }, (_, index) => invite(`c${index}`, 50)))
  const worker = startWorker({ connections: 4 })
  await waitFor(() => expect(relay.mails.length).toBeGreaterThan(8), WAIT)
  const before = relay.mails.length
  await pushCode('c1', 0)
  worker.trigger()
  const place = () => relay.mails.findIndex((mail) => mail.parsed.subject?.startsWith('Your one-time code'))
  await waitFor(() => expect(place()).toBeGreaterThan(-1), WAIT)
  // On each connection, the mail in progress and one more mail may arrive before the code.
  expect(place() - before).toBeLessThanOrEqual(8)
})

it('the worker sends a code immediately while the rate limit delays invitations, and sends the invitations at the limit [D42, F6]', async () => {
  await invite('c1', 30)
  const worker = startWorker({ perSecond: 2 })
  await waitFor(() => expect(relay.mails.length).toBeGreaterThan(0), WAIT)
  await pushCode('c1', 0)
  worker.trigger()
  const place = () => relay.mails.findIndex((mail) => mail.parsed.subject?.startsWith('Your one-time code'))
  await waitFor(() => expect(place()).toBeGreaterThan(-1), WAIT)
  expect(place()).toBeLessThanOrEqual(2)
  const startedAtMs = performance.now()
  const then = relay.mails.length
  await waitFor(() => expect(relay.mails.length).toBeGreaterThanOrEqual(then + 4), WAIT)
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_000)
})

it('the worker sends no expired code when the SMTP server hangs, and publishes that the code expired [D42, F6]', async () => {
  await invite('c2', 1)
  await sql`update delivery set due_at = clock_timestamp() + interval '10 minutes'`.execute(database)
  await pushCode('c2', 0, { lapsesInSeconds: 1 })
  const hung = await startFailingSmtpServer('hang')
  stops.push(hung.stop)
  startWorker({ mailer: openMailer(hung.port) })
  await waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(0), WAIT)
  await waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
  hung.behave('ok')
  await waitFor(async () => expect(await states()).toEqual(['due', 'lapsed']), WAIT)
  expect(hung.accepted()).toBe(0)
  const { rows } = await sql<{ type: string; data: unknown }>`select type, data from outbox`.execute(database)
  expect(rows).toMatchObject([{ type: 'email.failed', data: { kind: 'code', reason: 'lapsed', contractId: 'c2' } }])
})

it('the worker reserves a slot for codes while every other connection hangs [D42]', async () => {
  relay.answerWith((mail) => (mail.subject?.startsWith('Contract to sign') ? 'hang' : 'ok'))
  await invite('c1', 5)
  const worker = startWorker({ connections: 2 })
  await waitFor(() => expect(relay.mails).toHaveLength(2), WAIT)
  await pushCode('c1', 0)
  worker.trigger()
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), { timeout: 5_000, interval: 10 })
  // Ends the hanging connections, because a stop would wait for them.
  await relay.stop()
  relay = await startSmtpServer(relay.port)
})

it('the worker accepts a pushed code once, stores it only encrypted, and wipes it when it is sent [D42]', async () => {
  await pushCode('c1', 0, { requestId: 'push-0001' })
  await pushCode('c1', 0, { requestId: 'push-0001', code: '000000' })
  await pushCode('c1', 0, { requestId: 'push-0002', code: '222222' })
  expect(await requestIds()).toEqual(['push-0001', 'push-0002'])
  expect(await storedText()).not.toMatch(/482913|222222|000000/)
  startWorker()
  await waitFor(() => expect(relay.accepted()).toHaveLength(2), WAIT)
  expect(relay.mails.map((mail) => [mail.parsed.messageId, /^\d+/.exec(mail.parsed.text ?? '')?.[0]]).sort()).toEqual([
    ['<code.c1.0.1@mail.example.com>', '482913'],
    ['<code.c1.0.2@mail.example.com>', '222222'],
  ])
  await waitFor(async () => expect(await sealedCodes()).toBe(0), WAIT)
})

it('the worker never sends an expired code, and wipes it [D42, F6]', async () => {
  await pushCode('c1', 0, { lapsesInSeconds: 0.05 })
  await waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
  startWorker()
  await waitFor(async () => expect(await states()).toEqual(['lapsed']), WAIT)
  expect(await sealedCodes()).toBe(0)
  expect(relay.mails).toEqual([])
})

it.each([
  ['late', async () => waitFor(async () => expect(await lapsed()).toBe(true), WAIT).then(() => sampleMailData())],
  ['never', () => new Promise<MailData>(() => undefined)],
])(
  'the worker sends no code whose data arrives %s, and releases the claim in time [D42, F7]',
  async (_, readMailData) => {
    await pushCode('c1', 0, { lapsesInSeconds: 3 })
    startWorker({ readMailData })
    const row = async () => (await sql`select state, claim, outcome from delivery`.execute(database)).rows[0]
    const released = { state: 'due', claim: null, outcome: 'data not readable' }
    await waitFor(async () => expect(await row()).toEqual(released), WAIT)
    expect(relay.mails).toEqual([])
  },
)

it('the worker sends a code that expires within 20 seconds [D42]', async () => {
  await pushCode('c1', 0, { lapsesInSeconds: 19.99 })
  startWorker()
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
})

it('the worker sends no invitation after the end of the contract, and no outcome to a party that had not signed [D24, D49]', async () => {
  await invite('c1', 2)
  await database.transaction().execute((trx) => addOutcomes(trx, 'c1', 'cancelled'))
  data = { status: 'cancelled' }
  startWorker()
  await waitFor(async () => expect(await states()).toEqual(['skipped', 'skipped', 'skipped', 'skipped']), WAIT)
  expect(relay.mails).toEqual([])
})

it('the worker retries a mail while the contract service is unavailable [D49]', async () => {
  let asked = 0
  await invite('c1', 1)
  startWorker({
    readMailData: async () => {
      asked += 1
      if (asked < 3) throw new Error('unavailable')
      return sampleMailData()
    },
  })
  await waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  expect(asked).toBe(3)
})

it('the worker sends a mail with invalid data only after the data is valid, and sends other mails meanwhile [D14, D49]', async () => {
  let senderName = 'Nordic\r\nBcc: all@example.test'
  await invite('c1', 1)
  await invite('c2', 1)
  startWorker({ readMailData: async (contractId) => sampleMailData(contractId === 'c1' ? { senderName } : {}) })
  const held = { state: 'due', claim: null, outcome: 'data breaks the rules: senderName' }
  const row = async () =>
    (await sql`select state, claim, outcome from delivery where contract_id = 'c1'`.execute(database)).rows[0]
  await waitFor(async () => expect(await row()).toEqual(held), WAIT)
  await waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  senderName = 'Nordic'
  await waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted']), WAIT)
  expect(relay.mails.map((mail) => mail.parsed.from?.name).sort()).toEqual([
    'Nordic Foods procurement via Paraph',
    'Nordic via Paraph',
  ])
})

describe('a mail to an owner', () => {
  it('is accepted once for every kind, stored only encrypted, sent once and wiped [D24, D42]', async () => {
    const ownerMails = OWNER_MAIL_NAMES.map((name) => newOwnerMail(name))
    for (const ownerMail of ownerMails) await deliveries.addOwnerMail(ownerMail)
    for (const ownerMail of ownerMails)
      await deliveries.addOwnerMail({ ...ownerMail, to: 'somebody.else@example.test' })
    expect(await requestIds()).toEqual(ownerMails.map(({ id }) => id).sort())
    expect(await storedText()).not.toMatch(/nordic|example\.test|482913|9fQ2|Order system/i)
    startWorker()
    await waitFor(async () => expect(await states()).toEqual(ownerMails.map(() => 'accepted')), WAIT)
    const ids = ownerMails.map(({ kind, id }) => `<${kind.replaceAll('_', '-')}.${id}@mail.example.com>`)
    expect(relay.mails.map(({ parsed }) => parsed.messageId).sort()).toEqual(ids.sort())
    expect(new Set(relay.mails.flatMap(({ to }) => to))).toEqual(new Set(ownerMails.map(({ to }) => to)))
    expect(await sealedCodes()).toBe(0)
    expect(await storedText()).not.toMatch(/nordic|482913|9fQ2|Order system/i)
    expect(await outbox()).toEqual([])
  })

  it('is retried after a 4yz answer with the same Message-ID [D24, F7]', async () => {
    relay.answerWith(() => (relay.mails.length < 2 ? 451 : 'ok'))
    const { id } = await addOwnerMail('keyCreated')
    startWorker()
    await waitFor(() => expect(relay.mails.map((mail) => mail.answer)).toEqual([451, 451, 'ok']), WAIT)
    expect(new Set(relay.mails.map(({ parsed }) => parsed.messageId))).toEqual(
      new Set([`<key-created.${id}@mail.example.com>`]),
    )
  })

  it('is kept while the SMTP server is unavailable, and sent afterwards [D32, F6]', async () => {
    const { port } = relay
    await relay.stop()
    await addOwnerMail('refused')
    await addOwnerMail('signIn')
    startWorker()
    await waitFor(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from delivery where attempts > 1`.execute(
        database,
      )
      expect(rows[0]!.n).toBe(2)
    }, WAIT)
    relay = await startSmtpServer(port)
    await waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted']), WAIT)
    expect(relay.mails).toHaveLength(2)
  })

  it('ends when the SMTP server rejects it permanently, with no address or text in the row and no event [D24, F7]', async () => {
    relay.answerWith(() => 550)
    await addOwnerMail('invited')
    startWorker()
    await waitFor(async () => expect(await states()).toEqual(['failed']), WAIT)
    expect(await storedText()).toContain('"outcome": "smtp 550"')
    expect(await storedText()).not.toMatch(/nordic|example/i)
    expect([await sealedCodes(), await outbox()]).toEqual([0, []])
  })

  it('is given up after 48 hours and wiped, without an event [D24, D49]', async () => {
    await addOwnerMail('approved')
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from lapses_at - created_at)::float8 / 3600 as hours from delivery`.execute(database)
    expect(rows[0]!.hours).toBeCloseTo(48, 2)
    await sql`update delivery set lapses_at = clock_timestamp() - interval '1 second'`.execute(database)
    startWorker()
    await waitFor(async () => expect(await states()).toEqual(['failed']), WAIT)
    expect([await sealedCodes(), await outbox(), relay.mails]).toEqual([0, [], []])
  })

  it('is sent while the account is suspended [D24, D37]', async () => {
    await note('account.suspended', 2)
    await invite('c1', 1)
    await addOwnerMail('keyRevoked')
    startWorker()
    await waitFor(async () => expect(await states()).toEqual(['accepted', 'due']), WAIT)
    expect(relay.mails.map(({ parsed }) => parsed.subject)).toEqual(['A key was revoked / Une clé a été révoquée'])
  })

  it('is not sent with invalid data; the record names the field without its value, and other mails are sent [D14, D49]', async () => {
    const { id } = await addOwnerMail('approved', { data: { accountName: 'Nordic\r\nBcc: all@example.test' } })
    await addOwnerMail('approved')
    startWorker()
    const held = { state: 'due', claim: null, outcome: 'data breaks the rules: data.accountName' }
    const row = async () =>
      (await sql`select state, claim, outcome from delivery where request_id = ${id}`.execute(database)).rows[0]
    await waitFor(async () => expect(await row()).toEqual(held), WAIT)
    await waitFor(async () => expect(await states()).toEqual(['accepted', 'due']), WAIT)
    expect(relay.mails).toHaveLength(1)
  })
})

describe('a code to an owner', () => {
  it('is sent before invitations and owner mails that have waited longer [D24, D42]', async () => {
    await invite('c1', 20)
    for (let n = 0; n < 5; n += 1) await addOwnerMail('keyCreated')
    await addOwnerMail('signIn')
    startWorker({ connections: 1 })
    await waitFor(() => expect(relay.accepted()).toHaveLength(26), WAIT)
    const subjects = relay.mails.slice(0, 2).map(({ parsed }) => parsed.subject)
    expect(subjects).toContain('Your one-time code / Votre code à usage unique')
  })

  it('is wiped and never sent after it expires [D24, D42, F6]', async () => {
    await addOwnerMail('signIn', { lapsesInSeconds: 0.05 })
    await addOwnerMail('replyAddress', { lapsesInSeconds: 0.05 })
    await waitFor(async () => {
      const { rows } = await sql`select 1 from delivery where lapses_at <= clock_timestamp()`.execute(database)
      expect(rows).toHaveLength(2)
    }, WAIT)
    startWorker()
    await waitFor(async () => expect(await states()).toEqual(['lapsed', 'lapsed']), WAIT)
    expect([await sealedCodes(), await outbox(), relay.mails]).toEqual([0, [], []])
  })

  it('is not sent when the SMTP server hangs until the mail expires [D24, D42, F6]', async () => {
    await addOwnerMail('signIn', { lapsesInSeconds: 1 })
    const hung = await startFailingSmtpServer('hang')
    stops.push(hung.stop)
    startWorker({ mailer: openMailer(hung.port) })
    await waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(0), WAIT)
    await waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
    hung.behave('ok')
    await waitFor(async () => expect(await states()).toEqual(['lapsed']), WAIT)
    expect([hung.accepted(), await sealedCodes(), await outbox()]).toEqual([0, 0, []])
  })

  it('expires no later if its storage waits for a database connection [D42]', async () => {
    const narrow = createDatabase<unknown>(openPool(clone.url, logger, { max: 1 }))
    stops.push(() => narrow.destroy())
    const busy = sql`select pg_sleep(0.5)`.execute(narrow)
    await createDeliveryIntake({ database: narrow, codeKeys }).addOwnerMail(
      newOwnerMail('signIn', { lapsesInSeconds: 100 }),
    )
    await busy
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from lapses_at - created_at)::float8 as seconds from delivery`.execute(database)
    expect(rows[0]!.seconds).toBeLessThan(99.6)
  })
})

function startWorker({
  endings = finishDelivery,
  queue = deliveries,
  perSecond = 1_000,
  connections = 4,
  mailer = openMailer(),
  limits = MAILBOX_LIMITS,
  readMailData = async (contractId: string, partyIndex: number) =>
    sampleMailData({
      ...data,
      party: {
        role: 'Buyer',
        legalName: `Party ${partyIndex}`,
        email: `party-${partyIndex}@${contractId}.example`,
        hasSigned: false,
        hasDeclined: false,
      },
    }),
}: {
  endings?: FinishDelivery
  queue?: DeliveryClaims
  perSecond?: number
  connections?: number
  mailer?: Pick<Mailer, 'send'>
  limits?: MailboxLimits
  readMailData?: (contractId: string, partyIndex: number) => Promise<MailData | null>
} = {}) {
  const circuit = createSmtpCircuit({ database, pace: { firstMs: 20, codesMaxMs: 300, othersMaxMs: 1_000 } })
  const worker = createDeliveryWorker({
    testMailbox: NO_TEST_MAILBOX,
    claims: queue,
    finishDelivery: endings,
    circuit,
    mailboxLimit: createMailboxLimit({ database, keys: codeKeys, limits }),
    rate: createSendRate(perSecond, performance.now()),
    mailer,
    compose: createComposer({
      readBrand: () => Promise.resolve(undefined),
      readMailData,
      readCopy: () => Promise.resolve(null),
      openSealed: (delivery) => openSealed(codeKeys, delivery),
      ...MAIL_SETTINGS,
    }),
    connections,
    logger,
    retryFirstMs: 20,
  })
  stops.push(() => worker.stop())
  worker.start()
  return { ...worker, circuit }
}

function openMailer(port = relay.port): Mailer {
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${port}`),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 5,
  })
  stops.push(async () => mailer.close())
  return mailer
}

/**
 * Wraps the real mailer. Counts the concurrent invitations after the initial burst, which ends when the SMTP server is found unavailable.
 * Does not count codes, because a code may probe at the same time.
 */
/** No more mails are sent before the circuit opens. */
const BURST_MAX = 8

function countKnocks() {
  const real = openMailer()
  const underWay = new Set<string>()
  /** Mails of the burst may start one after another: each waits for its place in the limit of its mailbox. [P25] */
  let ended = 0
  /** The number of concurrent invitations at the start of each invitation after the burst. */
  const atOnceLater: number[] = []
  return {
    atOnceLater,
    mailer: {
      async send(...sent: Parameters<Mailer['send']>) {
        const [{ messageId }] = sent
        if (!messageId.startsWith('invitation.')) return real.send(...sent)
        underWay.add(messageId)
        if (ended >= BURST_MAX) atOnceLater.push(underWay.size)
        return real.send(...sent).finally(() => {
          underWay.delete(messageId)
          ended += 1
        })
      },
    },
  }
}

const note = (type: 'account.suspended' | 'account.resumed', sequence: number) =>
  database.transaction().execute(async (trx) => {
    const time = '2026-11-20T14:00:00.000Z'
    const data = { accountId: 'a1', at: time }
    await recordSuspension(trx, { id: `${sequence}`, subject: 'a1', type, data, sequence: String(sequence), time })
    await (type === 'account.resumed' ? releasePaused : pauseDelivery)(trx, 'a1')
  })

async function invite(contractId: string, partyCount: number, accountId = 'a1'): Promise<void> {
  await database
    .transaction()
    .execute((trx) =>
      addInvitations(trx, {
        contractId,
        accountId,
        environment: 'production',
        expiresAt: '2099-01-01T00:00:00.000Z',
        partyCount,
      }),
    )
}

let pushes = 0
async function pushCode(
  contractId: string,
  partyIndex: number,
  { requestId = `push-${(pushes += 1)}-of-test`, code = '482913', lapsesInSeconds = 600 } = {},
): Promise<void> {
  await deliveries.addCode({ requestId, contractId, partyIndex, code, lapsesInSeconds })
}

/** An owner mail with an id of its own. */
const newOwnerMail = (name: OwnerMailName, overrides: object = {}): OwnerMailData =>
  ({ ...sampleOwnerMail(name), id: randomUUID(), ...overrides }) as OwnerMailData

async function addOwnerMail(name: OwnerMailName, overrides: object = {}): Promise<OwnerMailData> {
  const ownerMail = newOwnerMail(name, overrides)
  await deliveries.addOwnerMail(ownerMail)
  return ownerMail
}

/**
 * All text in the table, with sealed bytes decoded as text, which shows a value that was not encrypted. Omits ids, times and the hex of
 * sealed bytes, whose digits could match a code by chance.
 */
async function storedText(): Promise<string> {
  const without = sql.raw(`'{request_id,claim,sealed,due_at,lapses_at,claimed_until,created_at,finished_at}'::text[]`)
  const { rows } = await sql<{ all: string }>`
    select concat(to_jsonb(delivery) - ${without}, encode(sealed, 'escape')) as all from delivery`.execute(database)
  return rows.map((row) => row.all).join()
}

async function requestIds(): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`select request_id as id from delivery`.execute(database)
  return rows.map(({ id }) => id).sort()
}

async function outbox(): Promise<unknown[]> {
  return (await sql`select type from outbox`.execute(database)).rows
}

async function states(contractId = '%'): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from delivery where coalesce(contract_id, '') like ${contractId} order by state`.execute(database)
  return rows.map(({ state }) => state)
}

async function lapsed(): Promise<boolean> {
  const { rows } = await sql`select 1 from delivery where lapses_at <= clock_timestamp()`.execute(database)
  return rows.length > 0
}

async function sealedCodes(): Promise<number> {
  const { rows } = await sql`select 1 from delivery where sealed is not null`.execute(database)
  return rows.length
}

/** Expires all claims, with their grace. */
async function endClaims(): Promise<void> {
  await sql`update delivery set claimed_until = clock_timestamp() - interval '1 second', outcome = ${UNRECORDED}
    where claim is not null`.execute(database)
}
