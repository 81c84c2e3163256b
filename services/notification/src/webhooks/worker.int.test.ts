import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import { createWebhookEndpoints, type WebhookEndpoints } from './endpoints.js'
import { addContractMessages } from './messages.js'
import { createPost } from './post.js'
import { createWebhookWorker } from './worker.js'

const logger = createLogger('test', 'silent')
const keys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
const OWNER = { accountId: 'account-1', environment: 'production' } as const
const WAIT = { timeout: 30_000, interval: 10 }

let clone: TestDatabase
let database: Kysely<unknown>
let endpoints: WebhookEndpoints
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger, { max: 20 }))
  endpoints = createWebhookEndpoints({ database, keys, allowsLoopback: true, triggerWorker: () => undefined })
})
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
  await sql`delete from webhook_endpoint`.execute(database)
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

interface Heard {
  headers: Record<string, string>
  body: string
}

/** A receiver; `answer` decides each answer. */
async function startReceiver(answer: (heard: Heard, response: ServerResponse) => void) {
  const heard: Heard[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const message = { headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() }
      heard.push(message)
      answer(message, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))))
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

const answers = (status: number) => (_: Heard, response: ServerResponse) => void response.writeHead(status).end('noted')

function startWorker(options: Partial<Parameters<typeof createPost>[0]> = {}) {
  const { post, close } = createPost({ allowsLoopback: true, answerMsMax: 5_000, ...options })
  const worker = createWebhookWorker({
    database,
    openKeys: endpoints.openKeys,
    post,
    readContract: () =>
      Promise.resolve({
        contractNumber: 'EXT-20261124-AAAAAAAA',
        status: 'partially_signed',
        parties: [true, false].map((hasSigned) => ({ role: 'Buyer', legalName: 'A', hasSigned })),
      }),
    logger,
  })
  worker.start()
  const stop = async () => {
    await worker.stop()
    await close()
  }
  stops.push(stop)
  return { ...worker, stop }
}

/** Consumes one event of a contract. */
const happens = (contractId: string, type: 'contract.party_signed' | 'contract.completed', id = randomUUID()) =>
  database
    .transaction()
    .execute((trx) =>
      addContractMessages(trx, {
        id,
        type,
        subject: contractId,
        sequence: 2,
        time: '2026-11-24T12:00:00.000Z',
        data: { contractId, ...OWNER, signed: 1, total: 2 },
      } as never),
    )

const messages = async () =>
  (
    await sql<{
      id: string
      state: string
      attempts: number
      status: number | null
      failure: string | null
      isUnderWay: boolean
    }>`
      select id, state, attempts, status, failure, claimed_until is not null as "isUnderWay" from webhook_message order by sequence`.execute(
      database,
    )
  ).rows

/** Lets the pause before every next attempt pass. */
const pass = () => sql`update webhook_message set due_at = clock_timestamp() where state = 'due'`.execute(database)

it('an endpoint gets the message of an event once, and verifies it as Standard Webhooks says [D65]', async () => {
  const { heard, url } = await startReceiver(answers(204))
  const { id, secret } = await endpoints.create(OWNER, url)
  startWorker()
  const eventId = randomUUID()
  for (let time = 0; time < 2; time += 1) await happens('contract-1', 'contract.party_signed', eventId)
  await waitFor(async () => expect(await messages()).toMatchObject([{ state: 'delivered', status: 204 }]), WAIT)
  expect(heard).toHaveLength(1)
  const [{ headers, body }] = heard as [Heard]
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: 'contract.partially_signed',
    timestamp: '2026-11-24T12:00:00.000Z',
    data: {
      id: 'contract-1',
      contractNumber: 'EXT-20261124-AAAAAAAA',
      status: 'partially_signed',
      signingProgress: { signed: 1, total: 2, pending: 1, percentage: 50 },
    },
  })
  const rotated = await endpoints.rotate(OWNER, id)
  await happens('contract-1', 'contract.completed')
  await waitFor(() => expect(heard).toHaveLength(2), WAIT)
  for (const each of [secret, rotated.secret]) new Webhook(each).verify(heard[1]!.body, heard[1]!.headers)
})

