import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '@paraph/service/rpc-link'
import { startTestGateway, until, type TestGateway } from './gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const USAGE = '/api/external/v2/usage'
const eventsOf = (accountId: string) =>
  gateway.sql(`select type, sequence::int, published_at is not null as told from outbox where key = $1 order by id`, [
    accountId,
  ])

it('stops the keys of a suspended account at once, tells the others, and takes it back [D37, D47, D48]', async () => {
  const { accountId, key } = await gateway.newKey('growth')
  const answer = async () => {
    const { status, json } = await gateway.call('GET', USAGE, { key })
    return `${status} ${String(json['code'])}`
  }
  expect(await answer()).toBe('200 undefined')

  // Twice at once is once.
  await Promise.all([1, 2].map(() => gateway.operator.account.suspend.mutate({ id: accountId })))
  await until(async () => (await answer()) === '403 account_suspended')
  await gateway.operator.account.resume.mutate({ id: accountId })
  await until(async () => (await answer()) === '200 undefined')

  await until(async () => (await eventsOf(accountId)).every(({ told }) => told === true))
  // The account and its key came first.
  expect((await eventsOf(accountId)).slice(2)).toEqual([
    { type: 'account.suspended', sequence: 4, told: true },
    { type: 'account.resumed', sequence: 5, told: true },
  ])
  const acts = await gateway.operator.audit.list.query({ accountId })
  expect(acts.entries.map(({ act, actor }) => `${actor} ${act}`)).toEqual([
    ...['command_line account.resumed', 'command_line account.suspended', 'command_line key.created'],
    'command_line account.created',
  ])
})

it('refuses to suspend an account that there is not', async () => {
  const refusal = await gateway.operator.account.suspend.mutate({ id: 'acc_none' }).catch(refusalOf)
  expect(refusal).toMatchObject({ code: 'not_found' })
})
