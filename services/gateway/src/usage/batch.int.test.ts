import type { Kysely } from 'kysely'
import { createDatabase, openPool } from '@paraph/database/pool'
import { pruneBatch } from '@paraph/database/retention'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { GatewayDatabase } from '../database.js'
import { RETENTION } from '../retention.js'
import { commitBatch, createUsageRecord, type CountedCall } from './recorder.js'

const logger = createLogger('gateway', 'silent')
let clone: TestDatabase
let database: Kysely<GatewayDatabase>
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const INSTANCE = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
const call = (accountId: string, admittedAt: Date, more: Partial<CountedCall> = {}): CountedCall => ({
  accountId,
  environment: 'production',
  endpoint: 'POST /contracts',
  billable: 1,
  admittedAt,
  reservation: undefined,
  answered: true,
  ...more,
})
const totalOf = async (accountId: string): Promise<number> => {
  const { total } = await database
    .selectFrom('usage')
    .select((select) => select.fn.sum<string>('total').as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(total)
}

it('a batch is counted once, however often it is written, even concurrently with others [D40]', async () => {
  const now = new Date()
  const first = { instance: INSTANCE[0], sequence: 1, calls: [call('a', now), call('a', now)] }
  const second = { instance: INSTANCE[0], sequence: 2, calls: [call('a', now)] }
  await Promise.all([commitBatch(database, first), commitBatch(database, first), commitBatch(database, first)])
  expect(await totalOf('a')).toBe(2)
  await commitBatch(database, second)
  // An abandoned attempt may still arrive after its repetition and after the next batch.
  await Promise.all([commitBatch(database, first), commitBatch(database, second)])
  expect(await totalOf('a')).toBe(3)
  await commitBatch(database, { ...first, instance: INSTANCE[1] })
  expect(await totalOf('a')).toBe(5)
})

it('the retention deletes the batch marks of long-dead processes without a double count [D40]', async () => {
  const old = new Date(Date.now() - 8 * 86_400_000)
  await database.deleteFrom('usage_commit').execute()
  const mark = (instance: string, days: number) =>
    database
      .insertInto('usage_commit')
      .values({ instance, sequence: 4, committed_at: new Date(Date.now() - days * 86_400_000) })
      .execute()
  await mark(INSTANCE[0], 8)
  await mark(INSTANCE[1], 6)
  const marks = RETENTION.pruned.find(({ table }) => table === 'usage_commit')!
  expect(await pruneBatch(database, marks)).toBe(1)
  expect(await database.selectFrom('usage_commit').select('instance').execute()).toEqual([{ instance: INSTANCE[1] }])
  // A late repetition of the batch of the deleted mark, and the next batch of the same process after an idle week.
  await commitBatch(database, { instance: INSTANCE[0], sequence: 4, calls: [call('b', old)] })
  await commitBatch(database, { instance: INSTANCE[0], sequence: 5, calls: [call('b', new Date())] })
  expect(await totalOf('b')).toBe(1)
})

it('a batch that contains a call of more than six days ago is not counted, because its mark may be deleted [D40]', async () => {
  const calls = [call('late', new Date()), call('late', new Date(Date.now() - 7 * 86_400_000))]
  await commitBatch(database, { instance: INSTANCE[1], sequence: 9, calls })
  expect(await totalOf('late')).toBe(0)
})

// Years in the future, because calls older than six days are not written.
it.each([
  ['the end of a month', '2096-11-30T23:59:59.999Z', '2096-11', '2096-12-01T00:00:00.000Z', '2096-12'],
  ['the end of a year', '2096-12-31T23:59:59.999Z', '2096-12', '2097-01-01T00:00:00.000Z', '2097-01'],
  ['a leap day', '2096-02-29T23:59:59.999Z', '2096-02', '2096-03-01T00:00:00.000Z', '2096-03'],
  ['a February without one', '2097-02-28T23:59:59.999Z', '2097-02', '2097-03-01T00:00:00.000Z', '2097-03'],
])('the usage separates months to the millisecond at %s, in UTC [Usage, D3]', async (_, last, before, first, after) => {
  const writer = createDatabase<GatewayDatabase>(
    openPool(`${clone.url}?options=${encodeURIComponent('-c TimeZone=America/St_Johns')}`, logger, { max: 1 }),
  )
  const usage = createUsageRecord({ database, writer, logger })
  const accountId = `edge ${before}`
  const account = { accountId, environment: 'production' } as const
  await Promise.all([
    usage.count(call(accountId, new Date(last), { billable: 1 })),
    usage.count(call(accountId, new Date(first), { billable: 1 })),
    usage.count(call(accountId, new Date(first), { billable: 0 })),
  ])
  expect(await usage.read(account, new Date(last), 10)).toMatchObject({
    period: before,
    totalCalls: 1,
    billableCalls: 1,
    periodEnd: last,
  })
  expect(await usage.read(account, new Date(first), 10)).toMatchObject({
    period: after,
    totalCalls: 2,
    billableCalls: 1,
    periodStart: first,
  })
  await writer.destroy()
})
