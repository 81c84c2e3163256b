import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/service/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import type { SigningDatabase } from './database.js'
import { createReports, type Reports } from './report.js'

let clone: TestDatabase
let database: Kysely<SigningDatabase>
let reports: Reports
beforeAll(async () => {
  clone = await cloneTestDatabase('signing')
  database = createDatabase<SigningDatabase>(openPool(clone.url, createLogger('signing', 'silent')))
  reports = createReports({ database, peppers: parseKeyring(`k1:${randomBytes(32).toString('base64')}`) })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const report = (contractId: string, clientAddress: string) =>
  reports.add(contractId, { reason: 'impersonation', message: 'It is not them.' }, clientAddress)

it('keeps what is reported, newest first, and not who reported it', async () => {
  expect(await report('contract-1-a', '192.0.2.1')).toBe(true)
  expect(await report('contract-1-b', '192.0.2.2')).toBe(true)
  expect((await reports.list(10)).map(({ contractId }) => contractId)).toEqual(['contract-1-b', 'contract-1-a'])
  const rows = await database.selectFrom('report').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('192.0.2')
})

it('takes no more than 20 a day from one client, and 50 about one contract', async () => {
  const from = async (addresses: string[], contractOf: (at: number) => string) => {
    let kept = 0
    for (const [at, address] of addresses.entries()) if (await report(contractOf(at), address)) kept += 1
    return kept
  }
  expect(await from(Array(25).fill('192.0.2.3'), (at) => `contract-2-${at}`)).toBe(20)
  const many = Array.from({ length: 55 }, (_, at) => `198.51.100.${at}`)
  expect(await from(many, () => 'contract-3-a')).toBe(50)
})
