// Runs a client with generated types (platform.ts) against the product, to show that docs/openapi.json is sufficient to build clients.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { checkResponse } from '../../harness/clients/answer-check.js'
import { createPlatform, isFinal, type NewContract, type Outcome } from './platform.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { paraphJson } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import { until } from '../../harness/until.js'
import { keepReceipt } from '../../harness/stack/receipts.js'

const BODY: NewContract = {
  contractType: 'service',
  content: 'SERVICE AGREEMENT\n\n1. SERVICE\n\nThe windows are cleaned each month.',
  parties: [
    { role: 'Client', legalName: 'Nordic Foods Ltd.', email: 'legal@nordicfoods.example' },
    { role: 'Contractor', legalName: 'Jane Roe', email: 'jane.roe@example.com' },
  ],
  metadata: { orderId: '10442' },
}

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

const platformOf = (key: string) =>
  createPlatform(running.stack.apiUrl, key, async (method, answer) => {
    keepReceipt(key, answer.headers)
    await checkResponse(method, answer)
  })

/** @returns the outcome with its resource @throws Error with the outcome if the call was refused */
function expectThere<Resource>(outcome: Outcome<Resource>) {
  if (outcome.kind !== 'there') throw new Error(`The outcome has no resource: ${JSON.stringify(outcome)}`)
  return outcome
}

it('the generated client creates a contract, repeats the call safely and reads the contract [POST /contracts, GET /contracts/{id}]', async () => {
  const platform = platformOf(running.stack.liveKey)
  const { resource: built, isReplay } = expectThere(await platform.build(BODY, 'order-10442'))
  expect([built.status, isReplay]).toEqual(['pending_signature', false])
  const again = expectThere(await platform.build(BODY, 'order-10442'))
  expect([again.resource, again.isReplay]).toEqual([built, true])

  const { resource: read } = expectThere(await platform.read(built.id))
  expect(read.parties.map(({ legalName, hasSigned }) => [legalName, hasSigned])).toEqual([
    ['Nordic Foods Ltd.', false],
    ['Jane Roe', false],
  ])
  expect(read.metadata['orderId']).toBe('10442')
  expect(isFinal(read.status)).toBe(false)
})

it('the generated client gets a 304 for an unchanged contract, and a long poll returns at the next change [GET /contracts/{id}, D22]', async () => {
  const platform = platformOf(running.stack.liveKey)
  const { resource: built } = expectThere(await platform.build(BODY, 'order-10443'))
  // Each invitation that is sent is a change. [D52]
  const { etag } = await until('both invitations are sent', async () => {
    const found = expectThere(await platform.read(built.id))
    return found.resource.parties.every(({ delivery }) => delivery === 'sent') ? found : undefined
  })
  expect(await platform.read(built.id, etag!)).toEqual({ kind: 'unchanged', etag })

  const waiting = platform.read(built.id, etag!, 30)
  await paraphJson(running.folder, 'contract', 'cancel', built.id, '--reason', 'The windows were broken.')
  const { resource: changed } = expectThere(await waiting)
  expect([changed.status, isFinal(changed.status)]).toEqual(['cancelled', true])
})

it('the generated client reads the environment of its key, the limits and the usage [GET /status, GET /usage]', async () => {
  const platform = platformOf(running.stack.testKey)
  const { resource: status } = expectThere(await platform.status())
  expect([status.key.environment, status.limits.monthlyQuota]).toEqual(['sandbox', 1_000])
  const { resource: usage } = expectThere(await platform.usage())
  expect(usage.endpointBreakdown['GET /usage']).toBe(1)
})

it('the generated client selects its reaction to a refusal by the error code [Errors, D6]', async () => {
  const platform = platformOf(running.stack.liveKey)
  const body: NewContract = { ...BODY, parties: BODY.parties.slice(0, 1) }
  expect(await platform.build(body, 'order-1')).toMatchObject({
    kind: 'refused',
    remedy: 'correct the request',
    refusal: { code: 'invalid_request', issues: [{ path: 'parties' }] },
  })
  expect(await platform.build({ ...BODY, content: 'Another text.' }, 'order-10442')).toMatchObject({
    remedy: 'correct the request',
    refusal: { code: 'idempotency_key_reused' },
  })
  expect(await platform.read('contract-1795183380000-k3v9x2m1q')).toMatchObject({ refusal: { code: 'not_found' } })
  expect(await platformOf('paraph_live_of_nobody').status()).toMatchObject({
    remedy: 'ask the operator',
    refusal: { code: 'invalid_key' },
  })
  const { liveKey } = await createAccount(running.folder, { tier: 'startup', scopes: [] })
  const reader = platformOf(liveKey)
  expect(await reader.usage()).toMatchObject({ remedy: 'ask the operator', refusal: { code: 'missing_scope' } })
  for (let n = 1; n < 60; n += 1) expectThere(await reader.status())
  const refused = await reader.status()
  expect(refused).toMatchObject({ remedy: 'wait and repeat', refusal: { code: 'rate_limited' } })
  expect(refused.kind === 'refused' && refused.retryAfterSeconds).toBeGreaterThan(0)
})

it('the compiler rejects calls that the OpenAPI document does not allow [POST /contracts]', () => {
  // @ts-expect-error there is no such contract type
  const wrongType: NewContract = { ...BODY, contractType: 'lease' }
  // @ts-expect-error a party must have an email address
  const withoutAddress: NewContract = { ...BODY, parties: [{ role: 'Client', legalName: 'Jane Roe' }] }
  // @ts-expect-error values of metadata are strings
  const notText: NewContract = { ...BODY, metadata: { orderId: 10_442 } }
  expect([wrongType, withoutAddress, notText]).toHaveLength(3)
})
