import { randomUUID } from 'node:crypto'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/service/keyring'
import { noteAccountHold } from '@paraph/messaging/account-hold'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NotificationDatabase } from './database.js'
import { addInvitations, addOutcomes, createDeliveries, holdBack, releaseHeld, type Deliveries } from './deliveries.js'
import { createComposer } from './composer.js'
import { createDeliveryWorker } from './delivery-worker.js'
import {
  FROM_ADDRESS,
  MAIL_SETTINGS,
  mailFacts,
  OWNER_LETTER_NAMES,
  ownerLetter,
  type OwnerLetterName,
} from './mail-fixture.js'
import type { MailFacts } from './mail-facts.js'
import { createMailer, type Mailer } from './mailer.js'
import type { OwnerLetter } from './owner-letter.js'
import { createRelayCircuit } from './relay-circuit.js'
import { createSendRate } from './send-rate.js'
import { createSettlement, type Settlement } from './settlement.js'
import { startRelay, type TestRelay } from './smtp-fixture.js'
import { readSmtpUrl } from './smtp-url.js'
import { startTroubledRelay } from './troubled-relay-fixture.js'

const WAIT = { timeout: 20_000, interval: 10 }
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

let clone: TestDatabase
let database: Kysely<NotificationDatabase>
let deliveries: Deliveries
let settlement: Settlement
let relay: TestRelay
let facts: Partial<MailFacts>
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<NotificationDatabase>(openPool(clone.url, logger))
  deliveries = createDeliveries({ database, codeKeys })
  settlement = createSettlement({ database, wakeRelay: () => undefined })
  relay = await startRelay()
  facts = {}
})

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await relay.stop()
  await database.destroy()
  await clone.drop()
})

it('sends one mail to each party and records it; adding them again sends none [F9, I8]', async () => {
  await invite('c1', 3)
  startWorker()
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(3), WAIT)
  expect(relay.mails.map((mail) => mail.to).sort()).toEqual([
    ['party-0@c1.example'],
    ['party-1@c1.example'],
    ['party-2@c1.example'],
  ])
  await invite('c1', 3)
  await invite('c2', 1)
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(4), WAIT)
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted', 'accepted', 'accepted']), WAIT)
})

it('holds the mails of a suspended account but its codes, gives none of them up, and sends them when it is resumed [D37]', async () => {
  await note('account.suspended', 2)
  await invite('c1', 2)
  await sql`update delivery set lapses_at = clock_timestamp() - interval '1 hour'`.execute(database)
  await pushCode('c1', 0)
  startWorker()
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  expect(await deliveries.claimLapsed(10)).toEqual([])
  expect(await deliveries.claim(10, 'all')).toEqual([])
  await note('account.resumed', 3)
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(3), WAIT)
})

