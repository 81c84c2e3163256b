import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestGateway, until, windowOf, type Reply, type TestGateway } from '../../test/gateway-fixture.js'

const STATUS = '/api/external/v2/status'
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status)
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

/** The number of admissions in the row of an account. */
async function inRow(gateway: TestGateway, accountId: string): Promise<number> {
  const rows = await gateway.sql('select cardinality(at_ms) as n from account_window where name = $1', [
    `${accountId} production`,
  ])
  return Number(rows[0]?.['n'] ?? 0)
}

describe('a gateway with shared windows, while the store answers [Limits, D27]', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ WINDOW_STORE: 'postgres', WINDOW_STORE_MS_MAX: 5_000 })
    await gateway.newTier('forty', 40, 1_000)
  })
  afterAll(() => gateway.stop())

  it('admits exactly the limit of many concurrent calls, for each account, with Retry-After equal to Reset', async () => {
    const keys = await Promise.all(times(3, () => gateway.newKey('forty')))
    const replies = await Promise.all(
      keys.map(({ key }) => Promise.all(times(60, () => gateway.call('GET', STATUS, { key })))),
    )
    for (const ofAccount of replies) {
      const admitted = ofAccount.filter(({ status }) => status === 200)
      expect(admitted.map((reply) => windowOf(reply).remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: 40 }, (_, at) => 39 - at),
      )
      const refused = ofAccount.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(20)
      for (const reply of refused) {
        expect(windowOf(reply)).toMatchObject({ limit: 40, remaining: 0 })
        expect(windowOf(reply).reset).toBeGreaterThan(45)
        expect(Number(reply.headers['retry-after'])).toBe(windowOf(reply).reset)
      }
    }
    expect(await inRow(gateway, keys[0]!.accountId)).toBe(40)
  })

  it('keeps production and sandbox apart [D10]', async () => {
    const { key, accountId } = await gateway.newKey('forty')
    const sandbox = await gateway.operator.key.create.mutate({ accountId, environment: 'test', scopes: [] })
    const left = async (used: string) => windowOf(await gateway.call('GET', STATUS, { key: used })).remaining
    expect([await left(key), await left(key), await left(sandbox.key.secret)]).toEqual([39, 38, 39])
  })
})

describe('a gateway with shared windows, when the store is slow or unavailable [D27, F19, F20]', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ WINDOW_STORE: 'postgres' })
    await gateway.newTier('many', 1_000, 100_000)
  })
  afterAll(() => gateway.stop())

  /** Calls until the shared store has decided twice in sequence: an earlier statement may still reach its row once. */
  async function recovers(key: string, accountId: string): Promise<void> {
    let seen = 0
    await until(async () => {
      const before = await inRow(gateway, accountId)
      expect((await gateway.call('GET', STATUS, { key })).status).toBe(200)
      seen = (await inRow(gateway, accountId)) === before + 1 ? seen + 1 : 0
      return seen === 2
    }, 20_000)
  }

  it('answers without waiting for a locked row, never with a 5xx, and recovers automatically', async () => {
    const { key, accountId } = await gateway.newKey('many')
    await gateway.call('GET', STATUS, { key })
    const release = await gateway.lock(`select from account_window where name = '${accountId} production' for update`)
    const before = await inRow(gateway, accountId)
    const replies: Reply[] = []
    const waitedMs: number[] = []
    for (let call = 0; call < 40; call += 1) {
      const askedAtMs = performance.now()
      replies.push(await gateway.call('GET', STATUS, { key }))
      waitedMs.push(performance.now() - askedAtMs)
    }
    expect(new Set(statusesOf(replies))).toEqual(new Set([200]))
    expect(await inRow(gateway, accountId)).toBe(before)
    // No call waits while the circuit breaker is open. The median, because the machine may be busy.
    expect(waitedMs.sort((a, b) => a - b)[20]).toBeLessThan(25)
    release()
    await recovers(key, accountId)
  })

  it.each([
    ['unreachable', 'cut'],
    ['silent', 'silence'],
    ['500 ms late', 'slow'],
  ] as const)('answers every call while the store is %s, and recovers automatically [F19, F20]', async (_, failure) => {
    const { key, accountId } = await gateway.newKey('many')
    await gateway.call('GET', STATUS, { key })
    gateway.windowLine[failure](500)
    const replies = await Promise.all(times(50, () => gateway.call('GET', STATUS, { key })))
    for (let call = 0; call < 10; call += 1) replies.push(await gateway.call('GET', STATUS, { key }))
    expect(new Set(statusesOf(replies))).toEqual(new Set([200]))
    if (failure === 'silence') gateway.windowLine.cut()
    gateway.windowLine.restore()
    await recovers(key, accountId)
  })

  it("refuses by its own windows, which include the store's admissions [I12]", async () => {
    await gateway.newTier('thirty', 30, 1_000)
    const { key } = await gateway.newKey('thirty')
    for (let call = 0; call < 20; call += 1) await gateway.call('GET', STATUS, { key })
    gateway.windowLine.cut()
    const replies = await Promise.all(times(30, () => gateway.call('GET', STATUS, { key })))
    expect(statusesOf(replies).filter((status) => status === 200)).toHaveLength(10)
    expect(statusesOf(replies).filter((status) => status === 429)).toHaveLength(20)
    gateway.windowLine.restore()
  })

  it('answers 200 and degraded to a known key while the whole database is unavailable [D40]', async () => {
    const { key, accountId } = await gateway.newKey('many')
    await gateway.call('GET', STATUS, { key })
    gateway.line.cut()
    gateway.windowLine.cut()
    await until(async () => {
      const reply = await gateway.call('GET', STATUS, { key })
      expect([reply.status, windowOf(reply).limit]).toEqual([200, 1_000])
      return reply.json['status'] === 'degraded'
    })
    gateway.line.restore()
    gateway.windowLine.restore()
    await recovers(key, accountId)
  })
})
