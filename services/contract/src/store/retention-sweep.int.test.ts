import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { createLogger } from '@paraph/telemetry/logger'
import { openContractFixture, type ContractFixture } from '../../test/contract-fixture.js'
import { createRetentionSweep } from './retention-sweep.js'

let fixture: ContractFixture
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterAll(() => fixture.close())

const createSweep = (days: number | undefined) =>
  createRetentionSweep({ ...fixture, days, logger: createLogger('contract', 'silent') })

/** Creates a contract that was cancelled this number of days ago; without an argument, an open contract. */
async function contractOf(cancelledDaysAgo?: number): Promise<string> {
  const { id } = await fixture.createContract(2)
  if (cancelledDaysAgo === undefined) return id
  await fixture.store.execute(id, { type: 'cancel', actor: 'operator' }, { reason: 'because' })
  await sql`update contract set changed_at = now() - make_interval(days => ${cancelledDaysAgo}) where id = ${id}`.execute(
    fixture.database,
  )
  return id
}

const isErased = async (id: string): Promise<boolean> => (await fixture.store.findById(id))!.erasedAt !== null

describe('the retention of final contracts [D43]', () => {
  it('erases contracts past their retention once, with an event, but no younger or open contract', async () => {
    const [old, young, open] = [await contractOf(31), await contractOf(29), await contractOf()]
    const sweep = createSweep(30)
    await sweep.eraseDue()
    await sweep.eraseDue()
    expect([await isErased(old), await isErased(young), await isErased(open)]).toEqual([true, false, false])
    expect(await fixture.store.readContent(old)).toBeUndefined()
    expect((await fixture.store.findById(old))!.parties.map(({ email }) => email)).toEqual(['erased', 'erased'])
    const { rows } = await sql<{ type: string }>`select type from outbox where key = ${old} order by id`.execute(
      fixture.database,
    )
    expect(rows.map(({ type }) => type)).toEqual(['contract.created', 'contract.cancelled', 'contract.erased'])
  })

  it('erases nothing without a retention time', async () => {
    const old = await contractOf(4_000)
    expect(await createSweep(undefined).eraseDue()).toBe(false)
    expect(await isErased(old)).toBe(false)
  })

  it('lets the runtime role change names only as part of an erasure', async () => {
    const open = await contractOf()
    await sql`select erase_parties(${open})`.execute(fixture.database)
    expect((await fixture.store.findById(open))!.parties[0]!.email).not.toBe('erased')
    await expect(sql`update party set email = 'x'`.execute(fixture.database)).rejects.toThrow('permission denied')
  })
})