it('looks no further than what may be sent, however much a suspended account has waiting; an old word of it holds nothing [D37]', async () => {
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

it('finds a delivery without being woken', async () => {
  startWorker()
  await invite('c1', 1)
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
})

it('loses nothing while the relay is down, knocks once at a time, and sends everything when it is back [D32, F6]', async () => {
  const { port } = relay
  await relay.stop()
  await invite('c1', 8)
  await pushCode('c1', 0)
  const knocks = countKnocks()
  startWorker({ mailer: knocks.mailer })
  await vi.waitFor(() => expect(knocks.atOnceLater.length).toBeGreaterThan(3), WAIT)
  expect(Math.max(...knocks.atOnceLater)).toBe(1)
  expect(await states()).toEqual(Array.from({ length: 9 }, () => 'due'))
  relay = await startRelay(port)
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(9), WAIT)
  await vi.waitFor(async () => expect(await states()).toEqual(Array.from({ length: 9 }, () => 'accepted')), WAIT)
})

it('tries again after a 4yz, with the same Message-ID [D24, F7]', async () => {
  relay.answerWith(() => (relay.mails.length < 2 ? 451 : 'ok'))
  await invite('c1', 1)
  startWorker()
  await vi.waitFor(() => expect(relay.mails.map((mail) => mail.answer)).toEqual([451, 451, 'ok']), WAIT)
  expect(new Set(relay.mails.map((mail) => mail.parsed.messageId))).toEqual(
    new Set(['<invitation.c1.0.1@mail.paraph.example>']),
  )
})

it('tries a mail again much later when the relay has its text and does not answer: it may be on its way [F7, I8]', async () => {
  const cutting = await startTroubledRelay('data reset')
  stops.push(cutting.stop)
  await invite('c1', 1)
  startWorker({ mailer: openMailer(cutting.port) })
  const { rows } = await vi.waitFor(async () => {
    const found = await sql<{ outcome: string; minutes: number }>`
      select outcome, extract(epoch from due_at - clock_timestamp())::float8 / 60 as minutes from delivery
       where claim is null and attempts = 1`.execute(database)
    expect(found.rows).toHaveLength(1)
    return found
  }, WAIT)
  expect(rows[0]!.outcome).toBe('no answer to the text: ESOCKET')
  expect(rows[0]!.minutes).toBeGreaterThan(10)
})

it('looks at an empty queue no more often where its rate is low [F6]', async () => {
  let looks = 0
  const counted = {
    ...deliveries,
    claim: (...asked: Parameters<Deliveries['claim']>) => ((looks += 1), deliveries.claim(...asked)),
  }
  const startedAtMs = performance.now()
  startWorker({ perSecond: 5, queue: counted })
  await vi.waitFor(() => expect(looks).toBeGreaterThan(7), WAIT)
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_200)
})

it('tries a code while another mail hangs in the probe of a relay that is away [D42, F6]', async () => {
  const hung = await startTroubledRelay('reset')
  stops.push(hung.stop)
  await invite('c1', 3)
  startWorker({ mailer: openMailer(hung.port), connections: 1 })
  await vi.waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(2), WAIT)
  hung.behave('hang')
  const before = hung.knocksAtMs.length
  await vi.waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(before), WAIT)
  await pushCode('c1', 0)
  // Long before the first one's fifteen seconds are over.
  await vi.waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(before + 1), { timeout: 10_000, interval: 10 })
})

it('ends a mail that the relay refuses for good, says so without the relay’s words, and sends the others [F7]', async () => {
  relay.answerWith((mail) => (mail.to?.[0]?.address === 'party-0@c1.example' ? 550 : 'ok'))
  await invite('c1', 2)
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'failed']), WAIT)
  const rows = await database.selectFrom('delivery').selectAll().execute()
  expect(rows.map((row) => row.outcome).sort()).toEqual(['smtp 550', null].sort())
  expect(JSON.stringify(rows)).not.toContain('example.com')
  expect(relay.mails).toHaveLength(2)
})

it('sends the mail of a worker that died with its claim, once the claim ends, and never twice at once [F8, F16]', async () => {
  await invite('c1', 1)
  const [dead] = await deliveries.claim(1, 'all')
  expect(dead).toBeDefined()
  expect(await deliveries.claim(1, 'all')).toEqual([])
  await endClaims()
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  // What the dead one would still write has no effect.
  await settlement.settle(dead!, { state: 'failed', reason: 'refused', why: 'late' })
  expect(await states()).toEqual(['accepted'])
  expect(relay.mails).toHaveLength(1)
})

it('sends at most one copy more, under the same Message-ID, when it dies between the relay’s yes and its own commit [D24, F8]', async () => {
  await invite('c1', 1)
  const death = Promise.withResolvers<void>()
  // Its record never reaches the database.
  const dying = startWorker({ endings: { settle: () => death.promise } })
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  expect(await states()).toEqual(['due'])
  const stopped = dying.stop()
  await endClaims()
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  expect(relay.mails.map((mail) => mail.parsed.messageId)).toEqual([
    '<invitation.c1.0.1@mail.paraph.example>',
    '<invitation.c1.0.1@mail.paraph.example>',
  ])
  death.resolve()
  await stopped
})

