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

async function createFinal(): Promise<string> {
  const { id } = await fixture.createContract(2)
  await fixture.store.execute(id, { type: 'cancel', actor: 'operator' }, { reason: 'because' })
  return id
}

const find = async (id: string) => (await fixture.store.findById(id))!
const makeDue = (id: string) =>
  sql`update contract set erase_due_at = now() - interval '1 second' where id = ${id}`.execute(fixture.database)
const carryOut = (id: string) => fixture.store.execute(id, { type: 'erase', isRequested: true })
const dueIds = async () => (await fixture.erasures.due()).map(({ id }) => id)
const OWNER = 'owner@example.test'

describe("an owner's request to erase [D43, P32]", () => {
  it('is due seven days later by the clock of the database, once, and names the owner until the erasure', async () => {
    const id = await createFinal()
    const requested = await fixture.erasures.change(id, 'request', OWNER)
    const again = await fixture.erasures.change(id, 'request', 'other@example.test')
    expect([requested, again]).toMatchObject([{ hasChanged: true }, { hasChanged: false }])
    const record = await find(id)
    expect(record.eraseRequestedBy).toBe(OWNER)
    const days = (record.eraseDueAt!.getTime() - record.readAt.getTime()) / 86_400_000
    expect(Math.round(days * 1_000)).toBe(7_000)
    expect(await dueIds()).not.toContain(id)
    expect(await carryOut(id)).toMatchObject({ refusal: 'not_due' })
    await makeDue(id)
    expect(await dueIds()).toContain(id)
    await carryOut(id)
    expect(await find(id)).toMatchObject({ eraseRequestedBy: null, erasedAt: expect.any(Date) })
  })

  it('stays due after the erasure until the audit log has it, and an erasure by the operator leaves nothing due', async () => {
    const [requested, erased] = [await createFinal(), await createFinal()]
    for (const id of [requested, erased]) {
      await fixture.erasures.change(id, 'request', OWNER)
      await makeDue(id)
    }
    await fixture.store.execute(erased, { type: 'erase' })
    await fixture.erasures.finish(requested)
    await carryOut(requested)
    const due = await dueIds()
    expect([due.includes(requested), due.includes(erased)]).toEqual([true, false])
    await fixture.erasures.finish(requested)
    expect(await dueIds()).not.toContain(requested)
  })

  it('is taken back by an owner, and ended by a hold, which the release does not undo', async () => {
    const [kept, held] = [await createFinal(), await createFinal()]
    for (const id of [kept, held]) {
      await fixture.erasures.change(id, 'request', OWNER)
      await makeDue(id)
    }
    await fixture.erasures.change(kept, 'keep')
    await fixture.erasures.change(held, 'hold', 'court order')
    expect(await find(held)).toMatchObject({ holdReason: 'court order', eraseDueAt: null, eraseRequestedBy: null })
    await fixture.erasures.change(held, 'release')
    for (const id of [kept, held]) {
      expect(await carryOut(id)).toMatchObject({ refusal: 'not_due' })
      expect(await find(id)).toMatchObject({ erasedAt: null, heldAt: null, holdReason: null, eraseRequestedBy: null })
    }
  })
})

describe('a hold [P32]', () => {
  it('stops the request, the operator and the retention, until it is released', async () => {
    const id = await createFinal()
    await sql`update contract set changed_at = now() - interval '40 days' where id = ${id}`.execute(fixture.database)
    await fixture.erasures.change(id, 'hold', 'court order')
    expect(await fixture.erasures.change(id, 'request', OWNER)).toMatchObject({ refusal: 'held' })
    expect(await fixture.store.execute(id, { type: 'erase' })).toMatchObject({ refusal: 'held' })
    const sweep = createRetentionSweep({ ...fixture, days: 30, logger: createLogger('contract', 'silent') })
    await sweep.eraseDue()
    expect((await find(id)).erasedAt).toBeNull()
    await expect(
      sql`update contract set erased_at = now(), content = '' where id = ${id}`.execute(fixture.database),
    ).rejects.toThrow('contract_held_not_erased')
    await fixture.erasures.change(id, 'release')
    await sweep.eraseDue()
    expect((await find(id)).erasedAt).not.toBeNull()
  })
})
