import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { addInvitations } from './add-delivery.js'
import { createDeliveryClaims } from './claim-delivery.js'
import { publishDelayed } from './delayed-invitations.js'
import { createFinishDelivery } from './finish-delivery.js'

let clone: TestDatabase
let database: Kysely<unknown>

beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, createLogger('test', 'silent')))
})

afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

it('an invitation that has waited for 5 minutes is published as delayed, once, numbered with the ends of mails [D48, D52]', async () => {
  await invite('c1', 3)
  await invite('c2', 1)
  expect(await publishDelayed(database)).toBe(0)
  await finishFirst('c1')
  await age()
  expect(await publishDelayed(database)).toBe(3)
  expect(await publishDelayed(database)).toBe(0)
  await finishFirst('c1')
  expect(await events()).toEqual([
    'c1 1 email.accepted 0',
    'c1 2 email.delayed 1',
    'c1 3 email.delayed 2',
    'c1 4 email.accepted 1',
    'c2 1 email.delayed 0',
  ])
})

it('two processes publish each delayed invitation once [D52]', async () => {
  for (let number = 0; number < 20; number += 1) await invite(`c${number}`, 2)
  await age()
  const published = await Promise.all([publishDelayed(database), publishDelayed(database)])
  expect(published[0] + published[1] + (await publishDelayed(database))).toBe(40)
  expect(new Set(await events()).size).toBe(40)
})

it('an invitation of a suspended account and a mail of another kind are not published as delayed [D37, D52]', async () => {
  await invite('c1', 2)
  await age()
  await sql`update delivery set due_at = 'infinity' where party_index = 0`.execute(database)
  await sql`update delivery set kind = 'completed' where party_index = 1`.execute(database)
  expect(await publishDelayed(database)).toBe(0)
})

const invite = (contractId: string, partyCount: number) =>
  database
    .transaction()
    .execute((trx) =>
      addInvitations(trx, {
        contractId,
        accountId: 'a1',
        environment: 'sandbox',
        expiresAt: '2099-01-01T00:00:00.000Z',
        partyCount,
      }),
    )

const age = () => sql`update delivery set created_at = created_at - interval '5 minutes 1 second'`.execute(database)

/** Ends the due invitation of the first party as accepted. */
async function finishFirst(contractId: string): Promise<void> {
  const claims = createDeliveryClaims({ database })
  const finishDelivery = createFinishDelivery({ database, notifyRelay: () => undefined })
  const claimed = await claims.claim(100, 'all')
  const [first] = claimed
    .filter((delivery) => delivery.contractId === contractId)
    .sort((a, b) => a.partyIndex! - b.partyIndex!)
  await finishDelivery(first!, { state: 'accepted' })
  await sql`update delivery set claim = null, claimed_until = null where state = 'due'`.execute(database)
}

async function events() {
  const { rows } = await sql<{ event: string }>`
    select key || ' ' || sequence || ' ' || type || ' ' || (data ->> 'partyIndex') as event from outbox order by key, sequence`.execute(
    database,
  )
  return rows.map(({ event }) => event)
}