it('gives a claim that ends within a minute of a kill [F8]', async () => {
  await invite('c1', 1)
  await deliveries.claim(1, 'all')
  const { rows } = await sql<{
    seconds: number
  }>`select extract(epoch from claimed_until - clock_timestamp())::float8 as seconds from delivery`.execute(database)
  expect(rows[0]?.seconds).toBeLessThan(60)
})

it('shares the rows of one table between workers without a second copy', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, index) => invite(`c${index}`, 4)))
  startWorker()
  startWorker()
  await vi.waitFor(async () => expect((await states()).filter((state) => state === 'accepted')).toHaveLength(40), WAIT)
  expect(relay.mails).toHaveLength(40)
})

it('sends a code before the invitations that have waited longer [D42]', async () => {
  await invite('c1', 20)
  await pushCode('c1', 0)
  startWorker({ connections: 1 })
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(21), WAIT)
  expect(relay.mails.slice(0, 2).map((mail) => mail.parsed.subject)).toContain(
    'Your one-time code / Votre code à usage unique',
  )
})

it('sends a code next while 1,000 invitations wait for a slow relay [D42]', async () => {
  await relay.stop()
  relay = await startRelay(0, { answerMs: 200 })
  await Promise.all(Array.from({ length: 20 }, (_, index) => invite(`c${index}`, 50)))
  const worker = startWorker({ connections: 4 })
  await vi.waitFor(() => expect(relay.mails.length).toBeGreaterThan(8), WAIT)
  const before = relay.mails.length
  await pushCode('c1', 0)
  worker.wake()
  const place = () => relay.mails.findIndex((mail) => mail.parsed.subject?.startsWith('Your one-time code'))
  await vi.waitFor(() => expect(place()).toBeGreaterThan(-1), WAIT)
  // Those that were under way, at most once more each, may end before it.
  expect(place() - before).toBeLessThanOrEqual(8)
})

it('sends a code at once while the rate holds invitations back, and those at the rate [D42, F6]', async () => {
  await invite('c1', 30)
  const worker = startWorker({ perSecond: 2 })
  await vi.waitFor(() => expect(relay.mails.length).toBeGreaterThan(0), WAIT)
  await pushCode('c1', 0)
  worker.wake()
  const place = () => relay.mails.findIndex((mail) => mail.parsed.subject?.startsWith('Your one-time code'))
  await vi.waitFor(() => expect(place()).toBeGreaterThan(-1), WAIT)
  expect(place()).toBeLessThanOrEqual(2)
  const startedAtMs = performance.now()
  const then = relay.mails.length
  await vi.waitFor(() => expect(relay.mails.length).toBeGreaterThanOrEqual(then + 4), WAIT)
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_000)
})

it('hands no code over after its life when the relay hangs, and tells that it did not arrive [D42, F6]', async () => {
  await invite('c2', 1)
  await sql`update delivery set due_at = clock_timestamp() + interval '1 hour'`.execute(database)
  await pushCode('c2', 0, { lapsesInSeconds: 1 })
  const hung = await startTroubledRelay('hang')
  stops.push(hung.stop)
  startWorker({ mailer: openMailer(hung.port) })
  await vi.waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(0), WAIT)
  await vi.waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
  hung.behave('ok')
  await vi.waitFor(async () => expect(await states()).toEqual(['due', 'lapsed']), WAIT)
  expect(hung.accepted()).toBe(0)
  const { rows } = await sql<{ type: string; data: unknown }>`select type, data from outbox`.execute(database)
  expect(rows).toMatchObject([{ type: 'email.failed', data: { kind: 'code', reason: 'lapsed', contractId: 'c2' } }])
})

it('keeps a place free for codes while every other connection hangs [D42]', async () => {
  relay.answerWith((mail) => (mail.subject?.startsWith('Contract to sign') ? 'hang' : 'ok'))
  await invite('c1', 5)
  const worker = startWorker({ connections: 2 })
  await vi.waitFor(() => expect(relay.mails).toHaveLength(2), WAIT)
  await pushCode('c1', 0)
  worker.wake()
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), { timeout: 5_000, interval: 10 })
  // Lets the hanging ones go: a stop would wait for them.
  await relay.stop()
  relay = await startRelay(relay.port)
})

