import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import type { Environment } from '@paraph/protocol/environment'
import { sql, type Kysely } from 'kysely'
import { addInvitation, addInvitations, addOutcomes } from './add-delivery.js'
import { createDeliveryClaims } from './claim-delivery.js'
import { addReminders } from './reminders.js'

let clone: TestDatabase
let database: Kysely<unknown>
beforeEach(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase(openPool(clone.url, { warn: () => undefined }, { max: 12 }))
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A contract of two parties, invited 11 days ago, that expires in `hours`. */
async function invite(contractId: string, hours: number, environment: Environment = 'production'): Promise<void> {
  const created = { contractId, accountId: 'a1', environment, partyCount: 2, expiresAt: hoursFromNow(hours) }
  await database.transaction().execute((trx) => addInvitations(trx, created))
  await sql`update delivery set state = 'accepted', attempts = 1, finished_at = clock_timestamp(),
             created_at = clock_timestamp() - interval '11 days' where contract_id = ${contractId}`.execute(database)
}

const expireIn = (contractId: string, hours: number) =>
  sql`update contract_mail set expires_at = ${hoursFromNow(hours)} where contract_id = ${contractId}`.execute(database)

/** `party/number` of the reminders of a contract, with the hours from their last moment to the expiry. */
async function remindersOf(contractId: string): Promise<[string, number][]> {
  const { rows } = await sql<{ name: string; hours: number }>`
    select party_index || '/' || send_number as name,
           round(extract(epoch from m.expires_at - d.lapses_at) / 3600)::int as hours
      from delivery d join contract_mail m using (contract_id)
     where contract_id = ${contractId} and kind = 'reminder' order by 1`.execute(database)
  return rows.map(({ name, hours }) => [name, hours])
}

describe('reminders [D58]', () => {
  it('are added three days and one day before the expiry, once each, and never sent in the last hour', async () => {
    await invite('c1', 73)
    expect(await addReminders(database)).toBe(0)
    await expireIn('c1', 71.9)
    expect(await addReminders(database)).toBe(1)
    expect(await addReminders(database)).toBe(0)
    // The first is at least 20 hours before the second.
    expect(await remindersOf('c1')).toEqual([
      ['0/1', 44],
      ['1/1', 44],
    ])
    await expireIn('c1', 23.9)
    expect(await addReminders(database)).toBe(1)
    expect(await addReminders(database)).toBe(0)
    expect((await remindersOf('c1')).filter(([name]) => name.endsWith('/2'))).toEqual([
      ['0/2', 1],
      ['1/2', 1],
    ])
  })

  it('belong to the newest invitation of their party, also after a correction of its address', async () => {
    await invite('c1', 71)
    await sql`insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, state, attempts, finished_at, created_at)
              select contract_id, account_id, 1, kind, 2, priority, lapses_at, state, attempts, finished_at, created_at
                from delivery where party_index = 1`.execute(database)
    await addReminders(database)
    const claimed = (await createDeliveryClaims({ database }).claim(10, 'all')).toSorted(
      (left, right) => left.partyIndex! - right.partyIndex!,
    )
    expect(claimed.map((each) => [each.kind, each.partyIndex, each.invitationNumber])).toEqual([
      ['reminder', 0, 1],
      ['reminder', 1, 2],
    ])
  })

  it('are added once by ten processes at the same time', async () => {
    for (const id of ['c1', 'c2', 'c3']) await invite(id, 71)
    const counts = await Promise.all(Array.from({ length: 10 }, () => addReminders(database)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(3)
    for (const id of ['c1', 'c2', 'c3']) expect(await remindersOf(id)).toHaveLength(2)
  })

  it('are only the second after a pause in which both became due, and none in the last hour', async () => {
    await invite('c1', 20)
    await invite('c2', 0.9)
    expect(await addReminders(database)).toBe(2)
    expect((await remindersOf('c1')).map(([name]) => name)).toEqual(['0/2', '1/2'])
    expect(await remindersOf('c2')).toEqual([])
    expect(await addReminders(database)).toBe(0)
  })

  it('are not for the sandbox, an ended contract, a refused invitation, or within 20 hours of another one', async () => {
    await invite('sandbox', 71, 'sandbox')
    await invite('ended', 71)
    await database.transaction().execute((trx) => addOutcomes(trx, 'ended', 'cancelled'))
    await invite('refused', 71)
    await sql`update delivery set state = 'failed' where contract_id = 'refused' and party_index = 0`.execute(database)
    await invite('again', 71)
    const again = { contractId: 'again', accountId: 'a1', partyIndex: 1 }
    await database.transaction().execute((trx) => addInvitation(trx, again))
    await sql`update delivery set state = 'accepted', finished_at = clock_timestamp() where send_number = 2`.execute(
      database,
    )
    expect(await addReminders(database)).toBe(2)
    const names = async (id: string) => (await remindersOf(id)).map(([name]) => name)
    expect([await names('sandbox'), await names('ended')]).toEqual([[], []])
    expect([await names('refused'), await names('again')]).toEqual([['1/1'], ['0/1']])
  })
})
