import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { addInvitations, createDeliveryIntake, openSealed } from '../queue/add-delivery.js'
import { createDeliveryClaims } from '../queue/claim-delivery.js'
import { createComposer } from '../compose/compose-delivery.js'
import { createMailboxLimit } from '../queue/mailbox-limit.js'
import { createDeliveryWorker } from '../queue/delivery-worker.js'
import { FROM_ADDRESS, MAIL_SETTINGS, sampleMailData, NO_TEST_MAILBOX } from '../../test/mail-fixture.js'
import { createMailer } from './mailer.js'
import { createSmtpCircuit, type ProbePace } from './circuit.js'
import { createSendRate } from '../queue/token-bucket.js'
import { createFinishDelivery } from '../queue/finish-delivery.js'
import { readSmtpUrl } from './smtp-url.js'
import { startFailingSmtpServer, type Trouble } from '../../test/troubled-relay-fixture.js'

const WAIT = { timeout: 30_000, interval: 10 }
const PACE: ProbePace = { firstMs: 20, codesMaxMs: 100, othersMaxMs: 300 }
const WORKERS = 3
const logger = createLogger('test', 'silent')
const codeKeys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

let clone: TestDatabase
let database: Kysely<unknown>
const stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
})

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await database.destroy()
  await clone.drop()
})

it.each<Trouble>(['hang', '421', '554', 'sender refused'])(
  `${WORKERS} workers probe an unavailable SMTP server (%s) at the probe interval, and send all mails afterwards [F6]`,
  async (trouble) => {
    const relay = await openRelay(trouble)
    await queue(20)
    const circuits = Array.from({ length: WORKERS }, () => startWorker(relay.port))
    await waitFor(() => expect(circuits.every(({ isOpen }) => isOpen())).toBe(true), WAIT)
    expect(circuits.some(({ isUnavailable }) => isUnavailable())).toBe(true)
    // After the doubling, each pause is between half of its maximum and the maximum.
    await untilKnocks(relay.knocksAtMs, relay.knocksAtMs.length + 12)
    const from = relay.knocksAtMs.length
    await untilKnocks(relay.knocksAtMs, from + 10)
    const tookMs = relay.knocksAtMs[from + 9]! - relay.knocksAtMs[from]!
    // In t ms, the two lanes probe at most t * perMs + 2 times, because each pause is at least half of its maximum.
    const perMs = 2 / PACE.codesMaxMs + 2 / PACE.othersMaxMs
    expect(tookMs).toBeGreaterThan((9 - 2) / perMs)
    relay.behave('ok')
    await dueNow()
    await waitFor(async () => expect(await waiting()).toBe(0), WAIT)
    expect(relay.accepted()).toBe(40)
    // Idle workers read the closed circuit at their next poll.
    await waitFor(() => expect(circuits.some(({ isUnavailable }) => isUnavailable())).toBe(false), WAIT)
  },
  60_000,
)

it('the next probe does not wait as long as the step of a clock that was set back [F32, F6]', async () => {
  const circuit = createSmtpCircuit({ database, pace: PACE })
  const probeIn = async (ms: number) => {
    await sql`update smtp_circuit set probe_at = clock_timestamp() + make_interval(secs => ${ms / 1_000})`.execute(
      database,
    )
    return circuit.readProbeLane()
  }
  expect(await probeIn(3_600_000)).toBe('others')
  await queue(1)
  const claims = createDeliveryClaims({ database })
  expect(await claims.claim(1, 'all', circuit.probeOf('others'))).toHaveLength(1)
  const longPace = createSmtpCircuit({ database, pace: { ...PACE, codesMaxMs: 60_000, othersMaxMs: 60_000 } })
  await probeIn(30_000)
  expect(await longPace.readProbeLane()).toBeUndefined()
})

it('a worker that starts during an outage begins with one probe, not with a burst [F6]', async () => {
  const relay = await openRelay('421')
  await queue(20)
  const first = startWorker(relay.port)
  await waitFor(() => expect(first.isOpen()).toBe(true), WAIT)
  await stops.pop()!()
  await sql`update smtp_circuit set probe_at = clock_timestamp() + interval '50 minutes'`.execute(database)
  await dueNow()
  const before = relay.knocksAtMs.length
  const next = startWorker(relay.port, { pace: { ...PACE, codesMaxMs: 3_600_000, othersMaxMs: 3_600_000 } })
  await waitFor(() => expect(next.isUnavailable()).toBe(true), WAIT)
  expect(relay.knocksAtMs).toHaveLength(before)
})

