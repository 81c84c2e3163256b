import { sql, type Kysely } from 'kysely'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals'
import type { GatewayDatabase } from '../database.js'
import { createQuota } from './quota.js'

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, createLogger('gateway', 'silent')))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})
afterEach(() => void jest.restoreAllMocks())

it('calls draw from a block for ten seconds at most, because the places of the block expire [D4]', async () => {
  const quota = createQuota(database)
  const limits = { requestsPerMinute: 100, monthlyQuota: 1_000_000 }
  const reserve = () => quota.reserve({ accountId: 'acc_block', environment: 'production' }, limits, new Date())
  const { id } = await reserve()
  const now = performance.now()
  const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 9_000)
  expect((await reserve()).id).toBe(id)
  clock.mockReturnValue(now + 10_001)
  expect((await reserve()).id).not.toBe(id)
})

it('places that were reserved before the clock was set back expire as soon as new ones [D4, F32]', async () => {
  const quota = createQuota(database)
  const limits = { requestsPerMinute: 1, monthlyQuota: 2 }
  const reserve = () => quota.reserve({ accountId: 'acc_step', environment: 'production' }, limits, new Date())
  const ahead = `{"dead": [${Date.now() / 1_000 + 3_600}, 2]}`
  await reserve()
  await sql`update usage_month set reservations = ${ahead}::jsonb where account_id = 'acc_step'`.execute(database)
  await expect(reserve()).rejects.toThrow('quota')
  const { rows } = await sql<{ seconds: number }>`
    select (reservations -> 'dead' ->> 0)::float8 - extract(epoch from clock_timestamp())::float8 as seconds
      from usage_month where account_id = 'acc_step'`.execute(database)
  expect(rows[0]!.seconds).toBeGreaterThan(60)
  expect(rows[0]!.seconds).toBeLessThanOrEqual(70)
})

it('the next reservation releases the places that are left in a block [D4]', async () => {
  const quota = createQuota(database)
  const limits = { requestsPerMinute: 100, monthlyQuota: 1_000_000 }
  const reserve = () => quota.reserve({ accountId: 'acc_left', environment: 'production' }, limits, new Date())
  const { id } = await reserve()
  const placesOf = async () => {
    const { rows } = await sql<{ places: number }>`
      select (reservations -> ${id} ->> 1)::int as places from usage_month where account_id = 'acc_left'`.execute(
      database,
    )
    return rows[0]?.places
  }
  expect(await placesOf()).toBe(101)
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_001)
  await reserve()
  expect(await placesOf()).toBe(1)
})
