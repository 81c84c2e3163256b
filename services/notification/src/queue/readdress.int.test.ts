import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { sql, type Kysely } from 'kysely'
import { addInvitations } from './add-delivery.js'
import { readdressParty } from './readdress.js'

let clone: TestDatabase
let database: Kysely<unknown>
beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase(openPool(clone.url, { warn: () => undefined }))
  const expiresAt = new Date(Date.now() + 864_000_000).toISOString()
  const created = { contractId: 'c1', accountId: 'a1', environment: 'production' as const, partyCount: 2, expiresAt }
  await database.transaction().execute((trx) => addInvitations(trx, created))
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

const readdress = (addressNumber: number) =>
  database
    .transaction()
    .execute((trx) =>
      readdressParty(trx, {
        contractId: 'c1',
        accountId: 'a1',
        environment: 'production',
        partyIndex: 1,
        addressNumber,
        readdressedAt: new Date().toISOString(),
      }),
    )

const end = (state: 'accepted' | 'failed') =>
  sql`update delivery set state = ${state}, attempts = 1, finished_at = clock_timestamp() where state = 'due'`.execute(
    database,
  )

/** `kind party/number state` of all mails. */
async function mails(): Promise<string[]> {
  const { rows } = await sql<{ mail: string }>`
    select kind || ' ' || party_index || '/' || send_number || ' ' || state as mail from delivery order by id`.execute(
    database,
  )
  return rows.map(({ mail }) => mail)
}

it('a corrected address gets an invitation, and the old one a mail if it accepted its invitation [D61]', async () => {
  await end('accepted')
  await readdress(1)
  expect((await mails()).slice(2)).toEqual(['readdressed 1/1 due', 'invitation 1/2 due'])
})

it('the old address gets no mail if it refused its invitation, or never got it, and a waiting one is not sent [D61]', async () => {
  await readdress(1)
  expect(await mails()).toEqual(['invitation 0/1 due', 'invitation 1/1 skipped', 'invitation 1/2 due'])
  await end('failed')
  await readdress(2)
  expect((await mails()).slice(3)).toEqual(['invitation 1/3 due'])
})

it('a worker that is sending to the old address records nothing afterwards [D61]', async () => {
  await sql`update delivery set claim = gen_random_uuid(), claimed_until = now() + interval '1 minute'`.execute(
    database,
  )
  await readdress(1)
  const { rows } =
    await sql`select party_index, claim is null as free from delivery where send_number = 1 order by 1`.execute(
      database,
    )
  expect(rows).toEqual([
    { party_index: 0, free: false },
    { party_index: 1, free: true },
  ])
})
