import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from './ceremony-fixture.js'
import { ContractErased, eraseContract, holdOffErasure } from './erasure.js'

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const erase = (contractId: string) =>
  fixture.database.transaction().execute((trx) => eraseContract(trx, contractId, new Date()))
const challengesOf = async (contractId: string) =>
  (await sql`select from challenge where scope = ${contractId}`.execute(fixture.database)).rows.length

describe('an erasure while somebody is about to leave something behind [D43]', () => {
  it('keeps nothing of who comes after it, though they read of the contract before', async () => {
    const facts = await fixture.createContract(2)
    await erase(facts.contractId)
    const asked = fixture.codes.request(
      facts,
      { typed: facts.parties[0]!.email, isResend: false },
      { clientAddress: '192.0.2.9', userAgent: 'Mozilla/5.0 test' },
    )
    await expect(asked).rejects.toThrow(ContractErased)
    expect(await challengesOf(facts.contractId)).toBe(0)
  })

  it('waits for who began before it, and takes what they left', async () => {
    const { contractId } = await fixture.createContract(2)
    let end = (): void => undefined
    const held = new Promise<void>((resolve) => (end = resolve))
    let isHeld = (): void => undefined
    const begun = new Promise<void>((resolve) => (isHeld = resolve))
    const writing = fixture.database.transaction().execute(async (trx) => {
      await holdOffErasure(trx, contractId)
      isHeld()
      await held
      await trx
        .insertInto('mailbox_guard')
        .values({ scope: contractId, mailbox: 'slow@example.test', wrong_in_row: 1, code_digits: 6 })
        .execute()
    })
    await begun
    const erasing = erase(contractId)
    await expect
      .poll(async () => {
        const waiting = await sql`select from pg_locks where not granted
          and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
          fixture.database,
        )
        return waiting.rows.length
      })
      .toBe(1)
    end()
    await Promise.all([writing, erasing])
    const left = await sql`select from mailbox_guard where scope = ${contractId}`.execute(fixture.database)
    expect(left.rows).toEqual([])
  })
})
