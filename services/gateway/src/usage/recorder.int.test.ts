import { createDatabase, openPool } from '@paraph/database/pool'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { GatewayDatabase } from '../database.js'
import {
  created,
  delayedAnswer,
  startTestGateway,
  until,
  type Reply,
  type Responder,
  type TestGateway,
} from '../../test/gateway-fixture.js'
import { createUsageRecord } from './recorder.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())
beforeEach(() => {
  gateway.far.respond = created
  gateway.line.restore()
})

const V2 = '/api/external/v2'
const post = (key: string) => gateway.call('POST', `${V2}/contracts`, { key, body: '{}' })
const get = (key: string) => gateway.call('GET', `${V2}/contracts/c`, { key })
const usageOf = async (key: string) =>
  (await gateway.call('GET', `${V2}/usage`, { key })).json['usage'] as Record<string, number> & {
    endpointBreakdown: Record<string, number>
  }
const quotaHeadersOf = ({ headers }: Reply) => [headers['paraph-quota-weight'], headers['paraph-quota-billable']]
const answering =
  (status: number, headers: Record<string, string> = {}): Responder =>
  (_, res) =>
    void res.writeHead(status, headers).end()

describe('the usage recorder [Usage, D3]', () => {
  it('counts every answered call of a mixed, concurrent load [S11.2, S11.7, S11.10]', async () => {
    const { key } = await gateway.newKey('load')
    gateway.far.respond = (received, res) => {
      const status = [201, 201, 304, 404, 500][gateway.far.received.length % 5] ?? 200
      res.writeHead(received.url === '/contracts' && status === 304 ? 201 : status).end()
    }
    const replies = await Promise.all(
      Array.from({ length: 150 }, (_, at) =>
        at % 10 === 9
          ? gateway.call('GET', `${V2}/status`, { key })
          : at % 10 === 8
            ? gateway.call('PUT', `${V2}/contracts`, { key })
            : at % 2
              ? post(key)
              : get(key),
      ),
    )
    const billed = replies.filter((reply) => quotaHeadersOf(reply)[1] === 'true')
    expect(billed.every(({ status }) => [200, 201].includes(status))).toBe(true)
    expect(billed.length).toBeGreaterThan(30)
    expect(await usageOf(key)).toMatchObject({
      totalCalls: 136,
      billableCalls: billed.length,
      remaining: 100_000_000 - billed.length,
      overageCalls: 0,
      endpointBreakdown: { 'POST /contracts': 60, 'GET /contracts/:id': 60, 'GET /status': 15, 'GET /usage': 1 },
    })
  })

  it('bills 2xx and reports it in the headers; failed calls and 304 are never billed [S11.3, S11.10, S24.9, D53]', async () => {
    const { key } = await gateway.newKey('growth')
    const answers: unknown[] = []
    for (const status of [201, 200, 304, 400, 404, 409, 422, 500]) {
      gateway.far.respond = answering(status)
      const reply = await get(key)
      answers.push([reply.status, ...quotaHeadersOf(reply)])
    }
    expect(answers).toEqual([
      [201, '1', 'true'],
      [200, '1', 'true'],
      [304, '0', 'false'],
      [400, '1', 'false'],
      [404, '1', 'false'],
      [409, '1', 'false'],
      [422, '1', 'false'],
      [500, '1', 'false'],
    ])
    expect(await usageOf(key)).toMatchObject({ totalCalls: 9, billableCalls: 2 })
  })

  it("adds the quota headers to the gateway's own refusals after the window check too", async () => {
    const { key } = await gateway.newKey('growth', 'live', ['contracts:read'])
    const refused = await post(key)
    expect([refused.status, ...quotaHeadersOf(refused)]).toEqual([403, '1', 'false'])
    const writer = await gateway.newKey('growth')
    const tooLarge = await gateway.call('POST', `${V2}/contracts`, {
      key: writer.key,
      body: Buffer.alloc(524_289, ' '),
    })
    expect([tooLarge.status, ...quotaHeadersOf(tooLarge)]).toEqual([413, '1', 'false'])
    const free = await gateway.call('GET', `${V2}/status`, { key })
    expect([free.status, ...quotaHeadersOf(free)]).toEqual([200, undefined, undefined])
  })

  it('bills nothing for a replay [D17]', async () => {
    const { key } = await gateway.newKey('growth')
    gateway.far.respond = answering(201, { 'Idempotency-Replayed': 'true' })
    const reply = await post(key)
    expect([reply.status, reply.headers['idempotency-replayed'], ...quotaHeadersOf(reply)]).toEqual([
      201,
      'true',
      '0',
      'false',
    ])
    expect(await usageOf(key)).toMatchObject({ totalCalls: 2, billableCalls: 0 })
  })

  it('counts a refused call in totalCalls, unless its key was invalid or its window full', async () => {
    await gateway.newTier('three', 3, 100)
    const { key, accountId } = await gateway.newKey('three')
    await gateway.sql(`update account set status = 'suspended' where id = $1`, [accountId])
    expect(await Promise.all([post(key), post(key), get(key), get(key), get(key)])).toHaveLength(5)
    const [row] = await gateway.sql(
      'select sum(total)::int as total, sum(billable)::int as billable from usage where account_id = $1',
      [accountId],
    )
    expect(row).toEqual({ total: 3, billable: 0 })
  })

  it('counts production and sandbox separately [S20.1, D10]', async () => {
    const { key, accountId } = await gateway.newKey('growth')
    const sandbox = await gateway.operator.key.create.mutate({
      accountId,
      environment: 'test',
      scopes: ['contracts:read', 'contracts:write'],
    })
    await post(key)
    expect(await usageOf(sandbox.key.secret)).toMatchObject({ totalCalls: 1, billableCalls: 0, quotaLimit: 1_000 })
    expect(await usageOf(key)).toMatchObject({ totalCalls: 2, billableCalls: 1, quotaLimit: 25_000 })
  })

  it("uses the month of the store's clock, and excludes calls of other months [S24.10]", async () => {
    const { key, accountId } = await gateway.newKey('growth')
    await gateway.sql(
      `insert into usage select $1, 'production', date_trunc('month', now() at time zone 'utc')::date - 1, 'GET /usage', 7, 0`,
      [accountId],
    )
    const [now] = await gateway.sql(`select to_char(now() at time zone 'utc', 'YYYY-MM') as month`)
    expect(await usageOf(key)).toMatchObject({
      period: now?.['month'],
      totalCalls: 1,
      endpointBreakdown: { 'GET /usage': 1 },
    })
  })
})

