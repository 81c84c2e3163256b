// What a worker knows about its mails while the database is unavailable. [D24, F3, I8]
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { openLine } from '@paraph/database/test/database-line-fixture'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { FROM_ADDRESS, MAIL_SETTINGS, sampleMailData, NO_TEST_MAILBOX } from '../../test/mail-fixture.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { createComposer } from '../compose/compose-delivery.js'
import { createMailer } from '../smtp/mailer.js'
import { createSmtpCircuit } from '../smtp/circuit.js'
import { readSmtpUrl } from '../smtp/smtp-url.js'
import { addInvitations } from './add-delivery.js'
import { createDeliveryClaims, UNRECORDED } from './claim-delivery.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createFinishDelivery } from './finish-delivery.js'
import { createMailboxLimit } from './mailbox-limit.js'
import { createOutcomeRecorder } from './record-outcome.js'
import { createSendRate } from './token-bucket.js'

const WAIT = { timeout: 20_000, interval: 10 }
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

describe('a worker that loses its database after the SMTP server accepted a mail', () => {
  let clone: TestDatabase
  let database: Kysely<unknown>
  let line: Awaited<ReturnType<typeof openLine>>
  let smtpServer: TestSmtpServer
  const stops: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    clone = await cloneTestDatabase('notification')
    database = createDatabase<unknown>(openPool(clone.url, logger))
    line = await openLine(clone.url)
    smtpServer = await startSmtpServer()
  })

  afterEach(async () => {
    jest.restoreAllMocks()
    line.restore()
    for (const stop of stops.splice(0)) await stop()
    await smtpServer.stop()
    line.close()
    await database.destroy()
    await clone.drop()
  })

  it('keeps the outcome through an outage of any length, and records it before it claims another mail [F3, I8]', async () => {
    await invite('first')
    smtpServer.answerWith(() => (line.cut(), 'ok'))
    const { steps, failures, trigger } = startWorker(line.url)
    await waitFor(() => expect(failures()).toBeGreaterThan(2), WAIT)
    const hour = performance.now() + 3_600_000
    jest.spyOn(performance, 'now').mockReturnValue(hour)
    const before = failures()
    await waitFor(() => expect(failures()).toBeGreaterThan(before + 2), WAIT)
    jest.restoreAllMocks()
    smtpServer.answerWith(() => 'ok')
    await invite('second')
    await expireClaims()
    line.restore()
    // A round of the worker, before its next try to write the outcome.
    trigger()
    await waitFor(async () => expect(await states()).toEqual(['first accepted', 'second accepted']), WAIT)
    expect(sent()).toEqual(['first', 'second'])
    // The worker hears of its last statement after the database shows its effect.
    await waitFor(() => expect(steps).toEqual(['claimed first', 'recorded first', 'claimed second', 'recorded second']))
  })

  it('records it although another worker reconnects earlier and finds the claim expired [F3, I8]', async () => {
    await invite('first')
    smtpServer.answerWith(() => (line.cut(), 'ok'))
    const cut = startWorker(line.url)
    await waitFor(() => expect(cut.failures()).toBeGreaterThan(0), WAIT)
    await expireClaims()
    const early = startWorker(clone.url)
    await waitFor(async () => expect(await outcomes()).toEqual([UNRECORDED]), WAIT)
    const polls = early.polls()
    await waitFor(() => expect(early.polls()).toBeGreaterThan(polls + 2), WAIT)
    line.restore()
    await waitFor(async () => expect(await states()).toEqual(['first accepted']), WAIT)
    expect(sent()).toEqual(['first'])
    expect(early.steps).toEqual([])
  })

  it('records it although the mail, such as a code, has expired meanwhile [D42, F3]', async () => {
    await invite('first')
    smtpServer.answerWith(() => (line.cut(), 'ok'))
    const cut = startWorker(line.url)
    await waitFor(() => expect(cut.failures()).toBeGreaterThan(0), WAIT)
    await expireClaims()
    await sql`update delivery set lapses_at = clock_timestamp() - interval '1 second'`.execute(database)
    startWorker(clone.url)
    await waitFor(async () => expect(await outcomes()).toEqual([UNRECORDED]), WAIT)
    line.restore()
    await waitFor(async () => expect(await states()).toEqual(['first accepted']), WAIT)
  })

  it('leaves the mail to another worker when it dies: that one sends it after the grace of the claim, and not before [F8]', async () => {
    await invite('first')
    const claims = createDeliveryClaims({ database })
    const [dead] = await claims.claim(1, 'all')
    await expireClaims()
    expect(await claims.claim(1, 'all')).toEqual([])
    const { rows } = await sql`select claim, attempts, outcome from delivery`.execute(database)
    expect(rows).toEqual([{ claim: dead!.claim, attempts: 1, outcome: UNRECORDED }])
    expect(await claims.claim(1, 'all')).toEqual([])
    await expireClaims()
    const [taken] = await claims.claim(1, 'all')
    expect(taken).toMatchObject({ id: dead!.id, attempts: 2, lastReason: null })
    expect(taken!.claim).not.toBe(dead!.claim)
  })

  function startWorker(url: string) {
    const own = createDatabase<unknown>(openPool(url, logger))
    const claims = createDeliveryClaims({ database: own })
    const finish = createFinishDelivery({ database: own, notifyRelay: () => undefined })
    const mailer = createMailer({
      smtp: readSmtpUrl(`smtp://127.0.0.1:${smtpServer.port}`),
      fromAddress: FROM_ADDRESS,
      domain: MAIL_SETTINGS.mailDomain,
      connections: 3,
    })
    const steps: string[] = []
    let [polls, failures] = [0, 0]
    const worker = createDeliveryWorker({
      testMailbox: NO_TEST_MAILBOX,
      claims: {
        ...claims,
        async claim(...asked) {
          const claimed = await claims.claim(...asked)
          polls += 1
          steps.push(...claimed.map(({ contractId }) => `claimed ${contractId}`))
          return claimed
        },
      },
      async finishDelivery(delivery, ending) {
        await finish(delivery, ending).catch((error: unknown) => {
          failures += 1
          throw error
        })
        steps.push(`recorded ${delivery.contractId}`)
      },
      circuit: createSmtpCircuit({ database: own }),
      mailboxLimit: createMailboxLimit({ database: own, keys: codeKeys }),
      rate: createSendRate(1_000, performance.now()),
      mailer,
      compose: createComposer({
        readBrand: () => Promise.resolve(undefined),
        readMailData: (contractId) => Promise.resolve(mailDataOf(contractId)),
        readCopy: () => Promise.resolve(null),
        openSealed: () => '',
        ...MAIL_SETTINGS,
      }),
      connections: 2,
      logger,
    })
    worker.start()
    stops.push(async () => {
      await worker.stop()
      mailer.close()
      await own.destroy()
    })
    return { steps, trigger: worker.trigger, polls: () => polls, failures: () => failures }
  }

  const mailDataOf = (contractId: string) =>
    sampleMailData({
      party: {
        role: 'Buyer',
        legalName: 'Jane',
        email: `jane@${contractId}.example`,
        hasSigned: false,
        hasDeclined: false,
      },
    })

  const invite = (contractId: string) =>
    database
      .transaction()
      .execute((trx) =>
        addInvitations(trx, {
          contractId,
          accountId: 'a1',
          environment: 'production',
          expiresAt: '2099-01-01T00:00:00.000Z',
          partyCount: 1,
        }),
      )

  const sent = () => smtpServer.accepted().map((mail) => /^jane@(\w+)\./.exec(mail.to[0]!)?.[1])

  /** Ends the claims, as if the outage had lasted. */
  const expireClaims = () =>
    sql`update delivery set claimed_until = clock_timestamp() - interval '1 second' where claim is not null`.execute(
      database,
    )

  async function outcomes() {
    const { rows } = await sql<{ outcome: string | null }>`select outcome from delivery`.execute(database)
    return rows.map(({ outcome }) => outcome)
  }

  async function states() {
    const { rows } = await sql<{ text: string }>`
      select contract_id || ' ' || state as text from delivery order by contract_id`.execute(database)
    return rows.map(({ text }) => text)
  }
})

