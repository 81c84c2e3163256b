import { randomInt, randomUUID } from 'node:crypto'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { createApiClient, createMailbox, type Answer, type ContractBody } from '../../harness/clients/api-client.js'
import { startGateway, startReplica, type StartedGateway } from '../../harness/stack/gateways.js'
import {
  databaseUrlOf,
  isAlive,
  makeDataFolder,
  paraphJson,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { callRaw, type RawAnswer } from '../../harness/clients/raw-call.js'
import { until } from '../../harness/until.js'

/** The number of rounds of kills in the last test. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 10)

let running: RunningStack
let points: string
/** A second gateway. */
let other: StartedGateway
let key: string
beforeAll(async () => {
  points = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  running = await startStack(await makeDataFolder(), { FAIL_POINT_DIR: points, PARAPH_RESTART_MS_MAX: '100' })
  other = await startGateway(running.folder)
  key = await newKey(await newAccount('load'), 'live')
})
afterAll(async () => {
  await other?.stop()
  // Gateways are killed here: every answered call is counted, but a counted call may not have been answered. [D40] The contract service is
  // killed too, and evidence that needs it waits up to a minute after the last of its failures.
  await running?.close({ receipts: 'at least', lateMs: 60_000 })
  await rm(points, { recursive: true, force: true })
})

async function newAccount(tier: string): Promise<string> {
  const { account } = await paraphJson<{ account: { id: string } }>(
    running.folder,
    'account',
    'create',
    '--name',
    'Nordic Foods',
    '--email',
    'owner@example.test',
    '--plan',
    tier,
  )
  return account.id
}

async function newKey(accountId: string, environment: 'live' | 'test'): Promise<string> {
  const printed = await paraphJson<{ key: { secret: string } }>(
    running.folder,
    'key',
    'create',
    '--account',
    accountId,
    '--environment',
    environment,
    '--scopes',
    'contracts:read,contracts:write',
  )
  return printed.key.secret
}

const query = <Row extends object>(database: Database, text: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseUrlOf(running.stack, database), async (client) => (await client.query<Row>(text, values)).rows)

/** `order`: the client's id of its request, stored as metadata, to find the contracts of the request in the database. */
const bodyOf = (order: string) => ({
  contractType: 'nda',
  content: 'The parties keep secrets secret.',
  parties: ['a', 'b'].map((party) => ({ role: 'Party', legalName: party, email: `${party}.${order}@example.test` })),
  metadata: { order },
})

const createdFor = async (order: string): Promise<string[]> =>
  (await query<{ id: string }>('contract', `select id from contract where metadata->>'order' = $1`, [order])).map(
    ({ id }) => id,
  )

const idOf = (answer: Answer<ContractBody>): string => answer.body.contract.id
const isReplay = (answer: Answer<unknown>): boolean => answer.headers.get('idempotency-replayed') === 'true'
const codeOf = (answer: Answer<unknown>) => (answer.body as { code?: string }).code
const clients = () => [running.stack.apiUrl, other.apiUrl].map((url) => createApiClient(url, key))

/** Repeats a POST with the same key and body until the answer is 201. */
async function createUntil201(order: string, client: { create: ReturnType<typeof createApiClient>['create'] }) {
  const answers: (Answer<ContractBody> | undefined)[] = []
  const created = await until(
    `a 201 for ${order}`,
    async () => {
      // Undefined if the gateway is unavailable or was killed before it sent the answer.
      const answer = await client.create(bodyOf(order), { 'Idempotency-Key': order }).catch(() => undefined)
      answers.push(answer)
      return answer?.status === 201 ? answer : undefined
    },
    60_000,
  )
  return { created, answers }
}

const usageOf = async (secret = key) =>
  (await createApiClient(running.stack.apiUrl, secret).call<{ usage: { billableCalls: number } }>('GET', '/usage')).body
    .usage.billableCalls

describe('one Idempotency-Key [D17]', () => {
  it('creates one contract from 32 concurrent requests to two gateways, which answer with this contract or with 409', async () => {
    for (let round = 0; round < 3; round += 1) {
      const order = randomUUID()
      const before = await usageOf()
      const answers = await Promise.all(
        Array.from({ length: 32 }, (_, at) => clients()[at % 2]!.create(bodyOf(order), { 'Idempotency-Key': order })),
      )
      const created = answers.filter(({ status }) => status === 201)
      expect(await createdFor(order)).toHaveLength(1)
      expect(new Set(created.map(idOf)).size).toBe(1)
      expect(created.filter((answer) => !isReplay(answer))).toHaveLength(1)
      for (const answer of answers.filter(({ status }) => status !== 201)) {
        expect([answer.status, codeOf(answer), answer.headers.get('retry-after')]).toEqual([
          409,
          'idempotency_in_progress',
          '1',
        ])
      }
      for (const client of clients()) {
        const again = await client.create(bodyOf(order), { 'Idempotency-Key': order })
        expect(isReplay(again)).toBe(true)
        expect(JSON.stringify(again.body)).toBe(JSON.stringify(created[0]!.body))
      }
      expectWithMessage((await usageOf()) - before, 'billed once').toBe(1)
    }
  })

  it('is valid for one account, one environment and one body, compared byte for byte', async () => {
    const order = randomUUID()
    const header = { 'Idempotency-Key': order }
    const [client] = clients()
    const first = await client!.create(bodyOf(order), header)
    for (const text of [JSON.stringify(bodyOf('x')), JSON.stringify(bodyOf(order), null, 2)]) {
      const refused = await client!.create(text, header)
      expect([refused.status, codeOf(refused)]).toEqual([422, 'idempotency_key_reused'])
    }
    const accountId = await newAccount('load')
    const others = [await newKey(accountId, 'live'), await newKey(accountId, 'test')]
    for (const secret of others) {
      const answer = await createApiClient(other.apiUrl, secret).create(bodyOf(order), header)
      expect([answer.status, isReplay(answer)]).toEqual([201, false])
    }
    const ids = await createdFor(order)
    expect(ids).toHaveLength(3)
    expect(ids).toContain(idOf(first))
  })

  it('is valid for 30 days, and creates a new contract afterwards', async () => {
    const order = randomUUID()
    const create = () => clients()[0]!.create(bodyOf(order), { 'Idempotency-Key': order })
    const first = await create()
    const age = (interval: string) =>
      query('contract', `update idempotency set created_at = now() - $1::interval where contract_id = $2`, [
        interval,
        idOf(first),
      ])
    await age('29 days 23 hours')
    expect(isReplay(await create())).toBe(true)
    await age('30 days')
    const anew = await create()
    expect([anew.status, isReplay(anew)]).toEqual([201, false])
    expect(idOf(anew)).not.toBe(idOf(first))
  })

  it.each([
    ['is empty', [''], 'is empty'],
    ['has 256 characters', ['k'.repeat(256)], 'at most 255'],
    ['is sent twice', ['first', 'second'], 'once'],
    ['is sent twice and empty', ['', ''], 'once'],
    ['is not ASCII', ['caf\u00e9'], 'ASCII'],
  ])('is refused with one clear error message when it %s [D11]', async (_, keys, message) => {
    const order = randomUUID()
    const { status, body } = await postWith(JSON.stringify(bodyOf(order)), keys)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'Idempotency-Key', message: body['error'] }],
    })
    expect(body['error']).toContain(message)
    expect(await createdFor(order)).toEqual([])
  })
})

