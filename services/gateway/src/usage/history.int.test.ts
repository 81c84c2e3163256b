// Usage by day and by month, on a database server in a time zone that skips a midnight.
import type { Kysely } from 'kysely'
import { withClient } from '@paraph/database/provision'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { GatewayDatabase } from '../database.js'
import { readUsageDays, readUsageMonths } from './history.js'

const WHOSE = { accountId: 'acc_history', environment: 'production' } as const

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  await withClient(clone.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>('select current_database() as name')
    // Chile has no midnight on 6 September 2026.
    await admin.query(`alter database "${rows[0]!.name}" set timezone = 'America/Santiago'`)
  })
  database = createDatabase<GatewayDatabase>(openPool(clone.url, createLogger('gateway', 'silent')))
  const day = (day: string, total: number, billable: number) => ({
    account_id: WHOSE.accountId,
    environment: WHOSE.environment,
    endpoint: 'POST /contracts' as const,
    day,
    total,
    billable,
  })
  await database
    .insertInto('usage')
    .values([day('2026-08-31', 9, 8), day('2026-09-01', 4, 3), day('2026-09-06', 3, 2), day('2026-09-30', 2, 1)])
    .execute()
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

it('the history has each UTC day of a month once, including the last, in every time zone of the server [Usage, D3]', async () => {
  const days = await readUsageDays(database, WHOSE, '2026-09', '2026-09-30')
  expect(days.map(({ day }) => day)).toEqual(
    Array.from({ length: 30 }, (_, index) => `2026-09-${String(index + 1).padStart(2, '0')}`),
  )
  expect(days.filter(({ total }) => total > 0)).toEqual([
    { day: '2026-09-01', total: 4, billable: 3 },
    { day: '2026-09-06', total: 3, billable: 2 },
    { day: '2026-09-30', total: 2, billable: 1 },
  ])
})

it('the history has twelve months, the newest first, each with its own calls [Usage, D3]', async () => {
  const months = await readUsageMonths(database, WHOSE, '2026-09')
  expect(months).toHaveLength(12)
  expect([months[0], months[1], months.at(-1)]).toEqual([
    { month: '2026-09', total: 9, billable: 6 },
    { month: '2026-08', total: 9, billable: 8 },
    { month: '2025-10', total: 0, billable: 0 },
  ])
})
