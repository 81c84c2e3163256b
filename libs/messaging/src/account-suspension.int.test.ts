import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { isSuspended, recordSuspension } from './account-suspension.js'

let clone: TestDatabase
let database: Kysely<object>
beforeAll(async () => {
  clone = await cloneTestDatabase('signing')
  database = createDatabase<object>(openPool(clone.url, createLogger('signing', 'silent')))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const note = (type: 'account.suspended' | 'account.resumed', sequence: number) =>
  database.transaction().execute((trx) => {
    const time = '2026-11-20T14:00:00.000Z'
    const data = { accountId: 'acc_1', at: time }
    return recordSuspension(trx, { id: `${sequence}`, subject: 'acc_1', type, data, sequence: String(sequence), time })
  })

it('a suspension lasts until the account is resumed, even if older events are delivered again [D37, I9]', async () => {
  expect(await isSuspended(database, 'acc_1')).toBe(false)
  await note('account.suspended', 2)
  expect(await isSuspended(database, 'acc_1')).toBe(true)
  await note('account.resumed', 3)
  await note('account.suspended', 2)
  expect(await isSuspended(database, 'acc_1')).toBe(false)
  expect(await isSuspended(database, 'acc_2')).toBe(false)
})
