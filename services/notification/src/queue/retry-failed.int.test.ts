import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { addInvitation, addInvitations, addOutcomes } from './add-delivery.js'
import { createDeliveryClaims } from './claim-delivery.js'
import { createFinishDelivery, NOT_IN_TIME } from './finish-delivery.js'
import { createRetryFailed } from './retry-failed.js'

const logger = createLogger('test', 'silent')
const SINCE = { failedSince: new Date(Date.now() - 3_600_000), failedUntil: null, reason: null }

let clone: TestDatabase
let database: Kysely<unknown>
let retryFailed: ReturnType<typeof createRetryFailed>

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  retryFailed = createRetryFailed({ database, triggerWorker: () => undefined, logger })
})

afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

it('a retry makes the failed mails of the period due again, once, in batches, and publishes their second end too [P23]', async () => {
  for (let index = 0; index < 12; index += 1) await invite(`c${index}`, 50)
  await failAll('smtp 550')
  const first = await retryFailed(SINCE)
  expect(first).toMatchObject({ queued: 500, mayHaveMore: true })
  const second = await retryFailed({ ...SINCE, failedUntil: first.failedUntil })
  expect(second).toMatchObject({ queued: 100, mayHaveMore: false })
  expect((await retryFailed(SINCE)).queued).toBe(0)
  await failAll('smtp 550')
  expect((await retryFailed({ ...SINCE, failedUntil: first.failedUntil })).queued).toBe(0)
  const { rows } = await sql<{ sends: number; ends: number }>`select max(send_number)::int as sends,
    (select count(*)::int from outbox where type = 'email.failed') as ends from delivery`.execute(database)
  expect(rows).toEqual([{ sends: 1, ends: 1_200 }])
})

it('a retry leaves out mails that failed before, for another reason, or were replaced, and contracts that ended [P23]', async () => {
  for (const contractId of ['old', 'late', 'replaced', 'ended', 'signed', 'ours']) await invite(contractId, 1)
  await failAll('smtp 550')
  await sql`update delivery set finished_at = clock_timestamp() - interval '2 hours' where contract_id = 'old'`.execute(
    database,
  )
  await sql`update delivery set outcome = ${`${NOT_IN_TIME}: smtp 451`} where contract_id = 'late'`.execute(database)
  await database.transaction().execute(async (trx) => {
    await addInvitation(trx, { contractId: 'replaced', accountId: 'a1', partyIndex: 0 })
    await addOutcomes(trx, 'ended', 'cancelled')
  })
  await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at)
    values ('signed', 'a1', 0, 'completed', 1, 1, clock_timestamp() + interval '1 hour')`.execute(database)
  expect((await retryFailed({ ...SINCE, reason: 'refused' })).queued).toBe(1)
  const { rows } = await sql<{ id: string }>`select contract_id as id from delivery
    where kind = 'invitation' and state = 'due' and send_number = 1`.execute(database)
  expect(rows).toEqual([{ id: 'ours' }])
  expect((await retryFailed({ ...SINCE, reason: 'gave_up' })).queued).toBe(1)
})

const invite = (contractId: string, partyCount: number) =>
  database
    .transaction()
    .execute((trx) =>
      addInvitations(trx, {
        contractId,
        accountId: 'a1',
        environment: 'production',
        expiresAt: '2099-01-01T00:00:00.000Z',
        partyCount,
      }),
    )

async function failAll(why: string): Promise<void> {
  const claims = createDeliveryClaims({ database })
  const finishDelivery = createFinishDelivery({ database, notifyRelay: () => undefined })
  for (const delivery of await claims.claim(1_000, 'all'))
    await finishDelivery(delivery, { state: 'failed', reason: 'refused', why })
}
