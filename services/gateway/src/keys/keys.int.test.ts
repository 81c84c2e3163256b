import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { refusalOf } from '@paraph/rpc/link'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { composeKey } from './api-key.js'
import { startTestGateway, until, type Reply, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const STATUS = '/api/external/v2/status'
const statusOf = async (key: string) => (await gateway.call('GET', STATUS, { key })).status
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => refusalOf(error)?.code,
  )

describe('an invalid key [Authentication, D28]', () => {
  it('gets the same answer, whatever the reason [S13.3, S18.1, S23.1]', async () => {
    const revoked = await gateway.newKey('growth')
    await gateway.operator.key.revoke.mutate({ id: revoked.keyId })
    const expired = await gateway.newKey('growth')
    await gateway.sql(`update api_key set expires_at = now() where id = $1`, [expired.keyId])
    const good = await gateway.newKey('growth')
    const replies: Reply[] = [await gateway.call('GET', STATUS)]
    for (const key of [
      'nonsense',
      `${good.key.slice(0, -1)}${good.key.endsWith('0') ? '1' : '0'}`,
      composeKey('production', (below) => randomInt(below)),
      revoked.key,
      expired.key,
    ]) {
      replies.push(await gateway.call('GET', STATUS, { key }))
    }
    replies.push(await gateway.call('GET', STATUS, { headers: { 'x-api-key': [good.key, good.key] } }))
    const answers = replies.map(({ status, json }) => ({ status, json: { ...json, requestId: '' } }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 401, json: { code: 'invalid_key' } })
    expect(await statusOf(good.key)).toBe(200)
  })

  it('is refused after its revocation, as soon as the gateway is notified [S17.3]', async () => {
    const { key, keyId } = await gateway.newKey('load')
    expect(await statusOf(key)).toBe(200)
    await gateway.operator.key.revoke.mutate({ id: keyId })
    await until(async () => (await statusOf(key)) === 401, 1_000)
  })

  it('is refused within 5 s of its revocation without a notification', async () => {
    const { key, keyId } = await gateway.newKey('load')
    expect(await statusOf(key)).toBe(200)
    await gateway.sql('update api_key set revoked_at = now() where id = $1', [keyId])
    await until(async () => (await statusOf(key)) === 401, 5_300)
  })

  it('is refused on notification again after the connection for notifications broke', async () => {
    gateway.line.cut()
    gateway.line.restore()
    await until(async () => {
      const { key, keyId } = await gateway.newKey('load').catch(() => ({ key: '', keyId: '' }))
      if ((await statusOf(key)) !== 200) return false
      await gateway.operator.key.revoke.mutate({ id: keyId })
      return until(async () => (await statusOf(key)) === 401, 500).then(
        () => true,
        () => false,
      )
    })
  })
})

it('a key with a wrong checksum is refused without a database query, and a well-formed unknown one after a query [D28]', async () => {
  const { key } = await gateway.newKey('load')
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  gateway.line.cut()
  try {
    expect(await statusOf(mistyped)).toBe(401)
    expect(await statusOf(composeKey('production', (below) => randomInt(below)))).toBe(503)
  } finally {
    gateway.line.restore()
  }
  await until(async () => (await statusOf(key)) === 200)
})

