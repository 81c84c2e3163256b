import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { refusalOf } from '@paraph/rpc/link'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

const USAGE = '/api/external/v2/usage'
const eventsOf = (accountId: string) =>
  gateway.sql(
    `select type, sequence::int, published_at is not null as published from outbox where key = $1 order by id`,
    [accountId],
  )

it('a suspension blocks the keys of the account and publishes its event, and the account can be resumed [D37, D47, D48]', async () => {
  const { accountId, key } = await gateway.newKey('growth')
  const answer = async () => {
    const { status, json } = await gateway.call('GET', USAGE, { key })
    return `${status} ${String(json['code'])}`
  }
  expect(await answer()).toBe('200 undefined')

  // Two concurrent suspensions have the effect of one.
  await Promise.all([1, 2].map(() => gateway.operator.account.suspend.mutate({ id: accountId })))
  await until(async () => (await answer()) === '403 account_suspended')
  await gateway.operator.account.resume.mutate({ id: accountId })
  await until(async () => (await answer()) === '200 undefined')

  await until(async () => (await eventsOf(accountId)).every(({ published }) => published === true))
  expect(await eventsOf(accountId)).toEqual([
    { type: 'account.suspended', sequence: 2, published: true },
    { type: 'account.resumed', sequence: 3, published: true },
  ])
  const acts = await gateway.operator.audit.list.query({ accountId })
  expect(acts.entries.map(({ act, actor }) => `${actor} ${act}`)).toEqual([
    // The look at the log itself. [P36]
    'command_line operator.read',
    'command_line account.resumed',
    'command_line account.suspended',
    'command_line key.created',
    'command_line account.created',
  ])
})

it('an unknown account cannot be suspended', async () => {
  const refusal = await gateway.operator.account.suspend.mutate({ id: 'acc_none' }).catch(refusalOf)
  expect(refusal).toMatchObject({ code: 'not_found' })
})
