import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CONTENT_BYTES_MAX, BODY_BYTES_MAX } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/principal'
import { introduce, serve } from '@paraph/rpc/test/caller-fixture'
import { renderErrors } from '@paraph/http/render-errors'
import { mountRest } from '@paraph/rpc/rest'
import { createLogger } from '@paraph/telemetry/logger'
import { bodyOf, openContractFixture, PRINCIPAL, type ContractFixture } from '../../test/contract-fixture.js'
import { createRestRouter } from './rest-router.js'

let fixture: ContractFixture
let server: Awaited<ReturnType<typeof serve>>
let token: (principal?: Principal, audience?: string) => Promise<string>

beforeAll(async () => {
  fixture = await openContractFixture()
  const { signer, verify } = introduce('gateway', 'contract')
  token = (principal = PRINCIPAL, audience = 'contract') => signer.sign(audience, principal)
  server = await serve(
    renderErrors(createLogger('contract', 'silent')),
    mountRest({ router: createRestRouter(fixture), verify, callers: ['gateway'] }),
  )
})
afterAll(async () => {
  await server.close()
  await fixture.close()
})

interface Reply {
  status: number
  headers: Headers
  text: string
  body: {
    error?: string
    code?: string
    requestId?: string
    issues?: { path: string; message: string }[]
    contract?: Record<string, unknown>
  }
}