it('messages of one contract come in order, also when the first one is refused for a while [D65]', async () => {
  let isUp = false
  const { heard, url } = await startReceiver((message, response) => answers(isUp ? 200 : 503)(message, response))
  await endpoints.create(OWNER, url)
  await happens('contract-1', 'contract.party_signed')
  await happens('contract-1', 'contract.completed')
  startWorker()
  await waitFor(async () => expect((await messages())[0]).toMatchObject({ attempts: 1, isUnderWay: false }), WAIT)
  expect((await messages())[1]).toMatchObject({ attempts: 0 })
  isUp = true
  await pass()
  await waitFor(
    async () => expect((await messages()).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
    WAIT,
  )
  const types = heard.map(({ body }) => (JSON.parse(body) as { type: string }).type)
  expect(types).toEqual(['contract.partially_signed', 'contract.partially_signed', 'contract.signed'])
  // Every attempt has the same name and the same body.
  expect(heard[0]).toMatchObject({ body: heard[1]!.body, headers: { 'webhook-id': heard[1]!.headers['webhook-id'] } })
})

/** Waits until an attempt is recorded. @returns the hours until the next one */
async function untilAttempt(attempt: number): Promise<number> {
  await waitFor(async () => expect((await messages())[0]).toMatchObject({ attempts: attempt, isUnderWay: false }), WAIT)
  const { rows } = await sql<{ hours: number }>`
    select extract(epoch from due_at - clock_timestamp())::float8 / 3600 as hours from webhook_message order by sequence`.execute(
    database,
  )
  return rows[0]!.hours
}

it('an endpoint that is down for two days gets its messages afterwards, in order [D65]', async () => {
  let isUp = false
  const { heard, url } = await startReceiver((message, response) => answers(isUp ? 200 : 500)(message, response))
  const { id } = await endpoints.create(OWNER, url)
  await happens('contract-1', 'contract.party_signed')
  await happens('contract-1', 'contract.completed')
  startWorker()
  let [hours, attempt] = [0, 1]
  for (; hours < 48; attempt += 1) {
    hours += await untilAttempt(attempt)
    await pass()
  }
  // The longest pause is of 24 h, and up to a fifth longer.
  expectWithMessage(hours, 'until the first attempt after the two days').toBeLessThan(48 + 24 * 1.2)
  isUp = true
  await waitFor(
    async () => expect((await messages()).map(({ state }) => state)).toEqual(['delivered', 'delivered']),
    WAIT,
  )
  expect(heard.map(({ body }) => (JSON.parse(body) as { type: string }).type).slice(-2)).toEqual([
    'contract.partially_signed',
    'contract.signed',
  ])
  expect(await endpoints.read(OWNER, id)).toMatchObject({ disabledAt: null, failingSince: null })
})

it('an endpoint that stays away gets ten attempts, and is disabled when it has failed for five days [D65]', async () => {
  const { url } = await startReceiver(answers(500))
  const { id } = await endpoints.create(OWNER, url)
  await happens('contract-1', 'contract.completed')
  startWorker()
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await untilAttempt(attempt)
    await pass()
  }
  await waitFor(async () => expect((await messages())[0]).toMatchObject({ state: 'given_up', attempts: 10 }), WAIT)
  await sql`update webhook_endpoint set failing_since = clock_timestamp() - interval '5 days 1 second'`.execute(
    database,
  )
  await happens('contract-2', 'contract.completed')
  await waitFor(async () => expect((await endpoints.read(OWNER, id)).disabledAt).not.toBeNull(), WAIT)
  await happens('contract-3', 'contract.completed')
  expect(await messages()).toHaveLength(2)
  await endpoints.enable(OWNER, id)
  await happens('contract-4', 'contract.completed')
  await waitFor(async () => expect(await messages()).toHaveLength(3), WAIT)
})

