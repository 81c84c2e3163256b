import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { readDisclosures } from '../chain/chain-store.js'
import type { ContractView } from '../clients/contract.js'
import { createEvidenceTasks, queueTask } from './evidence-tasks.js'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'Mozilla/5.0 test' }
const CONSENT = { id: 'consent-1', text: 'I agree.', language: 'en' }

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const at = '2026-11-22T12:00:00.000Z'

describe('a forged event on the bus [D44, D50]', () => {
  it.each<[type: string, more: object]>([
    ['contract.completed', { total: 2, completedAt: at }],
    ['contract.cancelled', { at, actor: 'operator' }],
    ['contract.expired', { at }],
    ['contract.erased', { at }],
  ])('with type %s, for an open contract, neither closes the chain nor erases data', async (type, more) => {
    const view = await fixture.createContract(2)
    const { contractId, accountId, environment } = view
    await fixture.sessionOf(view, 0)
    const [chain, openings] = [await fixture.chainOf(contractId), await readDisclosures(fixture.database, contractId)]
    await deliver(type, { contractId, accountId, environment, ...more })
    expect(await fixture.chainOf(contractId)).toEqual(chain)
    expect(await readDisclosures(fixture.database, contractId)).toEqual(openings)
    expect(openings.length).toBeGreaterThan(0)
  })

  it('with type contract.party_signed, without a recorded signature, does not finish the attempt [D41, docs/how-to/operators/backup-restore.md]', async () => {
    const view = await fixture.createContract(2)
    const { contractId, accountId, environment } = view
    const session = await fixture.sessionOf(view, 0)
    const attemptId = await fixture.signing.prepare(session, view, 0, 'en')
    fixture.setLine('down')
    const form = { partyIndex: 0, attemptId, typedName: 'Person 0', consent: CONSENT }
    expect(await fixture.signing.sign(session, view, form, VISITOR)).toEqual({ kind: 'unknown' })
    fixture.setLine('up')
    await deliver('contract.party_signed', {
      contractId,
      accountId,
      environment,
      partyIndex: 0,
      attemptId,
      signedAt: at,
      signed: 1,
      total: 2,
    })
    expect(await fixture.chainOf(contractId)).not.toContain('signature.accepted')
    await sql`update sign_attempt set submitted_at = submitted_at - interval '1 minute'`.execute(fixture.database)
    await fixture.signing.sweep()
    expect((await fixture.chainOf(contractId)).at(-1)).toBe('signature.refused')
  })

  it('with type contract.party_signed finishes no attempt of another contract or party, and its time is not believed [D41, F33]', async () => {
    const [mine, other] = await Promise.all([fixture.createContract(2), fixture.createContract(2)])
    fixture.setLine('answers_lost')
    const submit = async (view: ContractView, partyIndex: number) => {
      const session = await fixture.sessionOf(view, partyIndex)
      const attemptId = await fixture.signing.prepare(session, view, partyIndex, 'en')
      const form = { partyIndex, attemptId, typedName: 'Person', consent: CONSENT }
      expect(await fixture.signing.sign(session, view, form, VISITOR)).toEqual({ kind: 'unknown' })
      return attemptId
    }
    const [first, second] = [await submit(mine, 0), await submit(mine, 1)]
    const foreign = await submit(other, 0)
    fixture.setLine('up')
    const tell = ({ contractId, accountId, environment }: ContractView, partyIndex: number, attemptId: string) =>
      deliver('contract.party_signed', {
        contractId,
        accountId,
        environment,
        partyIndex,
        attemptId,
        signedAt: '1999-01-01T00:00:00.000Z',
        signed: 1,
        total: 2,
      })
    await tell(mine, 0, foreign)
    await tell(mine, 0, second)
    expect(await fixture.chainOf(other.contractId)).not.toContain('signature.accepted')
    expect(await fixture.chainOf(mine.contractId)).not.toContain('signature.accepted')
    await tell(mine, 0, first)
    const { rows } = await sql<{ line: string }>`
      select line from evidence_entry where contract_id = ${mine.contractId} and type = 'signature.accepted'`.execute(
      fixture.database,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]!.line).not.toContain('1999')
  })

  it.each([
    ['contract.created', { partyCount: 2, createdAt: at, expiresAt: at }],
    ['contract.party_signed', { partyIndex: 0, attemptId: randomUUID(), signedAt: at, signed: 1, total: 2 }],
    ['contract.completed', { total: 2, completedAt: at }],
  ])(
    'with type %s, for an unknown contract, is ignored and not retried [docs/how-to/operators/backup-restore.md]',
    async (type, more) => {
      const contractId = `contract-1790000000000-${randomUUID()}`
      await deliver(type, { contractId, accountId: 'acc_lost', environment: 'production', ...more })
      expect(await fixture.chainOf(contractId)).toEqual([])
    },
  )
})

/** Records the event and performs its tasks. Expects that no task of the contract is open afterwards. */
async function deliver(type: string, data: { contractId: string } & Record<string, unknown>): Promise<void> {
  await fixture.database.transaction().execute((trx) => queueTask(trx, { type, data } as never))
  const tasks = createEvidenceTasks(fixture)
  while (await tasks.next());
  const { rows } =
    await sql`select from evidence_task where contract_id = ${data.contractId} and done_at is null`.execute(
      fixture.database,
    )
  expectWithMessage(rows, 'no task of the contract is open').toEqual([])
}
