import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { waitFor } from '@paraph/testing/wait-for'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { startMessenger } from '../../test/messenger-fixture.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'Mozilla/5.0 test' }
const NOTE = 'Ask my sister instead.'

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
beforeEach(() => fixture.setLine('up'))

async function open() {
  const view = await fixture.createContract()
  const session = await fixture.sessionOf(view, 1)
  const decline = (note = NOTE) =>
    fixture.decline(session, view, { partyIndex: 1, reason: 'wrong_person', note }, VISITOR)
  return { contractId: view.contractId, session, decline }
}

const entriesOf = async (contractId: string) =>
  (
    await sql<{ line: string }>`
      select line from evidence_entry where contract_id = ${contractId} and type = 'party.declined'`.execute(
      fixture.database,
    )
  ).rows.map(({ line }) => JSON.parse(line) as { data: Record<string, unknown> })
const keptRows = async (contractId: string) =>
  (await sql`select 1 from decline where contract_id = ${contractId}`.execute(fixture.database)).rows.length
const declinedAt = async (contractId: string) =>
  (await fixture.contract.ceremony.byId.query({ contractId }))!.parties[1]!.declinedAt

it('a party declines once: the chain has the reason, and its words and the network address only as commitments [D57, D30]', async () => {
  const { contractId, session, decline } = await open()
  expect(await decline()).toEqual({ outcome: 'declined', isNew: true })
  expect(await decline('Again.')).toEqual({ outcome: 'declined', isNew: false })
  await waitFor(async () => expect(await entriesOf(contractId)).toHaveLength(1))
  const [entry] = await entriesOf(contractId)
  expect(entry!.data).toMatchObject({ partyIndex: 1, reason: 'wrong_person', sessionId: session.id })
  expect(entry!.data['declinedAt']).toBe(await declinedAt(contractId))
  expect(JSON.stringify(entry)).not.toContain(NOTE)
  expect(JSON.stringify(entry)).not.toContain(VISITOR.clientAddress)
  const { rows } = await sql<{ path: string; value: string }>`
    select path, value from evidence_opening where contract_id = ${contractId} and path in ('note', 'ip', 'userAgent')
     order by path`.execute(fixture.database)
  expect(rows).toEqual([
    { path: 'ip', value: VISITOR.clientAddress },
    { path: 'note', value: NOTE },
    { path: 'userAgent', value: VISITOR.userAgent },
  ])
  expect(await keptRows(contractId)).toBe(0)
})

it('a decline whose answer is lost enters the chain with its reason, and one that never arrived does not [D57, F1]', async () => {
  const { contractId, decline } = await open()
  fixture.setLine((path) => (path.endsWith('.decline') ? 'answers_lost' : 'up'))
  await expect(decline()).rejects.toThrow()
  await waitFor(async () => expect(await entriesOf(contractId)).toHaveLength(1))
  expect((await entriesOf(contractId))[0]!.data).toMatchObject({ reason: 'wrong_person' })
  expect(await declinedAt(contractId)).not.toBeNull()

  const other = await open()
  fixture.setLine((path) => (path.endsWith('.decline') ? 'down' : 'up'))
  await expect(other.decline()).rejects.toThrow()
  fixture.setLine('up')
  expect(await declinedAt(other.contractId)).toBeNull()
  expect(await other.decline()).toEqual({ outcome: 'declined', isNew: true })
})

it('a party that has signed, and a party of an ended contract, cannot decline, and their words are not kept [D57]', async () => {
  const { contractId, decline } = await open()
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  expect(await decline()).toEqual({ outcome: 'refused', reason: 'cancelled' })
  expect(await keptRows(contractId)).toBe(0)
})
