import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { findSession, startSession } from '@paraph/codes/mailbox-session'
import { waitFor } from '@paraph/testing/wait-for'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { startMessenger } from '../../test/messenger-fixture.js'

let fixture: CeremonyFixture
let messenger: ReturnType<typeof startMessenger>
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  messenger = startMessenger(fixture, { random: () => 0 })
})
afterAll(async () => {
  await messenger.stop()
  await fixture.close()
})

const correct = (contractId: string, addressNumber: number, email: string) =>
  fixture.contracts.store.execute(contractId, { type: 'readdress', partyIndex: 1, addressNumber }, { email })

/** The addresses that an entry commits to, by its number and path. */
async function addressesOf(contractId: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select seq || ' ' || path || ' ' || value as line from evidence_opening
     where contract_id = ${contractId} and (path like '%mail' or path = 'oldEmail') order by seq, path`.execute(
    fixture.database,
  )
  return rows.map(({ line }) => line)
}

it('the chain names the first address, then both of each correction, also if it is opened after them [D61, D30]', async () => {
  const { contractId } = await fixture.createContract()
  await correct(contractId, 0, 'second@example.test')
  await correct(contractId, 1, 'third@example.test')
  await waitFor(async () =>
    expect(await addressesOf(contractId)).toEqual([
      '1 parties.0.email p0@example.test',
      '1 parties.1.email p1@example.test',
      '2 email second@example.test',
      '2 oldEmail p1@example.test',
      '3 email third@example.test',
      '3 oldEmail second@example.test',
    ]),
  )
  const line = await sql<{ line: string }>`
    select line from evidence_entry where contract_id = ${contractId} and seq = 2`.execute(fixture.database)
  expect(line.rows[0]!.line).not.toContain('@')
  expect(JSON.parse(line.rows[0]!.line)).toMatchObject({ data: { partyIndex: 1, actor: 'owner' } })
})

it('a correction ends the sessions of the old mailbox, and those of no other [D61, D33]', async () => {
  const view = await fixture.createContract()
  const start = (mailbox: string) =>
    fixture.database
      .transaction()
      .execute((trx) => startSession(trx, { scope: view.contractId, mailbox, ttlSeconds: 3_600 }))
  const [first, second] = [await start('p0@example.test'), await start('p1@example.test')]
  await correct(view.contractId, 0, 'second@example.test')
  const isLive = async ({ token }: { token: string }) =>
    (await findSession(fixture.database, view.contractId, token)) !== undefined
  await waitFor(async () => expect(await isLive(second)).toBe(false))
  expect(await isLive(first)).toBe(true)
})