it('takes a pushed code once, keeps it only encrypted, and wipes it when sent [D42]', async () => {
  await pushCode('c1', 0, { requestId: 'push-0001' })
  await pushCode('c1', 0, { requestId: 'push-0001', code: '000000' })
  await pushCode('c1', 0, { requestId: 'push-0002', code: '222222' })
  const { rows } = await sql<{ all: string }>`select row_to_json(delivery)::text as all from delivery`.execute(database)
  expect(rows).toHaveLength(2)
  expect(rows.map((row) => row.all).join()).not.toMatch(/482913|222222|313131/)
  startWorker()
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(2), WAIT)
  expect(relay.mails.map((mail) => [mail.parsed.messageId, /^\d+/.exec(mail.parsed.text ?? '')?.[0]]).sort()).toEqual([
    ['<code.c1.0.1@mail.paraph.example>', '482913'],
    ['<code.c1.0.2@mail.paraph.example>', '222222'],
  ])
  await vi.waitFor(async () => expect(await sealedCodes()).toBe(0), WAIT)
})

it('never sends a code that has lapsed, and wipes it [D42, F6]', async () => {
  await pushCode('c1', 0, { lapsesInSeconds: 0.05 })
  await vi.waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual(['lapsed']), WAIT)
  expect(await sealedCodes()).toBe(0)
  expect(relay.mails).toEqual([])
})

it.each([
  ['late', async () => vi.waitFor(async () => expect(await lapsed()).toBe(true), WAIT).then(() => mailFacts())],
  ['never', () => new Promise<MailFacts>(() => undefined)],
])('sends no code whose facts come %s, and gives its claim back in time [D42, F7]', async (_, readFacts) => {
  await pushCode('c1', 0, { lapsesInSeconds: 3 })
  startWorker({ readFacts })
  const row = () => database.selectFrom('delivery').select(['state', 'claim', 'outcome']).executeTakeFirst()
  const released = { state: 'due', claim: null, outcome: 'facts not readable' }
  await vi.waitFor(async () => expect(await row()).toEqual(released), WAIT)
  expect(relay.mails).toEqual([])
})

it('sends a code until its last second [D42]', async () => {
  await pushCode('c1', 0, { lapsesInSeconds: 19.99 })
  startWorker()
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
})

it('sends no invitation to a contract that ended meanwhile, and no outcome to who had not signed [D24, D49]', async () => {
  await invite('c1', 2)
  await database.transaction().execute((trx) => addOutcomes(trx, 'c1', 'cancelled'))
  facts = { status: 'cancelled' }
  startWorker()
  await vi.waitFor(async () => expect(await states()).toEqual(['skipped', 'skipped', 'skipped', 'skipped']), WAIT)
  expect(relay.mails).toEqual([])
})

it('waits while the contract service cannot be asked [D49]', async () => {
  let asked = 0
  await invite('c1', 1)
  startWorker({
    readFacts: async () => {
      asked += 1
      if (asked < 3) throw new Error('unavailable')
      return mailFacts()
    },
  })
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted']), WAIT)
  expect(asked).toBe(3)
})

it('holds a mail back while a fact of it breaks the rules, sends the others, and sends it when the fact is right [D14, D49]', async () => {
  let senderName = 'Nordic\r\nBcc: all@example.test'
  await invite('c1', 1)
  await invite('c2', 1)
  startWorker({
    readFacts: async (contractId) => mailFacts(contractId === 'c1' ? { senderName } : {}),
  })
  const held = { state: 'due', claim: null, outcome: 'fact breaks the rules: senderName' }
  const row = () =>
    database
      .selectFrom('delivery')
      .select(['state', 'claim', 'outcome'])
      .where('contract_id', '=', 'c1')
      .executeTakeFirst()
  await vi.waitFor(async () => expect(await row()).toEqual(held), WAIT)
  await vi.waitFor(() => expect(relay.accepted()).toHaveLength(1), WAIT)
  senderName = 'Nordic'
  await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted']), WAIT)
  expect(relay.mails.map((mail) => mail.parsed.from?.name).sort()).toEqual([
    'Nordic Foods procurement via Paraph',
    'Nordic via Paraph',
  ])
})

