// Tests sentences of the specification on the running product, where the other tests do not cover a sentence completely.
// docs/internal/conformance.md lists the test files of every sentence.
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { checkAnswer } from '../../harness/clients/answer-check.js'
import { createApiClient, createMailbox, type Answer } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { CONTRACT, ODD_BODIES, PARTIES } from './contract-bodies.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  paraphJson,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { keepReceipt } from '../../harness/stack/receipts.js'
import { until } from '../../harness/until.js'

const DAY_MS = 86_400_000
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const CREATED_FIELDS = [
  'id',
  'contractNumber',
  'shareToken',
  'shareUrl',
  'status',
  'contractType',
  'parties',
  'signingProgress',
  'createdAt',
  'expiresAt',
]
/** The first five fields are those of the specification; D1 and D52 add the others. */
const READ_FIELDS = [
  'id',
  'status',
  'parties',
  'signingProgress',
  'signatures',
  'contractNumber',
  'contractType',
  'senderName',
  'metadata',
  'createdAt',
  'expiresAt',
  'completedAt',
  'endedAt',
  'cancelReason',
]

type Fields = Record<string, unknown>
type Client = ReturnType<typeof createApiClient>
interface Usage {
  totalCalls: number
  billableCalls: number
  endpointBreakdown: Record<string, number>
}

let running: RunningStack
/** `live` and `sandbox` are keys of one account on the tier for load tests; `theirs` is a key of the demo account. */
let live: Client, sandbox: Client, theirs: Client
let liveKey: string
/** Clients of one account per tier, with keys that were created without the option for scopes. */
const tiers: Record<string, Client> = {}

const command = <Printed>(...argv: string[]) => paraphJson<Printed>(running.folder, ...argv)
const newAccount = async (name: string, tier: string) =>
  (
    await command<{ account: { id: string } }>(
      'account',
      'create',
      '--name',
      name,
      '--email',
      'owner@example.test',
      '--plan',
      tier,
    )
  ).account.id
const newKey = async (account: string, environment: 'live' | 'test') =>
  (await command<{ key: { secret: string } }>('key', 'create', '--account', account, '--environment', environment)).key
    .secret

beforeAll(async () => {
  running = await startStack(await makeDataFolder())
  const { apiUrl } = running.stack
  const client = (key: string) => createApiClient(apiUrl, key)
  const [account, startup, enterprise] = await Promise.all([
    newAccount('Nordic Foods Ltd.', 'load'),
    newAccount('Small Ltd.', 'startup'),
    newAccount('Large Ltd.', 'enterprise'),
  ])
  const [ours, test, small, large] = await Promise.all([
    newKey(account, 'live'),
    newKey(account, 'test'),
    newKey(startup, 'live'),
    newKey(enterprise, 'live'),
  ])
  liveKey = ours
  ;[live, sandbox, theirs] = [client(ours), client(test), client(running.stack.liveKey)]
  Object.assign(tiers, { startup: client(small), growth: client(running.stack.liveKey), enterprise: client(large) })
})
// Some tests write an expiry, so a contract may have been cancelled after its expiry.
afterAll(() => running?.close({ planted: ['I10'] }))

const create = async (client: Client, fields: Fields = {}): Promise<Fields & { id: string; shareUrl: string }> => {
  const { status, body } = await client.create({ ...CONTRACT, ...fields })
  expect(status).toBe(201)
  return { ...body.contract }
}
const read = async (id: string, client = live): Promise<Fields> => (await client.get(id)).body.contract as never
const windowOf = ({ headers }: Answer<unknown>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? 'NaN'))
const usageOf = async (client: Client) => (await client.call<{ usage: Fields & Usage }>('GET', '/usage')).body.usage
/** Runs one statement in the contract database, as the superuser. */
const inContracts = (text: string, values: unknown[]) =>
  withClient(databaseUrlOf(running.stack, 'contract'), (database) => database.query(text, values))

/** Opens the link, verifies the mailbox and signs. */
async function sign(shareUrl: string, { email, legalName }: { email: string; legalName: string }): Promise<void> {
  const visitor = createVisitor()
  const review = await proveMailbox(visitor, shareUrl, email, running.stack.mailboxUrl)
  expect((await signOn(visitor, review, legalName)).status).toBe(303)
  visitor.close()
}