describe('the gateway, over the quota [S11.11, S23.7, D4]', () => {
  it('answers production calls and counts them as overage [S11.5-6, S11.11]', async () => {
    await gateway.newTier('two', 100, 2)
    const { key } = await gateway.newKey('two')
    for (let at = 0; at < 5; at += 1) expect((await post(key)).status).toBe(201)
    expect(await usageOf(key)).toMatchObject({ billableCalls: 5, quotaLimit: 2, remaining: 0, overageCalls: 3 })
  })

  it.each([
    ['production with stop at quota', 'live'],
    ['the sandbox', 'test'],
  ] as const)('stops %s exactly at the quota, even under concurrent calls', async (_, environment) => {
    const name = `stop_${environment}`
    await gateway.newTier(name, 200, 37)
    const { key, accountId } = await gateway.newKey(name, environment)
    await gateway.sql('update account set stop_at_quota = true where id = $1', [accountId])
    // Some calls fail behind the gateway: their reserved quota must become available to other calls.
    gateway.far.respond = (received, res, req) =>
      gateway.far.received.length % 3 === 0 ? void res.writeHead(404).end() : created(received, res, req)
    const statuses: number[] = []
    const worker = async () => {
      for (let at = 0; at < 14; at += 1) statuses.push((await post(key)).status)
    }
    await Promise.all(Array.from({ length: 12 }, worker))
    expect(statuses.filter((status) => status === 201)).toHaveLength(37)
    expect(statuses).toContain(429)
    const refused = await post(key)
    expect(refused.json['code']).toBe('quota_exceeded')
    const [end] = await gateway.sql(
      `select extract(epoch from date_trunc('month', now() at time zone 'utc') + interval '1 month' - now() at time zone 'utc')::int as seconds`,
    )
    expect(Math.abs(Number(refused.headers['retry-after']) - Number(end?.['seconds']))).toBeLessThan(5)
    expect((await gateway.call('GET', `${V2}/status`, { key })).status).toBe(200)
    expect(await usageOf(key)).toMatchObject({ billableCalls: 37, remaining: 0, overageCalls: 0 })
    expect(
      await gateway.sql('select billable, reservations from usage_month where account_id = $1', [accountId]),
    ).toEqual([{ billable: 37, reservations: {} }])
  })

  it('stops the sandbox of every tier at 1,000, with the usual quota headers, unbilled [D8]', async () => {
    const { key, accountId } = await gateway.newKey('growth', 'test')
    await gateway.sql(
      `with used as (insert into usage values ($1, 'sandbox', (now() at time zone 'utc')::date, 'POST /contracts', 999, 999))
       insert into usage_month values ($1, 'sandbox', date_trunc('month', now() at time zone 'utc'), 999)`,
      [accountId],
    )
    const replies = await Promise.all([post(key), post(key), post(key)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 429, 429])
    const refused = replies.find(({ status }) => status === 429)!
    expect([refused.json['code'], ...quotaHeadersOf(refused)]).toEqual(['quota_exceeded', '1', 'false'])
    expect(await usageOf(key)).toMatchObject({ billableCalls: 1_000, quotaLimit: 1_000, remaining: 0, overageCalls: 0 })
  })

  it.each([
    ['blocks of places while more calls are left than two minutes allow', 45, [[11], [10], [9]]],
    ['single places when fewer calls are left', 20, [[1], [1], [1]]],
  ] as const)('reserves %s', async (_, quota, expected) => {
    const name = `room_${quota}`
    await gateway.newTier(name, 10, quota)
    const { key, accountId } = await gateway.newKey(name, 'test')
    const reserved: number[][] = []
    gateway.far.respond = (received, res, req) =>
      void gateway.sql('select reservations as r from usage_month where account_id = $1', [accountId]).then(([row]) => {
        reserved.push(Object.values(row?.['r'] as Record<string, [number, number]>).map(([, places]) => places))
        created(received, res, req)
      })
    for (let at = 0; at < 3; at += 1) await post(key)
    expect(reserved).toEqual(expected)
  })

  it('releases the reservations of a dead process when they expire', async () => {
    await gateway.newTier('single', 100, 1)
    const { key, accountId } = await gateway.newKey('single', 'test')
    const hold = (lapsesInSeconds: number) =>
      gateway.sql(
        `insert into usage_month (account_id, environment, month, reservations)
         values ($1, 'sandbox', date_trunc('month', now() at time zone 'utc'),
           jsonb_build_object('dead', jsonb_build_array(extract(epoch from now()) + $2::int, 1)))
         on conflict (account_id, environment, month) do update set reservations = excluded.reservations`,
        [accountId, lapsesInSeconds],
      )
    await hold(10)
    expect((await post(key)).json['code']).toBe('quota_exceeded')
    await hold(-1)
    expect((await post(key)).status).toBe(201)
  })
})