describe('a mail to an owner', () => {
  it('of every kind is taken once, kept only encrypted, sent once, and leaves nothing of what it said [D24, D42]', async () => {
    const letters = OWNER_LETTER_NAMES.map((name) => newLetter(name))
    for (const letter of letters) await deliveries.addOwnerLetter(letter)
    for (const letter of letters) await deliveries.addOwnerLetter({ ...letter, to: 'somebody.else@example.test' })
    expect(await everyRow()).not.toMatch(/nordic|example\.test|482913|9fQ2|Order system/i)
    startWorker()
    await vi.waitFor(async () => expect(await states()).toEqual(letters.map(() => 'accepted')), WAIT)
    const ids = letters.map(({ kind, id }) => `<${kind.replace('_', '-')}.${id}@mail.paraph.example>`)
    expect(relay.mails.map(({ parsed }) => parsed.messageId).sort()).toEqual(ids.sort())
    expect(new Set(relay.mails.flatMap(({ to }) => to))).toEqual(new Set([letters[0]!.to]))
    expect(await sealedCodes()).toBe(0)
    expect(await everyRow()).not.toMatch(/nordic|482913|9fQ2|Order system/i)
    expect(await outbox()).toEqual([])
  })

  it('is tried again after a 4yz, with the same Message-ID [D24, F7]', async () => {
    relay.answerWith(() => (relay.mails.length < 2 ? 451 : 'ok'))
    const { id } = await addLetter('keyCreated')
    startWorker()
    await vi.waitFor(() => expect(relay.mails.map((mail) => mail.answer)).toEqual([451, 451, 'ok']), WAIT)
    expect(new Set(relay.mails.map(({ parsed }) => parsed.messageId))).toEqual(
      new Set([`<key-created.${id}@mail.paraph.example>`]),
    )
  })

  it('is lost by no relay that is away, and sent when it is back [D32, F6]', async () => {
    const { port } = relay
    await relay.stop()
    await addLetter('refused')
    await addLetter('signIn')
    startWorker()
    await vi.waitFor(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from delivery where attempts > 1`.execute(
        database,
      )
      expect(rows[0]!.n).toBe(2)
    }, WAIT)
    relay = await startRelay(port)
    await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'accepted']), WAIT)
    expect(relay.mails).toHaveLength(2)
  })

  it('ends where the relay refuses it for good, without an address or a word of it in the row, and tells nobody [D24, F7]', async () => {
    relay.answerWith(() => 550)
    await addLetter('invited')
    startWorker()
    await vi.waitFor(async () => expect(await states()).toEqual(['failed']), WAIT)
    expect(await everyRow()).toContain('"outcome":"smtp 550"')
    expect(await everyRow()).not.toMatch(/nordic|example/i)
    expect([await sealedCodes(), await outbox()]).toEqual([0, []])
  })

  it('is given up after 48 hours, wiped, and told nobody [D24, D49]', async () => {
    await addLetter('approved')
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from lapses_at - created_at)::float8 / 3600 as hours from delivery`.execute(database)
    expect(rows[0]!.hours).toBeCloseTo(48, 2)
    await sql`update delivery set lapses_at = clock_timestamp() - interval '1 second'`.execute(database)
    startWorker()
    await vi.waitFor(async () => expect(await states()).toEqual(['failed']), WAIT)
    expect([await sealedCodes(), await outbox(), relay.mails]).toEqual([0, [], []])
  })

  it('goes out while the account is suspended: who owns it is still told [D24, D37]', async () => {
    await note('account.suspended', 2)
    await invite('c1', 1)
    await addLetter('keyRevoked')
    startWorker()
    await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'due']), WAIT)
    expect(relay.mails.map(({ parsed }) => parsed.subject)).toEqual(['A key was revoked / Une clé a été révoquée'])
  })

  it('is held back while a fact of it breaks the rules, which is named without its value, and holds up no other [D14, D49]', async () => {
    const { id } = await addLetter('approved', { facts: { accountName: 'Nordic\r\nBcc: all@example.test' } })
    await addLetter('approved')
    startWorker()
    const held = { state: 'due', claim: null, outcome: 'fact breaks the rules: facts.accountName' }
    const row = () =>
      database
        .selectFrom('delivery')
        .select(['state', 'claim', 'outcome'])
        .where('request_id', '=', id)
        .executeTakeFirst()
    await vi.waitFor(async () => expect(await row()).toEqual(held), WAIT)
    await vi.waitFor(async () => expect(await states()).toEqual(['accepted', 'due']), WAIT)
    expect(relay.mails).toHaveLength(1)
  })
})

