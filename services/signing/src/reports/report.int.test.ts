import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import type { SigningDatabase } from '../database.js'
import { eraseContract } from '../chain/erasure.js'
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
  reports.add(
    { contractId, accountId: `acc_${contractId.slice(0, 10)}` },
    { reason: 'impersonation', message: 'It is not them.' },
    clientAddress,
  )

it('a report is stored with its content but without its sender, and reports are listed newest first', async () => {
  expect(await report('contract-1-a', '192.0.2.1')).toBeUndefined()
  expect(await report('contract-1-b', '192.0.2.2')).toBeUndefined()
  expect((await reports.list(10)).map(({ contractId }) => contractId)).toEqual(['contract-1-b', 'contract-1-a'])
  const rows = await database.selectFrom('report').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('192.0.2')
})

it('a report is handled once, with a note, and is then no longer open [D75]', async () => {
  await report('contract-5-a', '192.0.2.50')
  await report('contract-5-b', '192.0.2.51')
  const accountId = 'acc_contract-5'
  const [newest] = await reports.list(10, { accountId })
  expect(await reports.countOpen(accountId)).toEqual({ count: 2, isMore: false })
  const handled = { by: 'operator@example.test', note: 'A new employee asked.' }
  expect(await reports.handle(newest!.id, handled)).toBe(true)
  expect(await reports.handle(newest!.id, { by: 'other@example.test', note: 'Me too' })).toBe(false)
  expect(await reports.find(newest!.id)).toMatchObject({ handledBy: handled.by, note: handled.note })
  expect(await reports.countOpen(accountId)).toEqual({ count: 1, isMore: false })
  const contractsOf = async (isHandled: boolean) =>
    (await reports.list(10, { accountId, isHandled })).map(({ contractId }) => contractId)
  expect([await contractsOf(false), await contractsOf(true)]).toEqual([['contract-5-a'], ['contract-5-b']])
})

it('an erasure wipes the message and the note of a report [D43, D75]', async () => {
  await report('contract-6-a', '192.0.2.60')
  await report('contract-6-a', '192.0.2.61')
  const [newest] = await reports.list(10, { accountId: 'acc_contract-6' })
  await reports.handle(newest!.id, { by: 'operator@example.test', note: 'Jane Roe asked.' })
  await database.transaction().execute((trx) => eraseContract(trx, 'contract-6-a', new Date()))
  const wiped = await reports.list(10, { accountId: 'acc_contract-6' })
  expect(wiped.map(({ message, note }) => [message, note])).toEqual(
    wiped.map(({ handledAt }) => ['', handledAt === null ? null : '']),
  )
})

it('reports are limited to 20 a day from one client and 50 about one contract, even when sent in parallel [ceremony: report]', async () => {
  const storedOf = async (sent: readonly [contractId: string, address: string][]) =>
    (await Promise.all(sent.map(([contractId, address]) => report(contractId, address)))).filter((full) => !full).length
  expect(await storedOf(Array.from({ length: 40 }, (_, at) => [`contract-2-${at}`, '192.0.2.3']))).toBe(20)
  expect(await storedOf(Array.from({ length: 80 }, (_, at) => ['contract-3-a', `198.51.100.${at}`]))).toBe(50)
  const full = await report('contract-3-a', '203.0.113.1')
  expect(full!.tryAgainAt.getTime() - Date.now()).toBeGreaterThan(86_000_000)
})
