import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, fetchChecked } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { startGateway, startReplica, type StartedGateway } from '../../harness/stack/gateways.js'
import { whenInvited } from '../../harness/clients/invited.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { makeDataFolder, paraphJson, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

interface Reply {
  status: number
  headers: Headers
  text: string
  code: string | undefined
  ms: number
}

let running: RunningStack
/** Replicas of the contract service and of the gateway. This gateway calls this contract service. */
let contractB: Awaited<ReturnType<typeof startReplica>>
let gatewayB: StartedGateway
let key: string
beforeAll(async () => {
  running = await startStack(await makeDataFolder(), { PARAPH_RESTART_MS_MAX: '200' })
  contractB = await startReplica('contract', running.folder)
  gatewayB = await startGateway(running.folder, { CONTRACT_URL: `http://127.0.0.1:${contractB.port}` })
  key = (await createAccount(running.folder)).liveKey
})
afterAll(async () => {
  await gatewayB?.stop()
  await contractB?.stop()
  await running?.close()
})

const apiUrls = () => ({ a: running.stack.apiUrl, b: gatewayB.apiUrl })

async function get(apiUrl: string, id: string, headers: Record<string, string> = {}): Promise<Reply> {
  const sentAtMs = performance.now()
  const response = await fetchChecked(`${apiUrl}/contracts/${id}`, { headers: { 'x-api-key': key, ...headers } })
  const text = await response.text()
  const { code } = text === '' ? {} : (JSON.parse(text) as { code?: string })
  return { status: response.status, headers: response.headers, text, code, ms: performance.now() - sentAtMs }
}

async function createContract(tag: string) {
  const { body } = await createApiClient(running.stack.apiUrl, key).create({
    contractType: 'nda',
    content: 'The parties keep secrets secret.',
    parties: ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}.${tag}@example.test` })),
  })
  const { headers } = await whenInvited(() => get(running.stack.apiUrl, body.contract.id))
  const known = headers.get('etag')!
  return { ...body.contract, known }
}

/** Starts long polls through both gateways, and waits until all are suspended. @returns the pending answers */
async function waitThroughBoth(id: string, known: string, each = 5, seconds = 25): Promise<Promise<Reply>[]> {
  const { a, b } = apiUrls()
  const headers = { 'if-none-match': known, prefer: `wait=${seconds}` }
  let answered = 0
  const replies = [a, b].flatMap((apiUrl) => Array.from({ length: each }, () => get(apiUrl, id, headers)))
  for (const reply of replies) void reply.then(() => (answered += 1))
  // Two later calls per gateway are answered first, which shows that every long poll is suspended.
  for (const apiUrl of [a, b, a, b]) await get(apiUrl, id, { 'if-none-match': known })
  expect(answered).toBe(0)
  return replies
}

it('a read of an unchanged contract gets a 304, which is free [GET /contracts/{id}, D3, D22, D53]', async () => {
  const { id, known } = await createContract('plain')
  const first = await get(running.stack.apiUrl, id)
  const second = await get(running.stack.apiUrl, id, { 'if-none-match': known })
  expect([first.status, second.status, second.text]).toEqual([200, 304, ''])
  for (const name of ['etag', 'last-modified', 'cache-control']) {
    expectWithMessage(second.headers.get(name), name).toBe(first.headers.get(name))
  }
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expectWithMessage(second.headers.get(name), name).toMatch(/^\d+$/)
  }
  expect([second.headers.get('paraph-quota-weight'), second.headers.get('paraph-quota-billable')]).toEqual([
    '0',
    'false',
  ])
  const late = await get(running.stack.apiUrl, id, { 'if-none-match': known, prefer: 'wait=1' })
  expect([late.status, late.text, late.headers.get('preference-applied')]).toEqual([304, '', 'wait=1'])
})

it('long polls at all replicas return when the invitations are sent [D52]', async () => {
  const { body } = await createApiClient(running.stack.apiUrl, key).create({
    contractType: 'nda',
    content: 'The parties keep secrets secret.',
    parties: ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}.invited@example.test` })),
  })
  const { a, b } = apiUrls()
  for (const apiUrl of [a, b]) {
    const seen: string[] = []
    let answer = await get(apiUrl, body.contract.id)
    for (;;) {
      const { contract } = JSON.parse(answer.text) as { contract: { parties: { delivery: string }[] } }
      seen.push(contract.parties.map(({ delivery }) => delivery).join(' '))
      if (seen.at(-1) === 'sent sent') break
      answer = await get(apiUrl, body.contract.id, { 'if-none-match': answer.headers.get('etag')!, prefer: 'wait=25' })
      expect(answer.status).toBe(200)
    }
    expect(seen.length).toBeLessThanOrEqual(3)
  }
})