it('the circuit opens after three consecutive mails without an answer, not after one [F7]', async () => {
  const circuit = createSmtpCircuit({ database, pace: PACE })
  await circuit.loadState()
  await circuit.record('silent', 0, 'timeout')
  await circuit.record('silent', 0, 'timeout')
  expect(circuit.isOpen()).toBe(false)
  await circuit.record('answered', 0, '')
  await circuit.record('silent', performance.now(), 'timeout')
  await circuit.record('silent', performance.now(), 'timeout')
  expect(circuit.isOpen()).toBe(false)
  expect(await circuit.record('silent', performance.now(), 'timeout')).toBe('opened')
})

it('the circuit stays closed if other connections get answers while one connection is refused [F6]', async () => {
  const circuit = createSmtpCircuit({ database, pace: PACE })
  await circuit.loadState()
  const startedAtMs = performance.now() - 100
  await circuit.record('answered', startedAtMs, '')
  expect(await circuit.record('unavailable', startedAtMs, 'smtp 421')).toBeUndefined()
  expect(circuit.isOpen()).toBe(false)
  expect(circuit.lastFailure()).toMatchObject({ reason: 'smtp 421' })
})

it('the circuit reports no delay when there was no attempt for a while [D32]', async () => {
  let nowMs = 0
  const circuit = createSmtpCircuit({ database, pace: PACE, now: () => nowMs })
  await circuit.loadState()
  await circuit.record('unavailable', 0, 'ECONNECTION')
  expect(circuit.isUnavailable()).toBe(true)
  nowMs = 100_000
  expect(circuit.isUnavailable()).toBe(false)
  expect(circuit.isOpen()).toBe(true)
})

it('the worker stops within seconds while the SMTP server accepts connections and never answers [H13]', async () => {
  const relay = await openRelay('hang')
  await queue(3)
  startWorker(relay.port, { setupMs: 15_000 })
  await untilKnocks(relay.knocksAtMs, 1)
  const startedAtMs = performance.now()
  await stops.pop()!()
  expect(performance.now() - startedAtMs).toBeLessThan(9_000)
  const { rows } = await sql`select 1 from delivery where claim is not null`.execute(database)
  expect(rows).toEqual([])
}, 30_000)

async function openRelay(trouble: Trouble) {
  const relay = await startFailingSmtpServer(trouble)
  stops.push(relay.stop)
  return relay
}

function startWorker(port: number, { setupMs = 100, pace = PACE } = {}) {
  const circuit = createSmtpCircuit({ database, pace })
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${port}`),
    fromAddress: FROM_ADDRESS,
    setupMs,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 5,
  })
  const worker = createDeliveryWorker({
    testMailbox: NO_TEST_MAILBOX,
    claims: createDeliveryClaims({ database }),
    circuit,
    mailer,
    logger,
    finishDelivery: createFinishDelivery({ database, notifyRelay: () => undefined }),
    mailboxLimit: createMailboxLimit({ database, keys: codeKeys }),
    rate: createSendRate(1_000, performance.now()),
    compose: createComposer({
      readBrand: () => Promise.resolve(undefined),
      openSealed: (delivery) => openSealed(codeKeys, delivery),
      ...MAIL_SETTINGS,
      readCopy: () => Promise.resolve(null),
      readMailData: async () => sampleMailData(),
    }),
    connections: 4,
    retryFirstMs: 20,
  })
  stops.push(async () => {
    await worker.stop()
    mailer.close()
  })
  worker.start()
  return circuit
}

/** Queues `count` invitations and as many codes. */
async function queue(count: number): Promise<void> {
  await database
    .transaction()
    .execute((trx) =>
      addInvitations(trx, {
        contractId: 'c1',
        accountId: 'a1',
        environment: 'production',
        expiresAt: '2099-01-01T00:00:00.000Z',
        partyCount: count,
      }),
    )
  for (let push = 0; push < count; push += 1)
    await createDeliveryIntake({ database, codeKeys }).addCode({
      requestId: `push-of-test-${push}`,
      contractId: 'c1',
      partyIndex: push,
      code: '482913',
      lapsesInSeconds: 600,
    })
}

/** Ends the pause of every mail. */
const dueNow = () =>
  sql`update delivery set due_at = clock_timestamp() - interval '1 second' where state = 'due'`.execute(database)

async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from delivery where state = 'due'`.execute(
    database,
  )
  return rows[0]?.n ?? -1
}

/** Waits for `count` connections. Makes all mails due meanwhile, so that only the pauses of the probes delay connections. */
async function untilKnocks(knocks: readonly number[], count: number): Promise<void> {
  await waitFor(async () => {
    await dueNow()
    expect(knocks.length).toBeGreaterThanOrEqual(count)
  }, WAIT)
}