/** Sends a POST with one Idempotency-Key header per element of `keys`, which an HTTP client cannot do. */
function postWith(body: string, keys: string[]): Promise<RawAnswer> {
  const { origin, pathname } = new URL(running.stack.apiUrl)
  const head = [
    `POST ${pathname}/contracts HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    `x-api-key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...keys.map((value) => `Idempotency-Key: ${value}`),
  ]
  return callRaw(origin, `${head.join('\r\n')}\r\n\r\n${body}`)
}

it('both gateways answer a replay over the quota from the stored answer, and refuse a new call [D4, D17]', async () => {
  await query('gateway', `insert into tier values ('two', 1000, 2, 1000, 2)`)
  const secret = await newKey(await newAccount('two'), 'test')
  const [first, second] = [running.stack.apiUrl, other.apiUrl].map((url) => createApiClient(url, secret))
  const orders = [randomUUID(), randomUUID()]
  const created = []
  for (const order of orders) created.push(await first!.create(bodyOf(order), { 'Idempotency-Key': order }))
  expect(created.map(({ status }) => status)).toEqual([201, 201])
  for (const client of [first!, second!]) {
    const refused = await client.create(bodyOf('late'), { 'Idempotency-Key': randomUUID() })
    expect([refused.status, codeOf(refused)]).toEqual([429, 'quota_exceeded'])
    expect((await client.create(bodyOf('late'))).status).toBe(429)
    const reused = await client.create(bodyOf('late'), { 'Idempotency-Key': orders[0]! })
    expectWithMessage([reused.status, codeOf(reused)], 'another body is a new call').toEqual([429, 'quota_exceeded'])
    for (const [at, order] of orders.entries()) {
      const replay = await client.create(bodyOf(order), { 'Idempotency-Key': order })
      expect([replay.status, isReplay(replay)]).toEqual([201, true])
      expect(replay.body).toEqual(created[at]!.body)
      expect(replay.headers.get('paraph-quota-weight')).toBe('0')
      expect(replay.headers.get('paraph-quota-billable')).toBe('false')
    }
  }
  expect(await createdFor('late')).toEqual([])
  expect(await usageOf(secret)).toBe(2)
})