describe('the contract in the answer to POST [POST /contracts, Contract (response of POST /contracts)]', () => {
  it('has exactly the fields of the specification, each in its format, in an object with success and contract [S1.4, S3.1, S4.1-5, S4.8-10, S12.2, S12.7, S14.7, S25.11-12]', async () => {
    const answer = await live.create(CONTRACT)
    const { success, contract, ...more } = answer.body as unknown as { success: boolean; contract: Fields }
    expect([answer.status, success, more]).toEqual([201, true, {}])
    expect(Object.keys(contract).toSorted()).toEqual(CREATED_FIELDS.toSorted())
    const createdAt = String(contract['createdAt'])
    expect(contract).toMatchObject({
      id: expect.stringMatching(/^contract-\d{13}-[a-z0-9]{9}$/),
      contractNumber: expect.stringMatching(/^EXT-\d{8}-[A-Z0-9]{8}$/),
      shareToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      shareUrl: `${running.stack.shareUrl}/contract/${String(contract['shareToken'])}`,
      status: 'pending_signature',
      contractType: 'nda',
      signingProgress: { signed: 0, total: 2, pending: 2, percentage: 0 },
      createdAt: expect.stringMatching(INSTANT),
      expiresAt: new Date(Date.parse(createdAt) + 14 * DAY_MS).toISOString(),
    })
    expect(Math.abs(Number(String(contract['id']).split('-')[1]) - Date.parse(createdAt))).toBeLessThan(60_000)
    expect(String(contract['contractNumber']).slice(4, 12)).toBe(createdAt.slice(0, 10).replaceAll('-', ''))
  })

  it('lists the parties in the order of the request, with any text as role, and with no other fields [S4.7, S7.1, S7.4]', async () => {
    const roles = ['buyer', 'seller', 'discloser', 'recipient', 'Témoin nº 2']
    const parties = roles.map((role, at) => ({ role, legalName: `Party ${5 - at}`, email: `p${at}@example.test` }))
    const { id, ...contract } = await create(live, { parties })
    expect(contract['parties']).toEqual(parties)
    expect((await read(id))['parties']).toEqual(
      parties.map((party) => ({ ...party, hasSigned: false, delivery: expect.any(String), declinedAt: null })),
    )
  })

  it('can have each of the eight types and no other [S4.6, S6.1, S14.3]', async () => {
    const types = [
      'nda',
      'business',
      'employment',
      'service',
      'custom',
      'sales-agreement',
      'consignment-agreement',
      'revenue-share',
    ]
    for (const contractType of types) expect((await create(live, { contractType }))['contractType']).toBe(contractType)
    for (const contractType of ['NDA', 'sales', '', null, ['nda']]) {
      expect((await live.create({ ...CONTRACT, contractType })).status).toBe(400)
    }
  })

  it('requires two parties (each with role, legalName and email), a type and a text, and nothing else [S2.2, S7.1-3, S14.2-4, S23.7, S24.1]', async () => {
    const [first, second] = PARTIES
    const faults: [string, unknown][] = [
      ['parties', { ...CONTRACT, parties: [first] }],
      ['parties', { ...CONTRACT, parties: undefined }],
      ['parties[1].role', { ...CONTRACT, parties: [first, { ...second, role: undefined }] }],
      ['parties[1].legalName', { ...CONTRACT, parties: [first, { ...second, legalName: undefined }] }],
      ['parties[0].email', { ...CONTRACT, parties: [{ ...first, email: 'nobody' }, second] }],
      ['contractType', { ...CONTRACT, contractType: undefined }],
      ['content', { ...CONTRACT, content: undefined }],
    ]
    for (const [path, body] of faults) {
      const answer = await live.call<{ issues: { path: string }[] }>('POST', '/contracts', body)
      expect([answer.status, answer.body.issues.map((issue) => issue.path)]).toEqual([400, [path]])
    }
  })

  it('causes one mail with the link to each party, with the sender name or else the account name as sender, and no other mail [S7.3, S12.2, S12.7, S14.5-6, S14.8, S22.1, S22.3, S25.6]', async () => {
    const mailbox = createMailbox(running.stack.mailboxUrl)
    const parties = PARTIES.map((party, at) => ({ ...party, email: `events-${at}@example.test` }))
    const unnamed = await create(live, { parties })
    const named = await create(live, { parties, senderName: 'Nordic procurement', metadata: { order: '10442' } })
    const mails = await until('four mails', async () => {
      const lists = await Promise.all(parties.map(({ email }) => mailbox.listTo(email)))
      return lists.flat().length >= 4 ? lists : undefined
    })
    for (const list of mails) {
      expect(list.map(({ From }) => From.Name).toSorted()).toEqual([
        'Nordic Foods Ltd. via Paraph',
        'Nordic procurement via Paraph',
      ])
      const texts = (await Promise.all(list.map(({ ID }) => mailbox.read(ID)))).map(({ Text }) => Text).join()
      expect(texts).toContain(unnamed.shareUrl)
      expect(texts).toContain(named.shareUrl)
    }
    expect(await read(named.id)).toMatchObject({ senderName: 'Nordic procurement', metadata: { order: '10442' } })
    expect(await read(unnamed.id)).toMatchObject({ senderName: 'Nordic Foods Ltd.', metadata: {} })
    // Reading the contract and opening the link cause no mail. Requesting a code causes a mail to the requester only.
    const visitor = createVisitor()
    const review = await proveMailbox(visitor, named.shareUrl, parties[0]!.email, running.stack.mailboxUrl)
    expect(review.body).toContain('Keep it secret.')
    visitor.close()
    expect((await mailbox.listTo(parties[0]!.email)).length).toBe(3)
    expect((await mailbox.listTo(parties[1]!.email)).length).toBe(2)
  })

  it('expires after 14 days in production and after an hour in the sandbox, and the key shows the environment [S2.10, S4.10, S12.14, S18.2, S20.1-2, S24.3-4]', async () => {
    expect(liveKey).toMatch(/^paraph_live_/)
    expect(running.stack.testKey).toMatch(/^paraph_test_/)
    const lifetime = ({ createdAt, expiresAt }: Fields) => Date.parse(String(expiresAt)) - Date.parse(String(createdAt))
    expect(lifetime(await create(live))).toBe(14 * DAY_MS)
    expect(lifetime(await create(sandbox))).toBe(3_600_000)
  })
})

