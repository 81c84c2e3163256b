import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { introduce, serve } from '@paraph/rpc/test/caller-fixture'
import { renderErrors } from '@paraph/http/render-errors'
import { mountRest } from '@paraph/rpc/rest'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { waitFor } from '@paraph/testing/wait-for'
import { openContractFixture, PRINCIPAL, type ContractFixture } from '../../test/contract-fixture.js'
import { createRestRouter } from './rest-router.js'

let fixture: ContractFixture
let server: Awaited<ReturnType<typeof serve>>
let token: string
beforeAll(async () => {
  fixture = await openContractFixture()
  const { signer, verify } = introduce('gateway', 'contract')
  token = await signer.sign('contract', PRINCIPAL)
  const router = createRestRouter(fixture)
  server = await serve(
    renderErrors(createLogger('contract', 'silent')),
    mountRest({ router, verify, callers: ['gateway'] }),
  )
  fixture.announceBy(fixture.subscriptions)
  fixture.subscriptions.start()
  await waitFor(() => expect(fixture.subscriptions.isListening()).toBe(true), { timeout: 20_000 })
})
afterAll(async () => {
  await server.close()
  await fixture.close()
})

async function get(id: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) {
  const response = await fetch(`${server.url}/contracts/${id}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal,
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const sign = (id: string, partyIndex: number) =>
  fixture.store.execute(id, { type: 'sign', partyIndex, attemptId: randomUUID() })
const tagOf = async (id: string) => (await get(id)).headers.get('etag')!

it('GET sends a strong ETag, a hash of the bytes sent, and the time of the last change as Last-Modified [D22]', async () => {
  const contract = await fixture.createContract()
  const first = await get(contract.id)
  expect(first.headers.get('etag')).toBe(`"${createHash('sha256').update(first.text).digest('base64url')}"`)
  const createdAt = new Date(Math.floor(Date.parse(contract.createdAt) / 1_000) * 1_000)
  expect(first.headers.get('last-modified')).toBe(createdAt.toUTCString())
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  expect(await tagOf(contract.id)).toBe(first.headers.get('etag'))
  await sign(contract.id, 0)
  const second = await get(contract.id)
  expect(second.headers.get('etag')).toBe(`"${createHash('sha256').update(second.text).digest('base64url')}"`)
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
})

it('the ETag changes at expiresAt, and not again when the sweep stores the expiry [D20, D22]', async () => {
  const { id } = await fixture.createContract()
  const open = await get(id)
  const expiresAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 5_000)
  await fixture.pool.query('update contract set created_at = $2, changed_at = $2, expires_at = $3 where id = $1', [
    id,
    new Date(Number(expiresAt) - 60_000),
    expiresAt,
  ])
  const unswept = await get(id, { 'if-none-match': open.headers.get('etag')! })
  expect(unswept).toMatchObject({ status: 200 })
  expect(unswept.headers.get('last-modified')).toBe(expiresAt.toUTCString())
  await fixture.store.execute(id, { type: 'expire' })
  const swept = await get(id, { 'if-none-match': unswept.headers.get('etag')! })
  expect([swept.status, swept.headers.get('last-modified')]).toEqual([304, expiresAt.toUTCString()])
})

it('GET answers 304 without a body to a request with the current ETag, and to no other request [D22]', async () => {
  const { id } = await fixture.createContract()
  const { headers } = await get(id)
  const tag = headers.get('etag')!
  for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const reply = await get(id, { 'if-none-match': known })
    expect([reply.status, reply.text]).toEqual([304, ''])
    for (const name of ['etag', 'last-modified', 'cache-control']) {
      expectWithMessage(reply.headers.get(name), name).toBe(headers.get(name))
    }
    expect(reply.headers.get('content-type')).toBeNull()
  }
  for (const known of ['"x"', tag.slice(1, -1), '']) {
    expect((await get(id, { 'if-none-match': known })).status).toBe(200)
  }
  const later = new Date(Date.now() + 86_400_000).toUTCString()
  expectWithMessage((await get(id, { 'if-modified-since': later })).status, 'If-Modified-Since is ignored').toBe(200)
})

describe('Prefer: wait [D22]', () => {
  const wait = (seconds: number, known: string) => ({ prefer: `wait=${seconds}`, 'if-none-match': known })

  it('suspends the answer until the contract changes', async () => {
    const { id } = await fixture.createContract()
    const reply = get(id, wait(25, await tagOf(id)))
    await waitFor(() => expect(fixture.subscriptions.waiterCount()).toBe(1), { timeout: 20_000 })
    await sign(id, 0)
    expect((await reply).status).toBe(200)
    expect((await reply).headers.get('preference-applied')).toBe('wait=25')
    expect((await reply).text).toContain('"partially_signed"')
  })

  it('answers 304 when the wait times out, and immediately if there is nothing to wait for', async () => {
    const { id } = await fixture.createContract()
    const startedAtMs = performance.now()
    const late = await get(id, wait(1, await tagOf(id)))
    expect([late.status, late.text, late.headers.get('preference-applied')]).toEqual([304, '', 'wait=1'])
    expect(performance.now() - startedAtMs).toBeGreaterThan(990)
    const changed = await get(id, wait(25, '"x"'))
    expect([changed.status, changed.headers.get('preference-applied')]).toEqual([200, 'wait=25'])
    for (const known of ['*', 'nonsense']) {
      const reply = await get(id, wait(25, known))
      expect([reply.status, reply.headers.get('preference-applied')]).toEqual([known === '*' ? 304 : 200, null])
    }
    const unknown = await get('contract-1-unknown00', wait(25, '"x"'))
    expect([unknown.status, unknown.headers.get('etag'), unknown.headers.get('preference-applied')]).toEqual([
      404,
      null,
      null,
    ])
  })

  it('removes the waiter of a client that disconnected', async () => {
    const { id } = await fixture.createContract()
    const leaving = new AbortController()
    const reply = get(id, wait(25, await tagOf(id)), leaving.signal).catch(() => 'left')
    await waitFor(() => expect(fixture.subscriptions.waiterCount()).toBe(1), { timeout: 20_000 })
    leaving.abort()
    expect(await reply).toBe('left')
    await waitFor(() => expect(fixture.subscriptions.waiterCount()).toBe(0), { timeout: 20_000 })
  })

  // This test must be the last of this file, because the fixture accepts no waiters afterwards.
  it('answers 304 without Preference-Applied when the service stops', async () => {
    const { id } = await fixture.createContract()
    const known = await tagOf(id)
    const reply = get(id, wait(25, known))
    await waitFor(() => expect(fixture.subscriptions.waiterCount()).toBe(1), { timeout: 20_000 })
    fixture.subscriptions.endAll()
    for (const each of [await reply, await get(id, wait(25, known))]) {
      expect([each.status, each.headers.get('preference-applied')]).toEqual([304, null])
    }
  })
})