describe('a contract service that is killed while it creates a contract [D17, F16]', () => {
  const countOf = (sentence: string): number => running.launched.output().split(sentence).length - 1

  /** Arms `point`. @returns a function that waits until the contract service was killed at `point` and has restarted */
  async function expectKill(point: string): Promise<() => Promise<void>> {
    const returns = countOf('contract runs again')
    await writeFile(join(points, point), '')
    return async () => {
      await until(
        'the restart of the contract service',
        () => (countOf('contract runs again') > returns ? true : undefined),
        60_000,
      )
      await expectWithMessage(access(join(points, point)), `${point} was reached`).rejects.toThrow('ENOENT')
    }
  }

  it.each(['create.storing', 'create.stored', 'create.committed'])(
    'at %s causes one contract and one mail per party, and a retry of the gateway or of the client gets the answer',
    async (point) => {
      // Without a key, one statement creates and commits, so the process never reaches the point create.stored.
      for (const hasKey of point === 'create.stored' ? [true] : [true, false]) {
        const order = randomUUID()
        const header = hasKey ? { 'Idempotency-Key': order } : undefined
        const before = await usageOf()
        const expectBack = await expectKill(point)
        const answer = await clients()[0]!.create(bodyOf(order), header)
        await expectBack()
        // 503 if the restart takes longer than the gateway waits.
        expect([201, 503]).toContain(answer.status)
        if (answer.status === 201) {
          expectWithMessage(isReplay(answer), 'the first answer to this client').toBe(false)
          expect(await createdFor(order)).toEqual([idOf(answer)])
          expectWithMessage((await usageOf()) - before, 'billed once').toBe(1)
        } else {
          expect(await createdFor(order)).toHaveLength(point === 'create.committed' ? 1 : 0)
        }
        if (!hasKey) continue
        const { created } = await createUntil201(order, clients()[1]!)
        expect(await createdFor(order)).toEqual([idOf(created)])
        if (answer.status === 201) expect([isReplay(created), idOf(created)]).toEqual([true, idOf(answer)])
        await expectOneMailEach(order)
      }
    },
  )

  it('causes at most one billed call, however often the client retries', async () => {
    const order = randomUUID()
    const before = await usageOf()
    const expectBack = await expectKill('create.committed')
    await createUntil201(order, clients()[0]!)
    await expectBack()
    await createUntil201(order, clients()[1]!)
    expect(await createdFor(order)).toHaveLength(1)
    expect((await usageOf()) - before).toBeLessThanOrEqual(1)
  })
})

it('the gateway gets the answer from a second contract service if the first is killed after its commit [D17, F16]', async () => {
  const own = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  const mortal = await startReplica('contract', running.folder, { FAIL_POINT_DIR: own })
  const survivor = await startReplica('contract', running.folder)
  const name = await openName([mortal.port, survivor.port])
  const gateway = await startGateway(running.folder, { CONTRACT_URL: name.url })
  const api = createApiClient(gateway.apiUrl, key)
  for (const header of [undefined, { 'Idempotency-Key': randomUUID() }]) {
    const order = header?.['Idempotency-Key'] ?? randomUUID()
    const before = await usageOf()
    name.reset()
    // Opens the connection that the POST will use, to the service that will be killed.
    expect((await api.get('contract-0-none')).status).toBe(404)
    await writeFile(join(own, 'create.committed'), '')
    const answer = await api.create(bodyOf(order), header)
    await expectWithMessage(access(join(own, 'create.committed')), 'the first service was killed').rejects.toThrow(
      'ENOENT',
    )
    expect([answer.status, isReplay(answer), answer.headers.get('paraph-quota-billable')]).toEqual([201, false, 'true'])
    expect(await createdFor(order)).toEqual([idOf(answer)])
    expect((await usageOf()) - before).toBe(1)
    await mortal.start()
  }
  await Promise.all([gateway.stop(), mortal.stop(), survivor.stop()])
  name.close()
  await rm(own, { recursive: true, force: true })
})

