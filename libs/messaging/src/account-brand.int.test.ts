import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { readBrand, recordBrand, type BrandEvent } from './account-brand.js'

const AT = '2026-11-20T14:00:00.000Z'
const FACTS = { type: 'png' as const, sha256: 'ab'.repeat(32), width: 300, height: 90 }

let clone: TestDatabase
let database: Kysely<object>
beforeAll(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<object>(openPool(clone.url, createLogger('notification', 'silent')))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const note = (sequence: number, brand: Pick<BrandEvent['data'], 'accent' | 'logo'>) =>
  database
    .transaction()
    .execute((trx) =>
      recordBrand(trx, {
        id: `${sequence}`,
        subject: 'acc_1',
        type: 'account.brand_changed',
        data: { accountId: 'acc_1', at: AT, ...brand },
        sequence: String(sequence),
        time: AT,
      }),
    )

it('an account has the brand of its newest event, and none after its removal, even if older events are delivered again [D59, I9]', async () => {
  expect(await readBrand(database, 'acc_1')).toBeUndefined()
  expect(await note(2, { accent: '#0b6e4f', logo: { ...FACTS, hex: '00' } })).toBe(true)
  expect(await readBrand(database, 'acc_1')).toEqual({ accent: '#0b6e4f', logo: FACTS })
  expect(await readBrand(database, 'acc_2')).toBeUndefined()
  expect(await note(4, { accent: null, logo: null })).toBe(true)
  expect(await note(3, { accent: '#0b6e4f', logo: null })).toBe(false)
  expect(await readBrand(database, 'acc_1')).toBeUndefined()
})