describe('the gateway, while the database is unavailable [D40]', () => {
  const recovered = (key: string) => until(async () => (await post(key)).status === 201)

  it("passes on the contract service's answer, and counts the call once when the database is back", async () => {
    const { key, accountId } = await gateway.newKey('load')
    await post(key)
    gateway.far.respond = (received, res, req) => {
      gateway.line.cut()
      created(received, res, req)
    }
    expect((await post(key)).status).toBe(201)
    gateway.far.respond = created
    const before = gateway.far.received.length
    const next = await post(key)
    expect([next.status, next.json['code'], next.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    expect(quotaHeadersOf(next)).toEqual(['1', 'false'])
    expect(gateway.far.received).toHaveLength(before)
    gateway.line.restore()
    await until(async () => {
      const [row] = await gateway.sql(
        `select total, billable from usage where account_id = $1 and endpoint = 'POST /contracts'`,
        [accountId],
      )
      return row?.['total'] === 2 && row['billable'] === 2
    })
    await recovered(key)
  })

  it('counts a call once when the database committed it but its answer was lost', async () => {
    const { key, accountId } = await gateway.newKey('load')
    await post(key)
    const counted = async () => {
      const [row] = await gateway.sql(
        `select total from usage where account_id = $1 and endpoint = 'POST /contracts'`,
        [accountId],
      )
      return row?.['total']
    }
    gateway.far.respond = (received, res, req) => {
      gateway.line.silence()
      created(received, res, req)
    }
    const reply = post(key)
    await until(async () => (await counted()) === 2)
    gateway.line.cut()
    expect((await reply).status).toBe(201)
    gateway.far.respond = created
    gateway.line.restore()
    await recovered(key)
    expect(await counted()).toBe(3)
  })

  it('answers 503, never 401, for an unverifiable key, and 200 degraded on /status for a recently used one', async () => {
    const seen = await gateway.newKey('load')
    const unseen = await gateway.newKey('load')
    await gateway.call('GET', `${V2}/status`, { key: seen.key })
    gateway.line.cut()
    const unknown = await gateway.call('GET', `${V2}/status`, { key: unseen.key })
    expect([unknown.status, unknown.json['code'], unknown.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    await until(async () => (await post(seen.key)).status === 503)
    const status = await gateway.call('GET', `${V2}/status`, { key: seen.key })
    expect([status.status, status.json['status']]).toEqual([200, 'degraded'])
    expect((await gateway.call('GET', `${V2}/usage`, { key: seen.key })).status).toBe(503)
    gateway.line.restore()
    await recovered(seen.key)
    expect((await gateway.call('GET', `${V2}/status`, { key: unseen.key })).status).toBe(200)
  })

  it('does not wait for a database that neither answers nor refuses', async () => {
    const seen = await gateway.newKey('load')
    expect((await gateway.call('GET', `${V2}/status`, { key: seen.key })).status).toBe(200)
    const unseen = await gateway.newKey('load')
    gateway.line.silence()
    const beganAt = performance.now()
    const [posted, unknown] = await Promise.all([
      post(seen.key),
      gateway.call('GET', `${V2}/status`, { key: unseen.key }),
    ])
    expect([posted.status, unknown.status]).toEqual([201, 503])
    const status = await gateway.call('GET', `${V2}/status`, { key: seen.key })
    expect([status.status, status.json['status']]).toEqual([200, 'degraded'])
    expect(performance.now() - beganAt).toBeLessThan(6_000)
    gateway.line.cut()
    gateway.line.restore()
    await recovered(seen.key)
    expect((await usageOf(seen.key)).endpointBreakdown).toMatchObject({ 'GET /status': 1 })
  })

  it('replaces silent connections, and counts the calls in progress later [F3]', async () => {
    const { key, accountId } = await gateway.newKey('load')
    await post(key)
    const before = gateway.far.received.length
    gateway.far.respond = (received, res, req) => {
      if (gateway.far.received.length === before + 1) gateway.line.silence()
      created(received, res, req)
    }
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(key)))
    const forwarded = gateway.far.received.length - before
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(forwarded)
    await until(async () => (await post(key)).status === 503)
    await Promise.all(Array.from({ length: 50 }, () => post(key)))
    const reached = gateway.far.received.length - before
    expect(reached).toBeLessThanOrEqual(forwarded + 1)
    // New connections work; the old connections stay open.
    gateway.line.restore()
    await until(async () => (await post(key)).status === 201, 20_000)
    const [row] = await gateway.sql(`select total from usage where account_id = $1 and endpoint = 'POST /contracts'`, [
      accountId,
    ])
    expect(row?.['total']).toBe(1 + reached + 1)
    // The silent connections of the other pool close when a query on them times out, or after 30 s. The next test must not wait for that.
    gateway.line.cut()
    gateway.line.restore()
    const isBack = () =>
      gateway.newKey('load').then(
        () => true,
        () => false,
      )
    await until(isBack)
  })

  it('answers 503 while the server has no free connection, and recovers automatically [F3]', async () => {
    const { key, accountId } = await gateway.newKey('load')
    await post(key)
    const [{ name } = {}] = await gateway.sql('select current_database() as name')
    await gateway.admin(`alter database "${String(name)}" connection limit 0`)
    await gateway.admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${String(name)}' and usename = 'gateway_runtime'`,
    )
    await until(async () => (await post(key)).status === 503)
    const status = await gateway.call('GET', `${V2}/status`, { key })
    expect([status.status, status.json['status']]).toEqual([200, 'degraded'])
    expect((await post(key)).headers['retry-after']).toBe('1')
    await gateway.admin(`alter database "${String(name)}" connection limit -1`)
    let answered = 0
    await until(async () => (await post(key)).status === 201 && (answered += 1) > 0)
    await until(async () => {
      const [row] = await gateway.sql(`select billable from usage where account_id = $1`, [accountId])
      return Number(row?.['billable']) >= 1 + answered
    })
  })

  it('logs at a stop how many calls were not counted: the calls of the batch in progress and the queued calls', async () => {
    const logger = createLogger('gateway', 'silent')
    const logged = jest.spyOn(logger, 'error')
    const database = createDatabase<GatewayDatabase>(openPool('postgres://nobody@127.0.0.1:1/none', logger))
    const usage = createUsageRecord({ database, writer: database, logger })
    const call = {
      accountId: 'acc_a',
      environment: 'sandbox',
      endpoint: 'GET /usage',
      billable: 0,
      admittedAt: new Date(),
      reservation: undefined,
      answered: true,
    } as const
    expect(await usage.count(call)).toEqual({ isDurable: false })
    expect(await Promise.all([usage.count(call), usage.count(call)])).toEqual([
      { isDurable: false },
      { isDurable: false },
    ])
    expect(usage.idleMs()).toBeLessThan(3_000)
    await usage.stop()
    expect(logged).toHaveBeenLastCalledWith({ calls: 3 }, expect.stringContaining('calls not counted before the stop'))
    expect(usage.idleMs()).toBe(0)
    await database.destroy()
  })

  it('neither counts nor bills a GET whose client disconnects before the answer, and releases its reservation [D3, D22]', async () => {
    await gateway.newTier('lone', 100, 1)
    const { key, accountId } = await gateway.newKey('lone', 'test')
    const { respond, arrived, finish } = delayedAnswer((_, res) => void res.writeHead(200).end())
    gateway.far.respond = respond
    const { socket: client } = gateway.open(`GET ${V2}/contracts/c HTTP/1.1\r\nHost: a\r\nx-api-key: ${key}\r\n\r\n`)
    await arrived
    expectWithMessage((await post(key)).json['code'], 'open call uses the quota').toBe('quota_exceeded')
    const port = client.localPort!
    expect(gateway.isConnectedTo(port)).toBe(true)
    client.destroy()
    await until(() => !gateway.isConnectedTo(port))
    finish()
    gateway.far.respond = created
    await until(async () => (await post(key)).status === 201)
    const rows = await gateway.sql('select endpoint, billable from usage where account_id = $1', [accountId])
    expect(rows).toEqual([{ endpoint: 'POST /contracts', billable: 1 }])
  })

  it('finishes and counts a POST whose client has disconnected', async () => {
    const { key, accountId } = await gateway.newKey('load')
    const { respond, arrived, finish } = delayedAnswer()
    gateway.far.respond = respond
    const leaving = new AbortController()
    const left = fetch(`${gateway.url}${V2}/contracts`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{}',
      signal: leaving.signal,
    }).catch(() => 'left')
    await arrived
    leaving.abort()
    expect(await left).toBe('left')
    finish()
    await until(async () => {
      const [row] = await gateway.sql('select billable from usage where account_id = $1', [accountId])
      return row?.['billable'] === 1
    })
    gateway.far.respond = created
    expect((await post(key)).status).toBe(201)
  })
})