/** Opens a TCP proxy that connects each client to the first of `ports` that listens, like a Service of a Kubernetes cluster. */
async function openName(ports: number[]) {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    clients.add(client)
    client.on('close', () => clients.delete(client))
    client.on('error', () => undefined)
    const offer = ([port, ...others]: number[]): void => {
      if (port === undefined) return void client.destroy()
      const replica = connect(port, '127.0.0.1')
      const refused = () => offer(others)
      replica.once('error', refused)
      replica.once('connect', () => {
        replica.off('error', refused)
        replica.on('error', () => undefined)
        client.on('close', () => replica.destroy())
        replica.on('close', () => client.destroy())
        client.pipe(replica).pipe(client)
      })
    }
    offer(ports)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  /** Closes all connections, so that the next call selects a port again. */
  const reset = () => clients.forEach((client) => client.destroy())
  return { url: `http://127.0.0.1:${port}`, reset, close: () => void server.close() }
}

async function expectOneMailEach(order: string): Promise<void> {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  for (const { email } of bodyOf(order).parties) await mailbox.waitFor(email, '')
  // After the outbox is empty, all events of this contract are published, and notification adds no further mails.
  await until('an empty outbox', async () => {
    const [row] = await query<{ left: number }>(
      'contract',
      'select count(*)::int as left from outbox where published_at is null',
    )
    return row?.left === 0 ? true : undefined
  })
  const deliveries = await query<{ n: number }>(
    'notification',
    `select count(*)::int as n from delivery where contract_id = $1 group by party_index`,
    await createdFor(order),
  )
  expect(deliveries.map(({ n }) => n)).toEqual([1, 1])
  for (const { email } of bodyOf(order).parties) expect(await mailbox.listTo(email)).toHaveLength(1)
}

it(`one Idempotency-Key creates exactly one contract while gateway and contract service are killed repeatedly [D17, F16]`, async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31))
  const random = createSeededRandom(seed)
  const [atStack, atOther] = clients()
  let isOver = false
  const answered = new Map<string, string>()
  // Each client sends the next order after its 201, like a queue worker of a client platform.
  const workers = Array.from({ length: 6 }, async (_, worker) => {
    for (let n = 0; !isOver; n += 1) {
      const order = `w${worker}n${n}s${seed}`
      const { created, answers } = await createUntil201(order, worker % 3 === 0 ? atOther! : atStack!)
      answered.set(order, idOf(created))
      for (const answer of answers) expect([201, 409, 503, undefined]).toContain(answer?.status)
    }
  })
  for (let round = 0; round < ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50 + random() * 500))
    const { pids } = (await running.read())!
    const victims = (['contract', 'gateway'] as const).filter(() => random() < 0.6)
    for (const name of victims) process.kill(pids[name], 'SIGKILL')
    for (const name of victims) {
      await until(
        `another ${name}`,
        async () => {
          const stack = await running.read()
          return stack && stack.pids[name] !== pids[name] && isAlive(stack.pids[name]) ? true : undefined
        },
        60_000,
      )
    }
  }
  isOver = true
  await Promise.all(workers)
  const rows = await query<{ order: string; ids: string[] }>(
    'contract',
    `select metadata->>'order' as order, array_agg(id) as ids from contract where metadata->>'order' like $1 group by 1`,
    [`w%s${seed}`],
  )
  const sorted = (entries: Iterable<[string, string]>) => [...entries].toSorted(([a], [b]) => a.localeCompare(b))
  expectWithMessage(
    rows.filter(({ ids }) => ids.length > 1),
    `seed ${seed}`,
  ).toEqual([])
  expectWithMessage(sorted(rows.map(({ order, ids }) => [order, ids[0]!])), `seed ${seed}`).toEqual(sorted(answered))
})