it('a receiver that does not answer in time gets the message again [D65]', async () => {
  const { url } = await startReceiver(() => undefined)
  await endpoints.create(OWNER, url)
  await happens('contract-1', 'contract.completed')
  startWorker({ answerMsMax: 500 })
  await waitFor(async () => expect(await messages()).toMatchObject([{ state: 'due', failure: 'time' }]), WAIT)
})

it('an answer that is endless, short of its length or a redirect counts by its status alone [D65]', async () => {
  const { url } = await startReceiver(({ body }, response) => {
    const { data } = JSON.parse(body) as { data: { id: string } }
    if (data.id === 'contract-endless') {
      response.writeHead(200)
      const pour = () => response.destroyed || (response.write('x'.repeat(16_384)), setImmediate(pour))
      pour()
    } else if (data.id === 'contract-short') {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('short')
      response.socket?.destroySoon()
    } else response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  })
  await endpoints.create(OWNER, url)
  startWorker()
  for (const name of ['endless', 'short', 'moved']) await happens(`contract-${name}`, 'contract.completed')
  await waitFor(
    async () =>
      expect(await messages()).toMatchObject([
        { state: 'delivered', status: 200 },
        { state: 'delivered', status: 200 },
        { state: 'due', status: 302 },
      ]),
    WAIT,
  )
})

