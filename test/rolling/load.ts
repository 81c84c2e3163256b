// Clients that start calls at a steady rate, whatever the earlier answers, and record every call that was lost, refused or broken.
// Owns: the calls and their answers. Does not own: whole ceremonies (../faults/workload.ts), the state behind the answers.
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import type { Answer, ContractBody } from '../harness/clients/api-client.js'
import type { BaseStack } from '../faults/base-stack.js'
import type { CreatedContract } from '../faults/workload.js'
import { keepReceipt } from '../harness/stack/receipts.js'

/** The number of calls of each kind in a hundred; the rest are reads. */
const SHARE = { create: 20, usage: 15, status: 15, wait: 10 } as const
/** The seconds after which a long poll without a change ends; shorter than a run. */
const WAIT_SECONDS = 5
const PARTIES = 2
const SLOWEST_KEPT = 5
/** The limit of concurrent calls: on a slow machine the rate drops, and no queue builds up. */
const UNDER_WAY_MAX = 64

interface Failure {
  /** A call and its result. */
  what: string
  /** 0: no answer came. 503 also if GET /status reports a part as unavailable. */
  status: number
  /** Milliseconds of the wall clock, at the start of the call. */
  at: number
}

/** @param ratePerSecond calls started per second, independent of earlier answers, up to a limit of concurrent calls */
export async function createLoad(
  stack: BaseStack,
  { ratePerSecond, seed, tag }: { ratePerSecond: number; seed: number; tag: string },
) {
  const random = createSeededRandom(seed)
  const { accountId, key } = await stack.createAccount(`Load ${tag}`)
  const created: CreatedContract[] = []
  const etags = new Map<string, string>()
  const failures: Failure[] = []
  const counts: Record<string, number> = {}
  const underWay = new Set<Promise<void>>()
  let numbers = 0
  let isOver = false
  let running: Promise<void> | undefined
  let seconds = 0
  /** The slowest answers, without long polls: the call, its start, its duration. */
  let slowest: { what: string; at: number; ms: number }[] = []

  const fail = (what: string, status: number, at: number): void => void failures.push({ what, status, at })

  /** Sends a call. Does not check the answer against docs/openapi.json, which would double the cost; ceremonies check their answers. */
  async function ask<Body>(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer<Body>> {
    const response = await fetch(stack.stack.apiUrl + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: body ?? null,
    })
    keepReceipt(key, response.headers)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as Body }
  }

  /** One call. Any status outside `expected` is a failure, and so is a missing answer. */
  async function call<Body>(
    what: string,
    expected: readonly number[],
    send: () => Promise<Answer<Body>>,
  ): Promise<Answer<Body> | undefined> {
    counts[what] = (counts[what] ?? 0) + 1
    const startedAt = Date.now()
    try {
      const answer = await send()
      const ms = Date.now() - startedAt
      if (what !== 'long poll' && ms > (slowest.at(-1)?.ms ?? 0))
        slowest = [...slowest, { what, at: startedAt, ms }].toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_KEPT)
      if (!expected.includes(answer.status))
        fail(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`, answer.status, startedAt)
      else return answer
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined
      fail(`${what}: ${String(error)} ${cause === undefined ? '' : String(cause)}`, 0, startedAt)
    }
    return undefined
  }

  async function create(): Promise<void> {
    numbers += 1
    const order = `${tag}-${numbers}`
    const emails = Array.from({ length: PARTIES }, (_, at) => `l${at}.${order}@example.test`)
    const body = {
      contractType: 'nda',
      content: `The parties keep secrets secret. ${order}`,
      metadata: { order },
      parties: emails.map((email, at) => ({ role: `Party ${at}`, legalName: 'Jane Roe', email })),
    }
    // Half of the POSTs have no Idempotency-Key. Such a call is not safe to repeat, so nothing may repeat it.
    const headers = numbers % 2 === 0 ? { 'Idempotency-Key': order } : {}
    const answer = await call<ContractBody>('POST', [201], () =>
      ask('POST', '/contracts', headers, JSON.stringify(body)),
    )
    if (!answer) return
    const { id, shareUrl } = answer.body.contract
    created.push({ id, shareUrl, partyCount: PARTIES, emails })
  }

  const pick = (): CreatedContract | undefined => created[Math.floor(random() * created.length)]

  async function read(): Promise<void> {
    const contract = pick()
    if (!contract) return create()
    const answer = await call('GET', [200], () => ask('GET', `/contracts/${contract.id}`))
    const etag = answer?.headers.get('etag')
    if (etag) etags.set(contract.id, etag)
  }

  async function wait(): Promise<void> {
    const contract = pick()
    const etag = contract && etags.get(contract.id)
    if (!contract || !etag) return read()
    await call('long poll', [200, 304], () =>
      ask('GET', `/contracts/${contract.id}`, { 'If-None-Match': etag, Prefer: `wait=${WAIT_SECONDS}` }),
    )
  }

  async function one(): Promise<void> {
    let left = random() * 100
    const isIt = (share: number): boolean => (left -= share) < 0
    if (isIt(SHARE.create)) return create()
    if (isIt(SHARE.usage)) return void (await call('usage', [200], () => ask('GET', '/usage')))
    if (isIt(SHARE.status)) return status()
    return isIt(SHARE.wait) ? wait() : read()
  }

  async function status(): Promise<void> {
    const startedAt = Date.now()
    const answer = await call<{ status: string }>('status', [200], () => ask('GET', '/status'))
    // Each service always has an available replica, so no answer may report a service as unavailable.
    if (answer && answer.body.status !== 'operational') fail(`status reported ${answer.body.status}`, 503, startedAt)
  }

  async function run(): Promise<void> {
    const startedAt = performance.now()
    for (let begun = 0; !isOver; begun += 1) {
      const aheadMs = (begun * 1_000) / ratePerSecond - (performance.now() - startedAt)
      if (aheadMs > 1) await sleep(aheadMs)
      if (underWay.size >= UNDER_WAY_MAX) await Promise.race(underWay)
      const work = one().finally(() => underWay.delete(work))
      underWay.add(work)
    }
    seconds = (performance.now() - startedAt) / 1_000
  }

  return {
    accountId,
    created,
    failures,
    counts,
    start: (): void => void (running ??= run()),
    /** Starts no more calls, and waits for every answer. */
    async stop(): Promise<void> {
      isOver = true
      await running
      await Promise.all(underWay)
    },
    slowest: () => slowest,
    /** The actual number of calls started per second. */
    ratePerSecond: () => Math.round((10 * Object.values(counts).reduce((sum, count) => sum + count, 0)) / seconds) / 10,
    /** Reads every contract that was answered with 201; each must exist. */
    async readAll(): Promise<void> {
      for (const { id } of created) await call('read at the end', [200], () => ask('GET', `/contracts/${id}`))
    },
  }
}

export type Load = Awaited<ReturnType<typeof createLoad>>