describe('a key with an expiry date [D28]', () => {
  it("is valid until its end by the store's clock and not after it, even in the cache", async () => {
    const { key, keyId } = await gateway.newKey('load')
    await gateway.sql(`update api_key set expires_at = now() + interval '2 s' where id = $1`, [keyId])
    const isOver = async () => {
      const [row] = await gateway.sql('select expires_at <= clock_timestamp() as over from api_key where id = $1', [
        keyId,
      ])
      return row?.['over'] === true
    }
    const seen = { good: 0, over: 0 }
    await until(async () => {
      const before = await isOver()
      const status = await statusOf(key)
      const after = await isOver()
      // Between the two readings of the clock, either status is correct.
      if (!after) expect(status).toBe(200)
      if (before) expect(status).toBe(401)
      seen.good += status === 200 ? 1 : 0
      seen.over += before ? 1 : 0
      return seen.over > 3
    })
    expect(seen.good).toBeGreaterThan(0)
  })

  it("is created with a life of 1 to 3,650 days, counted by the store's clock", async () => {
    const { accountId } = await gateway.newKey('growth')
    const create = (expiresInDays: number) =>
      gateway.operator.key.create.mutate({ accountId, environment: 'test', scopes: [], expiresInDays })
    for (const days of [1, 3_650]) {
      const { key } = await create(days)
      const [row] = await gateway.sql(
        'select extract(epoch from expires_at - created_at)::float8 / 86400 as days from api_key where id = $1',
        [key.id],
      )
      expect(row?.['days']).toBeCloseTo(days, 4)
      expect(Date.parse(String(key.expiresAt))).toBeGreaterThan(Date.now() + (days - 1) * 86_400_000)
    }
    for (const days of [0, 3_651, 1.5, Number.NaN])
      expectWithMessage(await refused(create(days)), String(days)).toBe('invalid_request')
  })
})

describe('rotation [D28]', () => {
  const rotate = (id: string, overlapDays: number) => gateway.operator.key.rotate.mutate({ id, overlapDays })
  const listed = async (accountId: string) => (await gateway.operator.key.list.query({ accountId })).keys

  it('creates a key like the old one, which stays valid for the overlap', async () => {
    const { key, keyId, accountId } = await gateway.newKey('load', 'test', ['contracts:read'])
    const rotated = await rotate(keyId, 7)
    expect(rotated.key).toMatchObject({ environment: 'test', scopes: ['contracts:read'], expiresAt: null })
    expect([await statusOf(key), await statusOf(rotated.key.secret)]).toEqual([200, 200])
    const [old, fresh] = await listed(accountId)
    expect(fresh).toMatchObject({ id: rotated.key.id, name: old?.name, environment: 'sandbox', expiresAt: null })
    expect(old?.expiresAt).toBe(rotated.old.expiresAt)
    const days = (Date.parse(String(old?.expiresAt)) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.99)
    expect(days).toBeLessThan(7.01)
  })

  it('without an overlap ends the old key immediately', async () => {
    const { key, keyId } = await gateway.newKey('load')
    expect(await statusOf(key)).toBe(200)
    const rotated = await rotate(keyId, 0)
    await until(async () => (await statusOf(key)) === 401, 1_000)
    expect(await statusOf(rotated.key.secret)).toBe(200)
  })

  it('never lengthens the life of the old key, and rotates no key that has ended', async () => {
    const { keyId } = await gateway.newKey('load')
    const first = await rotate(keyId, 1)
    expect((await rotate(keyId, 7)).old).toEqual(first.old)
    await rotate(keyId, 0)
    expect(await refused(rotate(keyId, 7))).toBe('invalid_request')
    const revoked = await gateway.newKey('load')
    await gateway.operator.key.revoke.mutate({ id: revoked.keyId })
    expect(await refused(rotate(revoked.keyId, 7))).toBe('invalid_request')
    expect(await refused(rotate('key_none', 7))).toBe('not_found')
    for (const days of [-1, 8, 0.5]) expect(await refused(rotate(first.key.id, days))).toBe('invalid_request')
  })

  it('is possible with 20 active keys if there is no overlap; with an overlap, the error names the remedy', async () => {
    const { accountId, keyId } = await gateway.newKey('growth')
    const create = () => gateway.operator.key.create.mutate({ accountId, environment: 'live', scopes: [] })
    await Promise.all(Array.from({ length: 19 }, create))
    const sentence = await rotate(keyId, 1).catch((error: unknown) => refusalOf(error)?.message)
    expect(sentence).toMatch(/20 active keys.*overlap of 0 days/)
    // The refused rotation has not shortened the life of the old key.
    expect((await listed(accountId)).find(({ id }) => id === keyId)?.expiresAt).toBeNull()
    const rotated = await rotate(keyId, 0)
    // Concurrent calls, one of which rotates the same key again, never create a twenty-first key.
    const more = await Promise.all([create(), rotate(rotated.key.id, 1), create()].map(refused))
    expect(more).toEqual(['invalid_request', 'invalid_request', 'invalid_request'])
    const [{ active } = {}] = await gateway.sql(
      'select count(*)::int as active from api_key where account_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())',
      [accountId],
    )
    expect(active).toBe(20)
  })
})