describe('the contract in the answer to GET, while it is signed [GET /contracts/{id}, States and transitions]', () => {
  const parties = PARTIES.map((party, at) => ({ ...party, email: `states-${at}@example.test` }))
  const seen = async (id: string, client = live) => {
    const { status, body } = await client.get(id)
    const { success, contract, ...more } = body as unknown as { success: boolean; contract: Fields }
    expect([status, success, more, Object.keys(contract).toSorted()]).toEqual([200, true, {}, READ_FIELDS.toSorted()])
    return contract
  }
  const signature = ({ email, legalName, role }: (typeof PARTIES)[number]) => ({
    signerEmail: email,
    signerName: legalName,
    signerRole: role,
    signedAt: expect.stringMatching(INSTANT) as unknown as string,
  })

  it('changes from pending_signature to partially_signed to signed, with progress, parties and signatures [S2.7, S3.1, S5.1-6, S7.4, S8.1-4, S9.1-4, S12.1, S12.3-4, S12.8-9, S12.13, S15.1-3, S22.2, S25.8, S25.12]', async () => {
    const [first, second] = parties as [(typeof PARTIES)[number], (typeof PARTIES)[number]]
    const { id, shareUrl } = await create(live, { parties })
    expect(await seen(id)).toMatchObject({
      id,
      status: 'pending_signature',
      parties: parties.map((party) => ({ ...party, hasSigned: false })),
      signingProgress: { signed: 0, total: 2, pending: 2, percentage: 0 },
      signatures: [],
      completedAt: null,
    })
    await sign(shareUrl, first)
    expect(await seen(id)).toMatchObject({
      status: 'partially_signed',
      parties: [
        { ...first, hasSigned: true },
        { ...second, hasSigned: false },
      ],
      signingProgress: { signed: 1, total: 2, pending: 1, percentage: 50 },
      signatures: [signature(first)],
    })
    await sign(shareUrl, second)
    const last = await seen(id)
    expect(last).toMatchObject({
      status: 'signed',
      parties: parties.map((party) => ({ ...party, hasSigned: true })),
      signingProgress: { signed: 2, total: 2, pending: 0, percentage: 100 },
      signatures: [signature(first), signature(second)],
    })
    expect(Object.keys((last['signatures'] as Fields[])[0]!)).toEqual(Object.keys(signature(first)))

    // The status is final: neither a later expiry nor the operator changes it.
    const late = await paraph(running.folder, 'contract', 'cancel', id, '--reason', 'Too late')
    expect(late.code).toBe(1)
    await inContracts(`update contract set expires_at = now() - interval '1 second' where id = $1`, [id])
    expect((await seen(id))['status']).toBe('signed')
  })

  it('expires with its link at its expiry, from both open statuses, in production and in the sandbox [S12.1, S12.5, S12.10, S12.13-14, S24.3]', async () => {
    const [open, half, test] = [
      await create(live, { parties }),
      await create(live, { parties }),
      await create(sandbox, { parties }),
    ]
    await sign(half.shareUrl, parties[1]!)
    for (const [{ id, shareUrl }, client, lifetime] of [
      [open, live, '14 days'],
      [half, live, '14 days'],
      [test, sandbox, '1 hour'],
    ] as const) {
      await inContracts(
        `update contract set created_at = now() - interval '1 ms' - $2::interval, expires_at = now() - interval '1 ms'
         where id = $1`,
        [id, lifetime],
      )
      expect((await seen(id, client))['status']).toBe('expired')
      const visitor = createVisitor()
      expect((await visitor.get(shareUrl)).status).toBe(410)
      visitor.close()
      const late = await paraph(running.folder, 'contract', 'cancel', id, '--reason', 'Too late')
      expect(late.code).toBe(1)
      expect((await seen(id, client))['status']).toBe('expired')
    }
  })

  it('is cancelled by the operator before all have signed, and stays cancelled [S12.1, S12.6, S12.11, S12.13]', async () => {
    const { id, shareUrl } = await create(live, { parties })
    await sign(shareUrl, parties[0]!)
    await command('contract', 'cancel', id, '--reason', 'Not needed')
    expect(await seen(id)).toMatchObject({ status: 'cancelled', signingProgress: { signed: 1, pending: 1 } })
    const visitor = createVisitor()
    expect((await visitor.get(shareUrl)).status).toBe(410)
    visitor.close()
    await inContracts(`update contract set expires_at = now() - interval '1 second' where id = $1`, [id])
    expect((await seen(id))['status']).toBe('cancelled')
  })

  it('is replaced by the same 404, except for the request id, for unknown ids, another account and the other environment [S15.1, S23.7, D5]', async () => {
    const [mine, tests] = [await create(live), await create(sandbox)]
    const answers: Answer<Fields>[] = []
    for (const [client, id] of [
      [live, 'contract-1795183380000-k3v9x2m1q'],
      [live, 'zebra'],
      [live, mine.id.toUpperCase()],
      [live, mine.id.replace('-', '%2D')],
      [live, `${mine.id}%20`],
      [live, `${mine.id}'--`],
      [theirs, mine.id],
      [live, tests.id],
      [sandbox, mine.id],
    ] as const) {
      answers.push(await client.call<Fields>('GET', `/contracts/${id}`))
    }
    const kept = (of: Headers): string[] => {
      const lines: string[] = []
      of.forEach((value, name) => {
        if (!/^(date|ratelimit.*|paraph-request-id)$/.test(name)) lines.push(`${name}: ${value}`)
      })
      return lines.toSorted()
    }
    const [first] = answers
    expect(first).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const { status, headers, body } of answers) {
      expect([status, { ...body, requestId: '' }]).toEqual([404, { ...first!.body, requestId: '' }])
      expect(kept(headers)).toEqual(kept(first!.headers))
    }
    expect(new Set(answers.map(({ body }) => body['requestId'])).size).toBe(answers.length)
    expect((await theirs.get(tests.id)).status).toBe(404)
  })
})