describe('a code to an owner', () => {
  it('is sent before the invitations and the owners’ mails that have waited longer [D24, D42]', async () => {
    await invite('c1', 20)
    for (let n = 0; n < 5; n += 1) await addLetter('keyCreated')
    await addLetter('signIn')
    startWorker({ connections: 1 })
    await vi.waitFor(() => expect(relay.accepted()).toHaveLength(26), WAIT)
    const subjects = relay.mails.slice(0, 2).map(({ parsed }) => parsed.subject)
    expect(subjects).toContain('Your one-time code / Votre code à usage unique')
  })

  it('is never sent after its life, and wiped [D24, D42, F6]', async () => {
    await addLetter('signIn', { lapsesInSeconds: 0.05 })
    await addLetter('replyAddress', { lapsesInSeconds: 0.05 })
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from delivery where lapses_at <= clock_timestamp()`.execute(database)
      expect(rows).toHaveLength(2)
    }, WAIT)
    startWorker()
    await vi.waitFor(async () => expect(await states()).toEqual(['lapsed', 'lapsed']), WAIT)
    expect([await sealedCodes(), await outbox(), relay.mails]).toEqual([0, [], []])
  })

  it('is handed over to no relay that hangs until its life is over [D24, D42, F6]', async () => {
    await addLetter('signIn', { lapsesInSeconds: 1 })
    const hung = await startTroubledRelay('hang')
    stops.push(hung.stop)
    startWorker({ mailer: openMailer(hung.port) })
    await vi.waitFor(() => expect(hung.knocksAtMs.length).toBeGreaterThan(0), WAIT)
    await vi.waitFor(async () => expect(await lapsed()).toBe(true), WAIT)
    hung.behave('ok')
    await vi.waitFor(async () => expect(await states()).toEqual(['lapsed']), WAIT)
    expect([hung.accepted(), await sealedCodes(), await outbox()]).toEqual([0, 0, []])
  })

  it('lives no longer for having waited for a connection to be stored [D42]', async () => {
    const narrow = createDatabase<NotificationDatabase>(openPool(clone.url, logger, { max: 1 }))
    stops.push(() => narrow.destroy())
    const busy = sql`select pg_sleep(0.5)`.execute(narrow)
    await createDeliveries({ database: narrow, codeKeys }).addOwnerLetter(newLetter('signIn', { lapsesInSeconds: 100 }))
    await busy
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from lapses_at - created_at)::float8 as seconds from delivery`.execute(database)
    expect(rows[0]!.seconds).toBeLessThan(99.6)
  })
})