it('a private address gets no request, by its number or behind a name [D65]', async () => {
  const { heard, url } = await startReceiver(answers(200))
  const { port } = new URL(url)
  await endpoints.create(OWNER, url)
  await endpoints.create(OWNER, `http://localhost:${port}/`)
  for (const host of ['169.254.169.254', '[::ffff:a9fe:a9fe]', '2852039166'])
    await endpoints.create(OWNER, `https://${host}/latest/meta-data`)
  await happens('contract-1', 'contract.completed')
  startWorker({ allowsLoopback: false })
  await waitFor(
    async () => expect((await messages()).map(({ failure }) => failure)).toEqual(Array(5).fill('address')),
    WAIT,
  )
  expect(heard).toEqual([])
  for (const wrong of ['http://hook.example/', 'https://user:secret@hook.example/', 'ftp://hook.example', 'hook'])
    await expect(endpoints.create(OWNER, wrong)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('a connection goes to the address that was checked, also when the name resolves to another one a moment later [D65]', async () => {
  const { heard, url } = await startReceiver(answers(200))
  const { port } = new URL(url)
  // The first look-up finds an allowed address, each later one a private network.
  let lookUps = 0
  const resolve = (_name: string, _options: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: lookUps++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }])
  await endpoints.create(OWNER, `http://localhost:${port}/`)
  startWorker({ resolve: resolve as never })
  await happens('contract-1', 'contract.completed')
  await waitFor(async () => expect((await messages())[0]).toMatchObject({ state: 'delivered' }), WAIT)
  expect([heard.length, lookUps]).toEqual([1, 1])
  await happens('contract-2', 'contract.completed')
  await waitFor(async () => expect((await messages())[1]).toMatchObject({ failure: 'address' }), WAIT)
  expect(heard).toHaveLength(1)
})

it('one dead endpoint with many messages holds up no other endpoint [D65]', async () => {
  const dead = await startReceiver(() => undefined)
  const alive = await startReceiver(answers(200))
  const { id } = await endpoints.create(OWNER, dead.url)
  await sql`insert into webhook_message (id, endpoint_id, contract_id, type, happened_at)
    select 'msg_' || n, ${id}, 'contract-' || n, 'contract.signed', now() from generate_series(1, 10000) n`.execute(
    database,
  )
  await endpoints.create({ ...OWNER, accountId: 'account-2' }, alive.url)
  startWorker()
  await waitFor(() => expect(dead.heard.length).toBeGreaterThan(0), WAIT)
  await database
    .transaction()
    .execute((trx) =>
      addContractMessages(trx, {
        id: randomUUID(),
        type: 'contract.completed',
        time: '2026-11-24T12:00:00.000Z',
        data: { contractId: 'contract-x', accountId: 'account-2', environment: 'production', total: 2 },
      } as never),
    )
  await waitFor(() => expect(alive.heard).toHaveLength(1), WAIT)
  expect(dead.heard.length).toBeLessThanOrEqual(5)
})

it('a backlog is sent at once, also after a time without messages in which Postgres analysed the empty tables [D65, P45]', async () => {
  await withClient(clone.ownerUrl, async (owner) => {
    for (const table of ['webhook_message', 'webhook_endpoint']) await owner.query(`vacuum analyze ${table}`)
  })
  const { heard, url } = await startReceiver(answers(500))
  const { id } = await endpoints.create(OWNER, url)
  // Waits for its first claim, which finds nothing.
  await startWorker().stop()
  // More than a comparison of each message with each other one can finish within the time limit of a statement.
  await sql`insert into webhook_message (id, endpoint_id, contract_id, type, happened_at)
    select 'msg_' || n, ${id}, 'contract-' || n, 'contract.signed', now() from generate_series(1, 20000) n`.execute(
    database,
  )
  const warn = jest.spyOn(logger, 'warn')
  startWorker()
  await waitFor(() => expect(heard.length).toBeGreaterThan(0), WAIT)
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

it('a backlog is sent at once, also if Postgres analysed the table when it had two messages [D65, P45]', async () => {
  const { heard, url } = await startReceiver(answers(500))
  const { id } = await endpoints.create(OWNER, url)
  await sql`insert into webhook_message (id, endpoint_id, contract_id, type, happened_at, state, finished_at)
    select 'msg_' || state, ${id}, 'contract-' || state, 'contract.signed', now(), state, now()
      from unnest(array['delivered', 'given_up']) as state`.execute(database)
  await withClient(clone.ownerUrl, (owner) => owner.query('vacuum analyze webhook_message'))
  await sql`insert into webhook_message (id, endpoint_id, contract_id, type, happened_at)
    select 'msg_' || n, ${id}, 'contract-' || n, 'contract.signed', now() from generate_series(1, 20000) n`.execute(
    database,
  )
  const warn = jest.spyOn(logger, 'warn')
  startWorker()
  await waitFor(() => expect(heard.length).toBeGreaterThan(0), WAIT)
  expect(warn).not.toHaveBeenCalled()
  warn.mockRestore()
})

it('sixty dead endpoints hold up no endpoint that works [D65]', async () => {
  const dead = await startReceiver(() => undefined)
  const alive = await startReceiver(answers(200))
  for (let n = 0; n < 60; n += 1) await endpoints.create({ ...OWNER, accountId: `dead-${n}` }, dead.url)
  await sql`update webhook_endpoint set failing_since = clock_timestamp()`.execute(database)
  await sql`insert into webhook_message (id, endpoint_id, contract_id, type, happened_at)
    select 'msg_' || id, id, 'contract-1', 'contract.signed', now() from webhook_endpoint`.execute(database)
  await endpoints.create(OWNER, alive.url)
  startWorker()
  await waitFor(() => expect(dead.heard).toHaveLength(25), WAIT)
  await happens('contract-2', 'contract.completed')
  await waitFor(() => expect(alive.heard).toHaveLength(1), WAIT)
  expect(dead.heard).toHaveLength(25)
})

it('a worker that dies between the POST and its record leaves the message to another one [D65]', async () => {
  const { heard, url } = await startReceiver(answers(200))
  await endpoints.create(OWNER, url)
  await happens('contract-1', 'contract.completed')
  // What a killed worker leaves behind: a claim that nobody ends.
  await sql`update webhook_message set attempts = 1, claimed_until = clock_timestamp() + interval '1 second'`.execute(
    database,
  )
  startWorker()
  await waitFor(async () => expect(await messages()).toMatchObject([{ state: 'delivered', attempts: 2 }]), WAIT)
  expect(heard).toHaveLength(1)
})