describe('the gateway [Subscription tiers, Scopes, Limits]', () => {
  it.each([
    ['startup', 60, 5_000],
    ['growth', 300, 25_000],
    ['enterprise', 1_000, 250_000],
  ])('allows %s %i calls a minute, %i a month [S10.1, S11.4, S21.1-4, S24.5-7]', async (tier, perMinute, monthly) => {
    const status = await tiers[tier]!.call('GET', '/status')
    expect(status.body).toMatchObject({
      status: 'operational',
      subscription: { tier },
      limits: { requestsPerMinute: perMinute, monthlyQuota: monthly },
    })
    expect(windowOf(status)[0]).toBe(perMinute)
    expect(await usageOf(tiers[tier]!)).toMatchObject({ quotaLimit: monthly })
  })

  it('grants a key both scopes if none are requested [S18.4, S19.3]', async () => {
    const { body } = await tiers['startup']!.call<{ key: { scopes: string[] } }>('GET', '/status')
    expect(body.key.scopes.toSorted()).toEqual(['contracts:read', 'contracts:write'])
  })

  it('allows 60 calls a minute and 1,000 a month in the sandbox, whatever the tier [S20.2, S24.12, D8]', async () => {
    const before = await usageOf(live)
    expect((await sandbox.call('GET', '/status')).body).toMatchObject({
      key: { environment: 'sandbox' },
      limits: { requestsPerMinute: 60, monthlyQuota: 1_000 },
    })
    await create(sandbox)
    const after = await usageOf(live)
    expect(after.billableCalls).toBe(before.billableCalls)
    expect(after.endpointBreakdown['POST /contracts']).toBe(before.endpointBreakdown['POST /contracts'])
  })

  it('answers 429 to every call over the rate limit, and Reset shows for how long [S21.1, S23.2, S24.8]', async () => {
    const client = tiers['startup']!
    const answers: Answer[] = []
    for (let at = 0; at < 62; at += 1) answers.push(await client.call('GET', '/status'))
    const admitted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect(admitted.length + refused.length).toBe(62)
    // Calls of earlier tests may leave the window during these calls.
    expect(admitted.length).toBeGreaterThanOrEqual(1 + windowOf(answers[0]!)[1]!)
    expect(admitted.length).toBeLessThanOrEqual(60)
    expect(admitted.at(-1)).toBe(answers[admitted.length - 1])
    for (const answer of refused) {
      const [limit, remaining, reset] = windowOf(answer)
      expect([limit, remaining]).toEqual([60, 0])
      expect(reset).toBeGreaterThanOrEqual(1)
      expect(reset).toBeLessThanOrEqual(60)
      expect(answer.headers.get('retry-after')).toBe(String(reset))
      expect(answer.body).toMatchObject({ error: expect.any(String), code: 'rate_limited' })
    }
  })
})