describe('an outcome that cannot be written', () => {
  const OUTAGE = new Error('Connection terminated unexpectedly')
  const DELIVERY = { id: 7 }

  function createRecorder() {
    const cancel = new AbortController()
    const lines: unknown[][] = []
    const write = (...line: unknown[]) => void lines.push(line)
    const recorder = createOutcomeRecorder({ logger: { info: write, warn: write }, cancelled: cancel.signal })
    return { ...recorder, cancel, lines }
  }

  it('is given up when a stop cancels the worker, so that no stop waits for a database that is away [H13]', async () => {
    const { record, assertRecorded, cancel } = createRecorder()
    let tries = 0
    const recorded = record(DELIVERY, () => ((tries += 1), Promise.reject(OUTAGE)))
    recorded.catch(() => undefined)
    await waitFor(() => expect(tries).toBeGreaterThan(2), WAIT)
    expect(assertRecorded).toThrow(OUTAGE)
    const clock = performance.now() + 2_001
    jest.spyOn(performance, 'now').mockReturnValue(clock)
    cancel.abort()
    await expect(recorded).rejects.toBe(OUTAGE)
    jest.restoreAllMocks()
    expect(assertRecorded).not.toThrow()
  })

  it('stops no claims if the database rejects the statement, and is given up after 8 s', async () => {
    const { record, assertRecorded } = createRecorder()
    const rejected = Object.assign(new Error('check'), { code: '23514', severity: 'ERROR' })
    let tries = 0
    const recorded = record(DELIVERY, () => ((tries += 1), Promise.reject(rejected)))
    recorded.catch(() => undefined)
    await waitFor(() => expect(tries).toBe(1), WAIT)
    expect(assertRecorded).not.toThrow()
    const clock = performance.now() + 8_001
    jest.spyOn(performance, 'now').mockReturnValue(clock)
    await expect(recorded).rejects.toBe(rejected)
    jest.restoreAllMocks()
  })

  it('is logged once when it fails and once when it is written', async () => {
    const { record, lines } = createRecorder()
    let tries = 0
    await record(DELIVERY, () => ((tries += 1) < 4 ? Promise.reject(OUTAGE) : Promise.resolve()))
    expect(lines).toEqual([
      [{ err: OUTAGE, deliveryId: 7 }, expect.stringContaining('not recorded')],
      [{ deliveryId: 7, tries: 4 }, expect.stringContaining('recorded')],
    ])
  })
})
