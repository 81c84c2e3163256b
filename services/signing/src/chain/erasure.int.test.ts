import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { waitFor } from '@paraph/testing/wait-for'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { ContractErased, eraseContract, delayErasure } from './erasure.js'

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const erase = (contractId: string) =>
  fixture.database.transaction().execute((trx) => eraseContract(trx, contractId, new Date()))
const challengesOf = async (contractId: string) =>
  (await sql`select from challenge where scope = ${contractId}`.execute(fixture.database)).rows.length

describe('an erasure during a transaction that stores personal data [D43]', () => {
  it('lets a later transaction store nothing, even if that transaction read the contract before the erasure', async () => {
    const view = await fixture.createContract(2)
    await erase(view.contractId)
    const asked = fixture.codes.request(
      view,
      { typed: view.parties[0]!.email, isResend: false },
      { clientAddress: '192.0.2.9', userAgent: 'Mozilla/5.0 test' },
    )
    await expect(asked).rejects.toThrow(ContractErased)
    expect(await challengesOf(view.contractId)).toBe(0)
  })

  it('refuses a transaction that had to wait for it', async () => {
    const { contractId } = await fixture.createContract(2)
    const [erased, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const erasing = fixture.database.transaction().execute(async (trx) => {
      await eraseContract(trx, contractId, new Date())
      erased.resolve()
      await mayCommit.promise
    })
    await erased.promise
    const writing = fixture.database.transaction().execute((trx) => delayErasure(trx, contractId))
    await Promise.all([
      expect(writing).rejects.toThrow(ContractErased),
      untilOneWaits()
        .finally(mayCommit.resolve)
        .then(() => erasing),
    ])
  })

  it('waits for that transaction, and deletes its rows', async () => {
    const { contractId } = await fixture.createContract(2)
    let end = (): void => undefined
    const held = new Promise<void>((resolve) => (end = resolve))
    let isHeld = (): void => undefined
    const begun = new Promise<void>((resolve) => (isHeld = resolve))
    const writing = fixture.database.transaction().execute(async (trx) => {
      await delayErasure(trx, contractId)
      isHeld()
      await held
      await trx
        .insertInto('mailbox_guard')
        .values({ scope: contractId, mailbox: 'slow@example.test', wrong_in_row: 1, code_digits: 6 })
        .execute()
    })
    await begun
    const erasing = erase(contractId)
    await untilOneWaits()
    end()
    await Promise.all([writing, erasing])
    const left = await sql`select from mailbox_guard where scope = ${contractId}`.execute(fixture.database)
    expect(left.rows).toEqual([])
  })
})

/** Waits until a transaction waits for an advisory lock. */
const untilOneWaits = () =>
  waitFor(async () => {
    const waiting = await sql`select from pg_locks where not granted
        and locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
      fixture.database,
    )
    expect(waiting.rows.length).toBe(1)
  })