describe('the gateway [GET /status, GET /usage]', () => {
  it('answers GET /status with its fields at the top level, for a key with any scopes, without charge [S2.8, S10.1-2, S13.7, S17.1-3, S25.2]', async () => {
    const before = await usageOf(live)
    const { status, body } = await live.call<Fields>('GET', '/status')
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(['key', 'limits', 'status', 'subscription', 'version'])
    expect(body).toMatchObject({ status: 'operational', subscription: { tier: 'load' }, version: '2.0.0' })
    const after = await usageOf(live)
    expect(after.billableCalls).toBe(before.billableCalls)
    expect(after.totalCalls).toBe(before.totalCalls + 2)
  })

  it('shows the usage of the calendar month in UTC, counts every call by endpoint, and bills only POST and GET of contracts [S2.8, S3.1, S11.1-3, S11.5-10, S13.4-6, S16.1-2, S17.5, S24.9]', async () => {
    const client = tiers['enterprise']!
    const { id } = await create(client)
    await client.get(id)
    await client.get('contract-1-unknown00')
    await client.call('POST', '/contracts', {})
    await client.call('GET', '/status')
    const { status, body } = await client.call<{ success: boolean; usage: Fields & Usage }>(
      'GET',
      '/usage?period=2020-01',
    )
    expect([status, Object.keys(body), body.success]).toEqual([200, ['success', 'usage'], true])
    const { usage } = body
    const month = String(usage['period'])
    expect(month).toMatch(/^\d{4}-\d\d$/)
    const next = new Date(`${month}-01T00:00:00.000Z`)
    next.setUTCMonth(next.getUTCMonth() + 1)
    const { totalCalls, endpointBreakdown: calls } = usage
    expect(usage).toEqual({
      period: month,
      totalCalls,
      billableCalls: 2,
      quotaLimit: 250_000,
      remaining: 249_998,
      overageCalls: 0,
      endpointBreakdown: {
        'POST /contracts': 2,
        'GET /contracts/:id': 2,
        'GET /usage': calls['GET /usage'],
        'GET /status': calls['GET /status'],
      },
      periodStart: `${month}-01T00:00:00.000Z`,
      periodEnd: new Date(next.getTime() - 1).toISOString(),
    })
    expect(Object.values(calls).reduce((sum, count) => sum + count, 0)).toBe(totalCalls)
    expect(Object.values(calls).every(Number.isInteger)).toBe(true)
  })

  it('has no endpoint for lists, PDFs or cancellations, and ignores query parameters [S12.12, S17.4-5, S25.9-10]', async () => {
    const { id } = await create(live)
    const answerOf = async (method: string, path: string) => (await live.call(method, path)).status
    expect(await answerOf('GET', '/contracts')).toBe(405)
    expect(await answerOf('GET', '/contracts?status=signed&page=1')).toBe(405)
    expect(await answerOf('GET', `/contracts/${id}/pdf`)).toBe(404)
    expect(await answerOf('POST', `/contracts/${id}/cancel`)).toBe(404)
    for (const method of ['DELETE', 'PATCH', 'PUT', 'POST'])
      expect(await answerOf(method, `/contracts/${id}`)).toBe(405)
    await until(
      'both invitations are sent',
      async () => ((await read(id))['parties'] as Fields[]).every(({ delivery }) => delivery === 'sent') || undefined,
    )
    expect(await read(`${id}?fields=status&page=2&api_key=zebra`)).toEqual(await read(id))
    expect((await read(id))['status']).toBe('pending_signature')
  })
})