describe('what the database stores of a key [D28]', () => {
  it('is a hash, the start and the end [S18.5]', async () => {
    const { key, keyId } = await gateway.newKey('growth', 'test')
    const [row] = await gateway.sql('select *, encode(sha256, $2) as hash from api_key where id = $1', [keyId, 'hex'])
    expect(row).toMatchObject({ environment: 'sandbox', display_start: key.slice(0, 16), last_four: key.slice(-4) })
    expect(JSON.stringify(row)).not.toContain(key.slice(16, -4))
  })
})

describe("the operator's procedures [D45]", () => {
  it('create, list, show and revoke [S18.5]', async () => {
    const { account } = await gateway.operator.account.create.mutate({
      name: 'Nordic Foods',
      email: 'owner@nordicfoods.example',
      tier: 'startup',
    })
    expect(account).toEqual({ id: expect.stringMatching(/^acc_[a-z0-9]{20}$/), name: 'Nordic Foods', tier: 'startup' })
    const { key } = await gateway.operator.key.create.mutate({
      accountId: account.id,
      environment: 'test',
      scopes: ['contracts:read'],
    })
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[a-z0-9]{20}$/),
      secret: expect.stringMatching(/^paraph_test_/),
      environment: 'test',
      scopes: ['contracts:read'],
      expiresAt: null,
    })
    const { keys } = await gateway.operator.key.list.query({ accountId: account.id })
    expect(keys.map(({ id }) => id)).toEqual([key.id])
    expect(JSON.stringify(keys)).not.toContain(key.secret.slice(16, -4))
    expect((await gateway.operator.account.show.query({ id: account.id })).account).toMatchObject({
      subscriptionStatus: 'active',
      language: 'en+fr',
    })
    const first = await gateway.operator.key.revoke.mutate({ id: key.id })
    expect(await gateway.operator.key.revoke.mutate({ id: key.id })).toEqual(first)
  })

  it('refuse an unknown tier, account or key, a misleading name, an invalid address', async () => {
    const { account, key } = gateway.operator
    const wanted = { name: 'Demo', email: 'a@b.example', tier: 'growth' }
    expect(await refused(account.create.mutate({ ...wanted, tier: 'gold' }))).toBe('invalid_request')
    expect(await refused(account.create.mutate({ ...wanted, name: 'Paraph Support' }))).toBe('invalid_request')
    expect(await refused(account.create.mutate({ ...wanted, email: 'a@b' }))).toBe('invalid_request')
    expect(await refused(account.show.query({ id: 'acc_none' }))).toBe('not_found')
    expect(await refused(key.create.mutate({ accountId: 'acc_none', environment: 'live', scopes: [] }))).toBe(
      'not_found',
    )
    expect(await refused(key.revoke.mutate({ id: 'key_none' }))).toBe('not_found')
    // Owners read the name in a mail. [D14]
    const { accountId } = await gateway.newKey('growth')
    for (const name of ['Order\nBcc: all@example.test', ' ', '\u202Eyek', 'x'.repeat(101)])
      expect(await refused(key.create.mutate({ accountId, environment: 'live', name }))).toBe('invalid_request')
  })

  it('allow an account at most 20 active keys per environment, under concurrent requests too', async () => {
    const { accountId, keyId } = await gateway.newKey('growth')
    const create = () => refused(gateway.operator.key.create.mutate({ accountId, environment: 'live', scopes: [] }))
    const answers = await Promise.all(Array.from({ length: 25 }, create))
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(19)
    await gateway.operator.key.revoke.mutate({ id: keyId })
    expect(await create()).toBe('done')
    expect(await create()).toBe('invalid_request')
  })
})