it('all long polls at all replicas return when a party signs, and again when the contract is cancelled [D22, D48]', async () => {
  const contract = await createContract('polled')
  const first = await waitThroughBoth(contract.id, contract.known)
  const visitor = createVisitor()
  const review = await proveMailbox(visitor, contract.shareUrl, 'a.polled@example.test', running.stack.mailboxUrl)
  await signOn(visitor, review, 'a')
  visitor.close()
  const signed = await Promise.all(first)
  for (const { status, headers, text } of signed) {
    expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=25'])
    expect(text).toContain('"partially_signed"')
  }
  const second = await waitThroughBoth(contract.id, signed[0]!.headers.get('etag')!)
  await paraphJson(running.folder, 'contract', 'cancel', contract.id, '--reason', 'Test')
  for (const { status, text } of await Promise.all(second)) {
    expect(status).toBe(200)
    expect(text).toContain('"cancelled"')
  }
})

it('long polls through both gateways get a 401 immediately when their key is revoked [D22, D28]', async () => {
  const before = key
  const { accountId, liveKey } = await createAccount(running.folder)
  key = liveKey
  const { id, known } = await createContract('revoked')
  const replies = await waitThroughBoth(id, known)
  const { keys } = await paraphJson<{ keys: { id: string }[] }>(running.folder, 'key', 'list', '--account', accountId)
  for (const { id: keyId } of keys) await paraphJson(running.folder, 'key', 'revoke', keyId)
  for (const { status, code, ms } of await Promise.all(replies)) {
    expect([status, code]).toEqual([401, 'invalid_key'])
    expect(ms).toBeLessThan(20_000)
  }
  key = before
})

describe('during long polls [D22, D32, H13]', () => {
  /** Less than half of the 25 s for which the clients would wait. */
  const SOON_MS = 12_000

  it('kill -9 of a contract service causes a 503 with Retry-After or the answer of the restarted service', async () => {
    const { id, known } = await createContract('killed')
    const { pids } = (await running.read())!
    const replies = await waitThroughBoth(id, known)
    const [ofA, ofB] = [replies.slice(0, 5), replies.slice(5)]
    process.kill(pids.contract, 'SIGKILL')
    await until('a restarted contract service', async () => {
      const stack = await running.read()
      return stack && stack.pids.contract !== pids.contract ? true : undefined
    })
    await until('an answering contract service', async () =>
      (await get(running.stack.apiUrl, id)).status === 200 ? true : undefined,
    )
    await paraphJson(running.folder, 'contract', 'cancel', id, '--reason', 'Test')
    for (const { status, headers, code } of await Promise.all(ofA)) {
      if (status === 503)
        expect([code, headers.get('retry-after')]).toEqual(['unavailable', expect.stringMatching(/^\d+$/)])
      else expect(status).toBe(200)
    }
    // The kill does not affect the long polls at the other replica.
    for (const { status, text } of await Promise.all(ofB)) {
      expect(status).toBe(200)
      expect(text).toContain('"cancelled"')
    }
  })

  it('SIGTERM of a contract service causes an immediate 304, and the service stops without waiting for the clients', async () => {
    const { id, known } = await createContract('stopped')
    const replies = await waitThroughBoth(id, known)
    const stoppedAtMs = performance.now()
    await contractB.stop()
    expect(performance.now() - stoppedAtMs).toBeLessThan(SOON_MS)
    for (const { status, headers } of await Promise.all(replies.slice(5))) {
      expect([status, headers.get('preference-applied')]).toEqual([304, null])
    }
    await contractB.start()
    await paraphJson(running.folder, 'contract', 'cancel', id, '--reason', 'Test')
    for (const { status } of await Promise.all(replies.slice(0, 5))) expect(status).toBe(200)
  })

  it('SIGTERM of a gateway causes an immediate 304 with its headers, and the gateway stops without waiting for the clients', async () => {
    const { id, known } = await createContract('stopped-gateway')
    const usage = async () =>
      (
        await createApiClient(running.stack.apiUrl, key).call<{
          usage: { billableCalls: number; endpointBreakdown: Record<string, number> }
        }>('GET', '/usage')
      ).body.usage
    const replies = await waitThroughBoth(id, known)
    const before = await usage()
    const stoppedAtMs = performance.now()
    await gatewayB.stop()
    expect(performance.now() - stoppedAtMs).toBeLessThan(SOON_MS)
    for (const { status, headers } of await Promise.all(replies.slice(5))) {
      expect([status, headers.get('etag'), headers.get('preference-applied')]).toEqual([304, known, null])
      expect(headers.get('paraph-quota-billable')).toBe('false')
    }
    // Each is counted, and costs nothing. [D53]
    const { billableCalls, endpointBreakdown } = await usage()
    expect(endpointBreakdown['GET /contracts/:id']).toBe(before.endpointBreakdown['GET /contracts/:id']! + 5)
    expect(billableCalls).toBe(before.billableCalls)
    await paraphJson(running.folder, 'contract', 'cancel', id, '--reason', 'Test')
    for (const { status } of await Promise.all(replies.slice(0, 5))) expect(status).toBe(200)
    await gatewayB.start()
  })
})