function startWorker({
  endings = settlement,
  queue = deliveries,
  perSecond = 1_000,
  connections = 4,
  mailer = openMailer(),
  readFacts = async (contractId: string, partyIndex: number) =>
    mailFacts({
      ...facts,
      party: {
        role: 'Buyer',
        legalName: `Party ${partyIndex}`,
        email: `party-${partyIndex}@${contractId}.example`,
        hasSigned: false,
      },
    }),
}: {
  endings?: Settlement
  queue?: Deliveries
  perSecond?: number
  connections?: number
  mailer?: Pick<Mailer, 'send'>
  readFacts?: (contractId: string, partyIndex: number) => Promise<MailFacts | null>
} = {}) {
  const worker = createDeliveryWorker({
    deliveries: queue,
    settlement: endings,
    circuit: createRelayCircuit({ database, pace: { firstMs: 20, codesMaxMs: 300, othersMaxMs: 1_000 } }),
    rate: createSendRate(perSecond, performance.now()),
    mailer,
    compose: createComposer({ readFacts, readCopy: () => Promise.resolve(null), codeKeys, ...MAIL_SETTINGS }),
    connections,
    logger,
    retryFirstMs: 20,
  })
  stops.push(() => worker.stop())
  worker.start()
  return worker
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
 * The real mailer, that tells how many invitations are under way at once after the burst there is before the relay is found to be
 * away. A code may be tried beside them and is not counted.
 */
function countKnocks() {
  const real = openMailer()
  const underWay = new Set<string>()
  let isBurst = true
  /** With each invitation after the burst: how many are under way. */
  const atOnceLater: number[] = []
  return {
    atOnceLater,
    mailer: {
      async send(...sent: Parameters<Mailer['send']>) {
        const [{ messageId }] = sent
        if (!messageId.startsWith('invitation.')) return real.send(...sent)
        underWay.add(messageId)
        if (!isBurst) atOnceLater.push(underWay.size)
        return real.send(...sent).finally(() => {
          underWay.delete(messageId)
          isBurst &&= underWay.size > 0
        })
      },
    },
  }
}

const note = (type: 'account.suspended' | 'account.resumed', sequence: number) =>
  database.transaction().execute(async (trx) => {
    const time = '2026-11-20T14:00:00.000Z'
    const data = { accountId: 'a1', at: time }
    await noteAccountHold(trx, { id: `${sequence}`, subject: 'a1', type, data, sequence: String(sequence), time })
    await (type === 'account.resumed' ? releaseHeld : holdBack)(trx, 'a1')
  })

async function invite(contractId: string, partyCount: number): Promise<void> {
  await database
    .transaction()
    .execute((trx) => addInvitations(trx, { contractId, accountId: 'a1', environment: 'production', partyCount }))
}

let pushes = 0
async function pushCode(
  contractId: string,
  partyIndex: number,
  { requestId = `push-${(pushes += 1)}-of-test`, code = '482913', lapsesInSeconds = 600 } = {},
): Promise<void> {
  await deliveries.addCode({ requestId, contractId, partyIndex, code, lapsesInSeconds })
}

/** A letter under an id of its own. */
const newLetter = (name: OwnerLetterName, overrides: object = {}): OwnerLetter =>
  ({ ...ownerLetter(name), id: randomUUID(), ...overrides }) as OwnerLetter

async function addLetter(name: OwnerLetterName, overrides: object = {}): Promise<OwnerLetter> {
  const letter = newLetter(name, overrides)
  await deliveries.addOwnerLetter(letter)
  return letter
}

/** All that stands in the table; what is sealed as the text that it would be in clear. */
async function everyRow(): Promise<string> {
  const { rows } = await sql<{ all: string }>`
    select row_to_json(delivery)::text || coalesce(encode(sealed, 'escape'), '') as all from delivery`.execute(database)
  return rows.map((row) => row.all).join()
}

async function outbox(): Promise<unknown[]> {
  return (await sql`select type from outbox`.execute(database)).rows
}

async function states(): Promise<string[]> {
  const rows = await database.selectFrom('delivery').select('state').orderBy('state').execute()
  return rows.map((row) => row.state)
}

async function lapsed(): Promise<boolean> {
  const { rows } = await sql`select 1 from delivery where lapses_at <= clock_timestamp()`.execute(database)
  return rows.length > 0
}

async function sealedCodes(): Promise<number> {
  const rows = await database.selectFrom('delivery').select('id').where('sealed', 'is not', null).execute()
  return rows.length
}

/** As if the claim's time had passed. */
async function endClaims(): Promise<void> {
  await sql`update delivery set claimed_until = clock_timestamp() - interval '1 second'`.execute(database)
}
