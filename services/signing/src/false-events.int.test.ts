import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from './ceremony-fixture.js'
import { readOpenings } from './evidence-chain.js'
import { noteTask } from './evidence-task-queue.js'
import { createEvidenceTasks } from './evidence-tasks.js'

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const at = '2026-11-22T12:00:00.000Z'

describe('an event that nobody told, as whoever can write to the bus may put there [D44, D50]', () => {
  it.each<[type: string, more: object]>([
    ['contract.completed', { total: 2, completedAt: at }],
    ['contract.cancelled', { at, actor: 'operator' }],
    ['contract.expired', { at }],
    ['contract.erased', { at }],
  ])('%s of an open contract closes nothing and erases nothing', async (type, more) => {
    const facts = await fixture.createContract(2)
    const { contractId, accountId, environment } = facts
    await fixture.sessionOf(facts, 0)
    const [chain, openings] = [await fixture.chainOf(contractId), await readOpenings(fixture.database, contractId)]
    const event = { type, data: { contractId, accountId, environment, ...more } }
    await fixture.database.transaction().execute((trx) => noteTask(trx, event as never))
    const tasks = createEvidenceTasks(fixture)
    while (await tasks.doNext());
    expect(await fixture.chainOf(contractId)).toEqual(chain)
    expect(await readOpenings(fixture.database, contractId)).toEqual(openings)
    expect(openings.length).toBeGreaterThan(0)
    const { rows } = await sql`select from evidence_task where contract_id = ${contractId} and done_at is null`.execute(
      fixture.database,
    )
    expect(rows, 'and nothing waits behind it').toEqual([])
  })
})
