import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestGateway, windowOf, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
  for (const perMinute of [1, 50]) {
    for (const quota of [1, 50]) await gateway.newTier(`minute-${perMinute}-month-${quota}`, perMinute, quota)
  }
})
afterAll(() => gateway.stop())

/** The possible errors of one POST in the order of D5, each with its response. */
const FAULTS = {
  path: '404 not_found',
  version: '404 version_removed',
  key: '401 invalid_key',
  window: '429 rate_limited',
  method: '405 method_not_allowed',
  account: '403 account_suspended',
  scope: '403 missing_scope',
  quota: '429 quota_exceeded',
  body: '413 body_too_large',
} as const
type Fault = keyof typeof FAULTS
const ORDER = Object.keys(FAULTS) as Fault[]
/** All pairs of errors except path and version: an unknown path has no version. */
const PAIRS = ORDER.flatMap((first, at) => ORDER.slice(at + 1).map((second) => [first, second] as const)).filter(
  ([first, second]) => first !== 'path' || second !== 'version',
)

/** Sends a call with exactly these errors. */
async function callWith(faults: readonly Fault[]) {
  const has = (fault: Fault) => faults.includes(fault)
  const tier = `minute-${has('window') ? 1 : 50}-month-${has('quota') ? 1 : 50}`
  const { accountId, key } = await gateway.newKey(tier, 'test', has('scope') ? [] : ['contracts:write'])
  if (has('account')) await gateway.sql(`update account set status = 'suspended' where id = $1`, [accountId])
  if (has('quota')) {
    await gateway.sql(
      `insert into usage_month (account_id, environment, month, billable)
       values ($1, 'sandbox', date_trunc('month', now() at time zone 'utc'), 1)`,
      [accountId],
    )
  }
  if (has('window')) await gateway.call('GET', '/api/external/v2/status', { key })
  const path = has('path') ? 'v2/nothing' : has('version') ? 'v1/contracts' : 'v2/contracts'
  return gateway.call(has('method') ? 'PUT' : 'POST', `/api/external/${path}`, {
    ...(has('key') ? {} : { key }),
    body: has('body') ? Buffer.alloc(524_289, 32) : '{}',
    headers: { 'x-forwarded-for': `198.18.7.${faults.map((fault) => ORDER.indexOf(fault)).join('')}` },
  })
}

describe('of two errors the gateway reports the one that D5 lists first, with its window, headers and body [S23.4, S23.7-8, S24.7, D5, D6, D9]', () => {
  it('accepts a call without errors', async () => {
    expect((await callWith([])).status).toBe(201)
  })

  it.each(PAIRS)('%s before %s', async (first, second) => {
    const reply = await callWith([first, second])
    expect(`${reply.status} ${String(reply.json['code'])}`).toBe(FAULTS[first])
    expect(Object.keys(reply.json)).toEqual(['error', 'code', 'requestId', 'type'])
    const isByAddress = ORDER.indexOf(first) < ORDER.indexOf('window')
    expect(windowOf(reply).limit).toBe(isByAddress ? 60 : first === 'window' || second === 'window' ? 1 : 50)
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })
})
