// The end of a month, with a clock that the test sets: stubs of the database's clock functions that come first in its search path.
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { created, delayedAnswer, startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'

const V2 = '/api/external/v2'
/** The end of February in a leap year, on a server whose time zone is 14 hours ahead of UTC. */
const EDGE = '2028-03-01T00:00:00.000Z'
/** Time between the start of the gateway and the end of the month. */
const LEAD_MS = 5_000

let gateway: TestGateway
let edgeAtMs: number
beforeAll(async () => {
  gateway = await startTestGateway({
    prepare: async ({ adminUrl }) => {
      await withClient(adminUrl, async (admin) => {
        edgeAtMs = Date.now() + LEAD_MS
        const shift = `interval '${Date.parse(EDGE) - edgeAtMs} milliseconds'`
        await admin.query(`
          create schema fake_clock;
          grant usage on schema fake_clock to public;
          create function fake_clock.clock_timestamp() returns timestamptz language sql volatile
            as $$ select pg_catalog.clock_timestamp() + ${shift} $$;
          create function fake_clock.now() returns timestamptz language sql stable
            as $$ select pg_catalog.now() + ${shift} $$`)
        const { rows } = await admin.query<{ name: string }>('select current_database() as name')
        await admin.query(`alter database "${rows[0]!.name}" set search_path = fake_clock, pg_catalog, public`)
        await admin.query(`alter database "${rows[0]!.name}" set timezone = 'Pacific/Kiritimati'`)
      })
    },
  })
})
afterAll(() => gateway.stop())

const usageOf = async (key: string) =>
  (await gateway.call('GET', `${V2}/usage`, { key })).json['usage'] as Record<string, unknown>
const post = (key: string) => gateway.call('POST', `${V2}/contracts`, { key, body: '{}' })

it("a call belongs to the month of its admission by the store's clock, in UTC, whenever it ends [Usage, D3, D4]", async () => {
  await gateway.newTier('pair', 1_000, 2)
  const { key, accountId } = await gateway.newKey('pair', 'test')
  const watching = watchEdge((await gateway.newKey('load')).key)

  expect((await post(key)).status).toBe(201)
  const { respond, arrived, finish } = delayedAnswer()
  gateway.far.respond = respond
  const slow = post(key)
  await arrived
  gateway.far.respond = created
  const refused = await post(key)
  const [askedAtMs, retryAfter] = [Date.now(), Number(refused.headers['retry-after'])]
  expect(refused.json['code']).toBe('quota_exceeded')
  expect(Math.abs(askedAtMs + retryAfter * 1_000 - edgeAtMs)).toBeLessThan(2_000)
  expect(await usageOf(key)).toMatchObject({
    period: '2028-02',
    billableCalls: 1,
    periodStart: '2028-02-01T00:00:00.000Z',
    periodEnd: '2028-02-29T23:59:59.999Z',
  })

  await until(() => Date.now() > askedAtMs + retryAfter * 1_000)
  expectWithMessage((await post(key)).status, 'a call after the announced Retry-After is admitted').toBe(201)
  finish()
  expect((await slow).status).toBe(201)
  expect(await usageOf(key)).toMatchObject({
    period: '2028-03',
    billableCalls: 1,
    endpointBreakdown: { 'POST /contracts': 1, 'GET /usage': 1 },
    periodStart: '2028-03-01T00:00:00.000Z',
    periodEnd: '2028-03-31T23:59:59.999Z',
  })
  expectWithMessage(
    await gateway.sql(
      `select day::text, sum(billable)::int as billable from usage where account_id = $1 group by day order by day`,
      [accountId],
    ),
    'the slow call counts for the month of its admission',
  ).toEqual([
    { day: '2028-02-29', billable: 2 },
    { day: '2028-03-01', billable: 1 },
  ])
  expect(
    await gateway.sql(
      `select month::text, billable, reservations from usage_month where account_id = $1 order by month`,
      [accountId],
    ),
  ).toEqual([
    { month: '2028-02-01', billable: 2, reservations: {} },
    { month: '2028-03-01', billable: 1, reservations: {} },
  ])

  const seen = await watching
  expect([...seen.keys()]).toEqual(['2028-02', '2028-03'])
  for (const [, counts] of seen)
    expectWithMessage(counts, 'each GET /usage counts itself').toEqual(counts.map((_, index) => index + 1))
})

/** Repeats GET /usage until after the end of the month. @returns the reported number of GET /usage calls, by period */
async function watchEdge(key: string): Promise<Map<string, number[]>> {
  const seen = new Map<string, number[]>()
  while (Date.now() < edgeAtMs + 500) {
    const usage = await usageOf(key)
    const period = String(usage['period'])
    const own = (usage['endpointBreakdown'] as Record<string, number>)['GET /usage'] ?? 0
    seen.set(period, [...(seen.get(period) ?? []), own])
  }
  return seen
}