async function send(
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  principal = PRINCIPAL,
): Promise<Reply> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await token(principal)}`,
      'x-paraph-request-id': randomUUID(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? {} : (JSON.parse(text) as Reply['body']),
  }
}

const post = (body: unknown, headers?: Record<string, string>) =>
  send('POST', '/contracts', JSON.stringify(body), headers)

/** Expects a 400 that names the path of the field and does not repeat the value. */
async function expectIssue(body: unknown, path: string, secret?: string): Promise<void> {
  const reply = await post(body)
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(reply.body.issues?.map((issue) => issue.path)).toContain(path)
  expect(reply.body.requestId).toBeTruthy()
  if (secret) expect(reply.text).not.toContain(secret)
}

it('POST /contracts answers 201 with every field of the specification, and Location [S5.6, POST /contracts, D1]', async () => {
  const reply = await post({ ...bodyOf(2), senderName: '  Nordic  ', metadata: { z: '1', a: '2' } })
  expect(reply.status).toBe(201)
  expect(Object.keys(reply.body)).toEqual(['success', 'contract'])
  expect(Object.keys(reply.body.contract!).toSorted()).toEqual(
    [
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
    ].toSorted(),
  )
  expect(reply.headers.get('location')).toBe(`/api/external/v2/contracts/${String(reply.body.contract!['id'])}`)
  const got = await send('GET', `/contracts/${String(reply.body.contract!['id'])}`)
  expect(Object.keys(got.body.contract!).toSorted()).toEqual(
    [
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
    ].toSorted(),
  )
  expect(got.body.contract).toMatchObject({ senderName: 'Nordic', completedAt: null, signatures: [] })
  expect(got.text).toContain('"metadata":{"z":"1","a":"2"}')
})

it('GET answers the same for unknown ids and for contracts of another account or environment [D5, D10]', async () => {
  const { id } = await fixture.createContract()
  const replies = await Promise.all([
    send('GET', '/contracts/contract-1-unknown00'),
    send('GET', `/contracts/${id}`, undefined, {}, { ...PRINCIPAL, accountId: 'acc_other' }),
    send('GET', `/contracts/${id}`, undefined, {}, { ...PRINCIPAL, environment: 'sandbox' }),
  ])
  const answers = replies.map(({ status, body: { error, code } }) => ({ status, error, code }))
  expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' })
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
})

it('the interface refuses a request without a token for this service [D45]', async () => {
  for (const authorization of ['', 'Bearer x', `Bearer ${await token(PRINCIPAL, 'signing')}`]) {
    expect((await send('GET', '/contracts/contract-1-unknown00', undefined, { authorization })).status).toBe(401)
  }
})

describe('a field that breaks a rule gets a 400 that names the field and does not repeat its value [S14.2, S24.11, D6, D11, D12, D14]', () => {
  const party = bodyOf(2).parties[0]!
  const withParty = (changes: Record<string, unknown>) => ({
    ...bodyOf(2),
    parties: [{ ...party, ...changes }, bodyOf(2).parties[1]],
  })
  it.each<[string, unknown, string, string?]>([
    ['no parties', { ...bodyOf(2), parties: undefined }, 'parties'],
    ['one party', { ...bodyOf(2), parties: [party] }, 'parties'],
    ['51 parties', bodyOf(51), 'parties'],
    ['parties as an object', { ...bodyOf(2), parties: { 0: party } }, 'parties'],
    ['a party that is a string', { ...bodyOf(2), parties: ['SECRET-1', party] }, 'parties[0]', 'SECRET-1'],
    [
      'the same party twice',
      { ...bodyOf(2), parties: [party, { ...party, email: party.email.toUpperCase() }] },
      'parties[1]',
    ],
    ['a blank role', withParty({ role: ' \u00A0' }), 'parties[0].role'],
    ['a role too long', withParty({ role: 'r'.repeat(101) }), 'parties[0].role', 'rrr'],
    ['a legal name too long', withParty({ legalName: 'n'.repeat(201) }), 'parties[0].legalName', 'nnn'],
    ['a hidden character in a name', withParty({ legalName: 'SECRET\u200B2' }), 'parties[0].legalName', 'SECRET'],
    ['no legal name', withParty({ legalName: undefined }), 'parties[0].legalName'],
    ['an email with a quote', withParty({ email: '"SECRET-3"@x.test' }), 'parties[0].email', 'SECRET-3'],
    ['an email that is a number', withParty({ email: 7 }), 'parties[0].email'],
    ['an unknown contract type', { ...bodyOf(2), contractType: 'SECRET-4' }, 'contractType', 'SECRET-4'],
    ['no content', { ...bodyOf(2), content: undefined }, 'content'],
    ['blank content', { ...bodyOf(2), content: ' \n\t' }, 'content'],
    ['NUL in the content', { ...bodyOf(2), content: 'SECRET-5\u0000' }, 'content', 'SECRET-5'],
    ['half a surrogate pair in the content', { ...bodyOf(2), content: 'SECRET-6\uD800' }, 'content', 'SECRET-6'],
    ['content one byte too long', { ...bodyOf(2), content: 'é'.repeat(CONTENT_BYTES_MAX / 2) + 'x' }, 'content', 'éé'],
    ['a sender that is an address', { ...bodyOf(2), senderName: 'SECRET@paypal.test' }, 'senderName', 'SECRET'],
    ['metadata as an array', { ...bodyOf(2), metadata: ['SECRET-7'] }, 'metadata', 'SECRET-7'],
    ['a metadata value that is a number', { ...bodyOf(2), metadata: { 'SECRET-8': 1 } }, 'metadata', 'SECRET-8'],
    ['a metadata key too long', { ...bodyOf(2), metadata: { ['k'.repeat(41)]: '' } }, 'metadata', 'kkk'],
    [
      '51 metadata pairs',
      { ...bodyOf(2), metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, ''])) },
      'metadata',
    ],
  ])('%s is refused with 400', (_, ...issue) => expectIssue(...issue))

  it('names both sizes when the content is too long [S24.2, D7]', async () => {
    const reply = await post({ ...bodyOf(2), content: 'x'.repeat(CONTENT_BYTES_MAX + 1) })
    expect(reply.body.error).toContain('51201')
    expect(reply.body.error).toContain('51200')
    expect((await post({ ...bodyOf(2), content: 'é'.repeat(CONTENT_BYTES_MAX / 2) })).status).toBe(201)
  })

  it('accepts values exactly at the bounds [S14.6, S24.11, D11]', async () => {
    const widest = { ...party, role: '👩'.repeat(100), legalName: 'n'.repeat(200) }
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [String(n).padStart(40, 'k'), 'v'.repeat(500)]),
    )
    const parties = [widest, ...bodyOf(50).parties.slice(1)]
    expect((await post({ ...bodyOf(2), parties, metadata, senderName: 's'.repeat(100) })).status).toBe(201)
  })

  it('accepts two parties with one mailbox and different roles [D12]', async () => {
    expect((await post({ ...bodyOf(2), parties: [party, { ...party, role: 'Director' }] })).status).toBe(201)
  })
})

describe('the fields that the interface does not know [Versioning, D18]', () => {
  it.each([
    ['recipientEmail', { recipientEmail: 'x' }, 'parties'],
    ['recipientName', { recipientName: 'x' }, 'parties'],
    ['businessName', { businessName: 'x' }, 'senderName'],
    ['autoSign', { autoSign: true }, 'every party signs'],
    ['content', { content: { title: 'x' } }, 'plain text'],
  ])('refuses the removed %s and names its replacement [S25.5-8]', async (path, fields, replacement) => {
    const reply = await post({ ...bodyOf(2), ...fields })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request', issues: [{ path }] } })
    expect(reply.body.error?.toLowerCase()).toContain(replacement.toLowerCase())
  })

  it('ignores every other unknown field, including __proto__ and mass assignment', async () => {
    const json = JSON.stringify({
      ...bodyOf(2),
      id: 'contract-1-mine00000',
      status: 'signed',
      expiresAt: '2999-01-01T00:00:00.000Z',
    })
    const reply = await send('POST', '/contracts', json.replace('{', '{"__proto__":{"status":"signed"},'))
    expect(reply).toMatchObject({ status: 201, body: { contract: { status: 'pending_signature' } } })
    expect(reply.body.contract!['id']).not.toBe('contract-1-mine00000')
  })

  it('refuses unknown fields and names them, if the client prefers strict handling [D55]', async () => {
    const [first, ...others] = bodyOf(2).parties
    const typos = { ...bodyOf(2), parties: [{ ...first, phone: '1' }, ...others], sendername: 'x', 'né\n': 1 }
    const strict = { prefer: 'handling=strict' }
    const refused = await send('POST', '/contracts', JSON.stringify(typos), strict)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((refused.body.issues as { path: string }[]).map(({ path }) => path)).toEqual([
      'sendername',
      'n??',
      'parties[0].phone',
    ])
    expect(refused.headers.get('preference-applied')).toBe('handling=strict')
    const accepted = await send(
      'POST',
      '/contracts',
      JSON.stringify({ ...bodyOf(2), metadata: { any: 'key' } }),
      strict,
    )
    expect([accepted.status, accepted.headers.get('preference-applied')]).toEqual([201, 'handling=strict'])
    const lenient = await send('POST', '/contracts', JSON.stringify(typos), { prefer: 'handling=lenient' })
    expect([lenient.status, lenient.headers.get('preference-applied')]).toEqual([201, null])
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 1]))
    const cut = await send('POST', '/contracts', JSON.stringify({ ...bodyOf(2), ...many }), strict)
    expect(cut.body.issues).toHaveLength(20)
  })

  it('refuses __proto__ as a metadata key, and uses the last of duplicate keys', async () => {
    const text = JSON.stringify(bodyOf(2))
    expect((await send('POST', '/contracts', text.replace('{', '{"metadata":{"__proto__":"x"},'))).status).toBe(400)
    expect((await send('POST', '/contracts', text.replace('{', '{"contractType":"wrong",'))).status).toBe(201)
  })
})

describe('a request body [D5, D7]', () => {
  const valid = JSON.stringify(bodyOf(2))
  it.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, number, string]>([
    ['malformed JSON', '{"parties":', {}, 400, 'invalid_request'],
    ['an array', '[]', {}, 400, 'invalid_request'],
    ['null', 'null', {}, 400, 'invalid_request'],
    ['nothing', '', {}, 400, 'invalid_request'],
    ['broken UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}, 400, 'invalid_request'],
    ['21 levels', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, {}, 400, 'invalid_request'],
    ['a million brackets', '['.repeat(500_000), {}, 400, 'invalid_request'],
    ['another media type', valid, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['another charset', valid, { 'content-type': 'application/json; charset=latin1' }, 415, 'unsupported_media_type'],
    ['a compressed body', valid, { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['512 KiB and one byte', ' '.repeat(BODY_BYTES_MAX + 1), {}, 413, 'body_too_large'],
  ])('with %s is refused', async (_, body, headers, status, code) => {
    expect(await send('POST', '/contracts', body, headers)).toMatchObject({ status, body: { code } })
  })

  it('is accepted with a charset parameter, odd casing or exactly 512 KiB', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
      expect((await send('POST', '/contracts', valid, { 'content-type': type })).status).toBe(201)
    }
    expect((await send('POST', '/contracts', valid.padEnd(BODY_BYTES_MAX, ' '))).status).toBe(201)
  })
})

describe('the header Idempotency-Key [D11, D17]', () => {
  it('may have 255 characters; 256 characters, none, two keys or non-ASCII text are refused, each with its own error message', async () => {
    const accepted = await post(bodyOf(2), { 'idempotency-key': randomUUID().padEnd(255, 'k') })
    expect(accepted.status).toBe(201)
    const sentences = new Set<string>()
    for (const key of ['k'.repeat(256), '', 'first, second', 'caf\u00e9']) {
      const reply = await post(bodyOf(2), { 'idempotency-key': key })
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(reply.body.issues).toEqual([{ path: 'Idempotency-Key', message: reply.body.error }])
      sentences.add(reply.body.error!)
    }
    expect(sentences.size).toBe(4)
  })

  it('applies to the bytes of the body, so the same JSON with other whitespace is another body', async () => {
    const key = { 'idempotency-key': randomUUID() }
    expect((await post(bodyOf(2), key)).status).toBe(201)
    const spaced = await send('POST', '/contracts', JSON.stringify(bodyOf(2), null, 1), key)
    expect(spaced).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
})

it('a replay-only request creates nothing: the answer is the stored contract or 404 [D17]', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const replayOnly = { 'x-paraph-replay-only': '1' }
  const count = async () =>
    (await fixture.database
      .selectFrom('contract')
      .select((s) => s.fn.countAll<number>().as('n'))
      .executeTakeFirst())!.n
  const before = await count()
  expect(await post(bodyOf(2), { ...key, ...replayOnly })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  expect(await post(bodyOf(2), replayOnly)).toMatchObject({ status: 404 })
  expect(await count()).toBe(before)
  const first = await post(bodyOf(2), key)
  const second = await post(bodyOf(2), { ...key, ...replayOnly })
  expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(await post(bodyOf(3), { ...key, ...replayOnly })).toMatchObject({ status: 422 })
  expect(await count()).toBe(before + 1)
})

it('a repeated POST replays the answer byte for byte with Idempotency-Replayed; another body is a 422 [D17]', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const [first, second] = [await post(bodyOf(2), key), await post(bodyOf(2), key)]
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(second).toMatchObject({ status: 201, text: first.text })
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await post(bodyOf(3), key)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
})

it('the scope of the service token decides what a call may do, also behind a gateway that would let it pass [Scopes, S19.1-2]', async () => {
  const before = await post(bodyOf(2))
  const path = `/contracts/${String(before.body.contract!['id'])}`
  const answers = async (scopes: Principal['scopes']) => {
    const principal = { ...PRINCIPAL, scopes }
    const created = await send('POST', '/contracts', JSON.stringify(bodyOf(2)), {}, principal)
    const read = await send('GET', path, undefined, {}, principal)
    return [created, read].map(({ status, body }) => [status, body.code])
  }
  const missing = [403, 'missing_scope']
  expect(await answers([])).toEqual([missing, missing])
  expect(await answers(['contracts:write'])).toEqual([[201, undefined], missing])
  expect(await answers(['contracts:read'])).toEqual([missing, [200, undefined]])
})