describe('every answer [Limits, Errors, Authentication]', () => {
  it('has the three rate-limit headers, and every failure has an error message in the field `error` [S23.1, S23.4-5, S24.7]', async () => {
    const { id } = await create(live)
    const stranger = createApiClient(running.stack.apiUrl, 'paraph_live_nothing')
    const removed = createApiClient(running.stack.apiUrl.replace('v2', 'v1'), liveKey)
    const calls: [number, Promise<Answer<unknown>>][] = [
      [201, live.create(CONTRACT)],
      [200, live.get(id)],
      [200, live.call('GET', '/usage')],
      [200, live.call('GET', '/status')],
      [400, live.call('POST', '/contracts', '{')],
      [401, stranger.call('GET', '/status')],
      [404, live.call('GET', '/contracts/contract-1-unknown00')],
      [404, live.call('GET', '/nothing')],
      [404, removed.call('POST', '/contracts', CONTRACT)],
      [404, removed.call('GET', `/contracts/${id}`)],
      [405, live.call('DELETE', '/usage')],
      [415, live.call('POST', '/contracts', 'zebra', { 'content-type': 'text/plain' })],
    ]
    for (const [expected, call] of calls) {
      const answer = await call
      expect(answer.status).toBe(expected)
      const [limit = NaN, remaining = NaN, reset = NaN] = windowOf(answer)
      expect([60, 1_000_000]).toContain(limit)
      expect(remaining).toBeGreaterThanOrEqual(0)
      expect(remaining).toBeLessThanOrEqual(limit)
      expect(reset).toBeGreaterThanOrEqual(1)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      // Scripts of other sites cannot read the answer, and the answer does not reveal the server software.
      for (const name of ['access-control-allow-origin', 'server', 'x-powered-by']) {
        expect(answer.headers.has(name)).toBe(false)
      }
      if (expected < 400) continue
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect((answer.body as Fields)['error']).toMatch(/^[A-Z].*\.$/s)
      expect(JSON.stringify(answer.body)).not.toMatch(/zebra|paraph_live|node_modules|select |at \w+ \(/i)
    }
    expect((await stranger.call<Fields>('GET', '/status')).body['error']).toMatch(/key.*[Cc]heck/)
  })
})

describe('POST /contracts answers through the gateway [S13.2, S14.4, S23.8, S24.2, D5, D6, D7, D11, D14, D18]', () => {
  it.each(ODD_BODIES)('the body or header "$name" with $answer', async ({ body, headers, answer }) => {
    const sent = Object.entries({ 'content-type': 'application/json', 'x-api-key': liveKey, ...headers })
    const {
      statusCode,
      headers: received,
      body: stream,
    } = await request(`${running.stack.apiUrl}/contracts`, {
      method: 'POST',
      headers: Object.fromEntries(sent.filter((pair): pair is [string, string] => pair[1] !== undefined)),
      body: Buffer.from(body),
    })
    const text = await stream.text()
    const fields = new Headers(Object.entries(received).map(([name, value]): [string, string] => [name, String(value)]))
    keepReceipt(liveKey, fields)
    checkAnswer({ method: 'POST', url: '/api/external/v2/contracts', status: statusCode, headers: fields, text })
    const { code, ...rest } = JSON.parse(text) as Fields
    expect(statusCode === 201 ? '201' : `${statusCode} ${String(code)}`).toBe(answer)
    expect(Number(received['ratelimit-limit'])).toBe(1_000_000)
    expect(received['cache-control']).toBe('no-store')
    expect(received['connection']).toBe(statusCode === 413 ? 'close' : 'keep-alive')
    if (statusCode === 201) return expect((rest['contract'] as Fields)['status']).toBe('pending_signature')
    expect(Object.keys(rest).toSorted()).toEqual(
      statusCode === 400 ? ['error', 'issues', 'requestId', 'type'] : ['error', 'requestId', 'type'],
    )
    expect(text).not.toMatch(/zebra|secret|JSON\.parse|position \d/i)
  })
})
