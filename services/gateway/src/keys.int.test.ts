import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '@paraph/service/rpc-link'
import { composeKey } from './api-key.js'
import { startTestGateway, until, type Reply, type TestGateway } from './gateway-fixture.js'

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

describe('a key that is not good [Authentication, D28]', () => {
  it('is answered in the same words, whatever is wrong with it', async () => {
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

  it('stops working at once when it is revoked, because the gateway is told', async () => {
    const { key, keyId } = await gateway.newKey('load')
    expect(await statusOf(key)).toBe(200)
    await gateway.operator.key.revoke.mutate({ id: keyId })
    await until(async () => (await statusOf(key)) === 401, 1_000)
  })

  it('stops working within 5 s when nobody tells the gateway', async () => {
    const { key, keyId } = await gateway.newKey('load')
    expect(await statusOf(key)).toBe(200)
    await gateway.sql('update api_key set revoked_at = now() where id = $1', [keyId])
    await until(async () => (await statusOf(key)) === 401, 5_300)
  })

  it('is told of again after the connection for notifications broke', async () => {
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

describe('what the database keeps of a key [D28]', () => {
  it('is a hash, the start and the end', async () => {
    const { key, keyId } = await gateway.newKey('growth', 'test')
    const [row] = await gateway.sql('select *, encode(sha256, $2) as hash from api_key where id = $1', [keyId, 'hex'])
    expect(row).toMatchObject({ environment: 'sandbox', display_start: key.slice(0, 16), last_four: key.slice(-4) })
    expect(JSON.stringify(row)).not.toContain(key.slice(16, -4))
  })
})

describe('what the operator may do [D45]', () => {
  it('makes, lists, shows and revokes', async () => {
    const { account } = await gateway.operator.account.create.mutate({
      name: 'Nordic Foods',
      email: 'owner@nordicfoods.example',
      tier: 'startup',
    })
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_[a-z0-9]{20}$/) as string,
      name: 'Nordic Foods',
      tier: 'startup',
    })
    const { key } = await gateway.operator.key.create.mutate({
      accountId: account.id,
      environment: 'test',
      scopes: ['contracts:read'],
    })
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[a-z0-9]{20}$/) as string,
      secret: expect.stringMatching(/^paraph_test_/) as string,
      environment: 'test',
      scopes: ['contracts:read'],
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

  it('refuses an unknown tier, account or key, a name that imitates, an address that is none', async () => {
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
  })

  it('gives an account at most 20 active keys per environment, also when all ask at once', async () => {
    const { accountId, keyId } = await gateway.newKey('growth')
    const create = () => refused(gateway.operator.key.create.mutate({ accountId, environment: 'live', scopes: [] }))
    const answers = await Promise.all(Array.from({ length: 25 }, create))
    expect(answers.filter((answer) => answer === 'done')).toHaveLength(19)
    await gateway.operator.key.revoke.mutate({ id: keyId })
    expect(await create()).toBe('done')
    expect(await create()).toBe('invalid_request')
  })
})
