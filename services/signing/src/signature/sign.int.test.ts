import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { withClient } from '@paraph/database/provision'
import { linkErrors } from '../../test/aftermath-fixture.js'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { append } from '../chain/chain-store.js'
import { ContractErased, eraseContract } from '../chain/erasure.js'
import { createEvidenceTasks, queueTask } from '../tasks/evidence-tasks.js'
import { finishAttempt, finishOpenAttempts } from './finish-attempt.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'

const VISITOR = { clientAddress: '192.0.2.7', userAgent: 'Mozilla/5.0 test' }
const EVENT_FACTS = { accountId: 'acc_1', environment: 'production' }
const CONSENT = { id: 'consent-1', text: 'I agree.', language: 'en' }

let fixture: CeremonyFixture
let view: ContractView
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  fixture.setLine('up')
  view = await fixture.createContract()
})

const sessionOf = (partyIndex: number) => fixture.sessionOf(view, partyIndex)

const formOf = (partyIndex: number, attemptId: string) => ({
  partyIndex,
  attemptId,
  typedName: `Person ${partyIndex}`,
  consent: CONSENT,
})
const prepare = (session: MailboxSession, partyIndex: number) =>
  fixture.signing.prepare(session, view, partyIndex, 'en')
const stateOf = async (attemptId: string) =>
  (
    await fixture.database
      .selectFrom('sign_attempt')
      .select('state')
      .where('id', '=', attemptId)
      .executeTakeFirstOrThrow()
  ).state
const makeAttemptsOld = () =>
  sql`update sign_attempt set submitted_at = submitted_at - interval '1 minute'`.execute(fixture.database)

const ACCEPTED = ['contract.created', 'text.shown', 'consent.given', 'signature.submitted', 'signature.accepted']

it('the form signs once, and the chain records every step [D30, D41]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  const outcome = await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
  expect(outcome.kind).toBe('accepted')
  const record = await fixture.contracts.store.findById(view.contractId)
  expect(outcome).toEqual({ kind: 'accepted', signedAt: record!.parties[0]!.signedAt })
  expect(await fixture.chainOf(view.contractId)).toEqual(ACCEPTED)
})

it('Back, reload and a second tab use the same attempt, and the shown text is recorded once per session [D31, D41]', async () => {
  const session = await sessionOf(0)
  const ids = await Promise.all(Array.from({ length: 10 }, () => prepare(session, 0)))
  expect(new Set(ids).size).toBe(1)
  expect(await fixture.chainOf(view.contractId)).toEqual(['contract.created', 'text.shown'])
})

it('both requests of a double click get the same signature [D41]', async () => {
  for (let run = 0; run < 20; run += 1) {
    view = await fixture.createContract()
    const session = await sessionOf(0)
    const attemptId = await prepare(session, 0)
    const outcomes = await Promise.all(
      [1, 2].map(() => fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted'])
    expect(outcomes[0]).toEqual(outcomes[1])
    expect(await fixture.chainOf(view.contractId)).toEqual(ACCEPTED)
  }
})

it('the attempt of another session or party is refused [D41]', async () => {
  const [mine, theirs] = [await sessionOf(0), await sessionOf(1)]
  const attemptId = await prepare(theirs, 1)
  expect(await fixture.signing.sign(mine, view, formOf(0, attemptId), VISITOR)).toEqual({ kind: 'no_such_attempt' })
  expect(await fixture.signing.sign(mine, view, formOf(0, randomUUID()), VISITOR)).toEqual({ kind: 'no_such_attempt' })
  expect(
    (await fixture.contracts.store.findById(view.contractId))!.parties.every(({ signedAt }) => signedAt === null),
  ).toBe(true)
})

it('a signature is reported as recorded when only its local record fails, and the sweep records it later [D41, ceremony 16]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  await withClient(fixture.clone.ownerUrl, async (owner) => {
    await owner.query(
      `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    )
    await owner.query(`create trigger refuse before update on sign_attempt for each row execute function refuse()`)
    const outcome = await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
    const { signedAt } = (await fixture.contracts.store.findById(view.contractId))!.parties[0]!
    expect(outcome).toEqual({ kind: 'recorded_only', signedAt })
    await owner.query('drop trigger refuse on sign_attempt')
  })
  expect(await stateOf(attemptId)).toBe('submitted')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  expect(await stateOf(attemptId)).toBe('accepted')
})

it('showing a form writes nothing, except for one record that the text was shown [D31]', async () => {
  const session = await sessionOf(0)
  const rows = async () =>
    (
      await sql<{ attempts: number; shown: number; entries: number }>`
        select (select count(*)::int from sign_attempt where session_id = ${session.id}) as attempts,
               (select count(*)::int from text_shown where session_id = ${session.id}) as shown,
               (select count(*)::int from evidence_entry where contract_id = ${view.contractId}) as entries`.execute(
        fixture.database,
      )
    ).rows[0]
  for (let render = 0; render < 3; render += 1) await prepare(session, 0)
  expect(await rows()).toEqual({ attempts: 0, shown: 1, entries: 2 })
})

it('the outcome is reported as unknown when the answer is lost, and the sweep finds the recorded signature [D41]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('answers_lost')
  expect(await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)).toEqual({ kind: 'unknown' })
  expect(await stateOf(attemptId)).toBe('submitted')
  fixture.setLine('up')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  expect(await stateOf(attemptId)).toBe('accepted')
  expect(await fixture.chainOf(view.contractId)).toEqual(ACCEPTED)
})

it('an attempt whose request never arrived is given up and refused later, and the next attempt is accepted [D41]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('down')
  expect(await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)).toEqual({ kind: 'unknown' })
  fixture.setLine('up')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  expect(await stateOf(attemptId)).toBe('refused')
  const { contractId, contentSha256 } = view
  const late = await fixture.contract.ceremony.sign.mutate({ contractId, partyIndex: 0, attemptId, contentSha256 })
  expect(late).toEqual({ outcome: 'refused', reason: 'given_up' })
  const next = await prepare(session, 0)
  expect(next).not.toBe(attemptId)
  expect((await fixture.signing.sign(session, view, formOf(0, next), VISITOR)).kind).toBe('accepted')
})

it('a submission that an erasure overtook stores nothing [D43]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  await fixture.database.transaction().execute((trx) => eraseContract(trx, view.contractId, new Date()))
  await expect(fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)).rejects.toThrow(ContractErased)
  await expect(stateOf(attemptId)).rejects.toThrow('no result')
})

it('an attempt is finished once when reply, event and sweep arrive at the same time [D41]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('answers_lost')
  await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
  fixture.setLine('up')
  await makeAttemptsOld()
  const signedAt = (await fixture.contracts.store.findById(view.contractId))!.parties[0]!.signedAt!
  const byEvent = () =>
    finishAttempt(
      fixture.database,
      { contractId: view.contractId, partyIndex: 0, attemptId },
      { kind: 'accepted', signedAt },
    )
  await Promise.all([byEvent(), fixture.signing.sweep(), byEvent(), fixture.signing.sweep()])
  expect(await fixture.chainOf(view.contractId)).toEqual(ACCEPTED)
})

it('the chain records that the contract service refused a signature [D30]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  await fixture.contracts.store.execute(view.contractId, { type: 'cancel', actor: 'owner' })
  expect(await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)).toEqual({
    kind: 'refused',
    reason: 'cancelled',
  })
  expect((await fixture.chainOf(view.contractId)).at(-1)).toBe('signature.refused')
})

it('events alone complete and close the chain, in order, and nothing is appended afterwards [D30]', async () => {
  const { contractId } = view
  const tasks = createEvidenceTasks({ database: fixture.database, contract: fixture.contract, logger: fixture.logger })
  fixture.setLine('up')
  for (const index of [0, 1]) {
    const session = await sessionOf(index)
    const attemptId = await prepare(session, index)
    // Every reply is lost; only the events report the signature.
    fixture.setLine('answers_lost')
    await fixture.signing.sign(session, view, formOf(index, attemptId), VISITOR)
    fixture.setLine('up')
  }
  const { rows } = await sql<{ type: string; data: never; event_id: string; sequence: number }>`
    select type, data, event_id, sequence from outbox where key = ${contractId} order by id`.execute(
    fixture.contracts.database,
  )
  for (const { type, data, event_id, sequence } of rows) {
    const event = {
      type,
      data,
      id: event_id,
      subject: contractId,
      sequence: String(sequence),
      time: new Date().toISOString(),
    }
    await fixture.database.transaction().execute((trx) => queueTask(trx, event as never))
  }
  while (await tasks.next());
  const chain = await fixture.chainOf(contractId)
  expect(chain.slice(-3)).toEqual(['signature.accepted', 'signature.accepted', 'contract.completed'])
  const late = await fixture.database.transaction().execute((trx) => append(trx, contractId, 'code.sent', {}))
  expect(late).toBeUndefined()
  expect(await fixture.chainOf(contractId)).toEqual(chain)
})

it('an open attempt of an ended contract is finished before the chain is closed [D30, D41]', async () => {
  const { contractId } = view
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('down')
  await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
  fixture.setLine('up')
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  const tasks = createEvidenceTasks({ database: fixture.database, contract: fixture.contract, logger: fixture.logger })
  const at = new Date().toISOString()
  const event = { type: 'contract.cancelled', data: { ...EVENT_FACTS, contractId, at, actor: 'owner' } }
  await fixture.database.transaction().execute((trx) => queueTask(trx, event as never))
  while (await tasks.next());
  expect((await fixture.chainOf(contractId)).slice(-3)).toEqual([
    'signature.submitted',
    'signature.refused',
    'contract.cancelled',
  ])
  expect(await stateOf(attemptId)).toBe('refused')
})

it('every line of a chain is numbered and linked by the hash of the line before, under parallel writers [D30]', async () => {
  await sessionOf(0)
  const { contractId } = view
  await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      fixture.database.transaction().execute((trx) => append(trx, contractId, 'text.shown', { n })),
    ),
  )
  const rows = await fixture.database
    .selectFrom('evidence_entry')
    .select(['seq', 'line'])
    .where('contract_id', '=', contractId)
    .orderBy('seq')
    .execute()
  expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1))
  expect(linkErrors(rows.map(({ line }) => line))).toEqual([])
})

it('a given-up attempt is not reported as "nothing was signed" when another tab has signed [I5, D41]', async () => {
  const [here, there] = [await sessionOf(0), await sessionOf(0)]
  const lost = await prepare(here, 0)
  fixture.setLine('down')
  await fixture.signing.sign(here, view, formOf(0, lost), VISITOR)
  fixture.setLine('up')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  const again = () => fixture.signing.sign(here, view, formOf(0, lost), VISITOR)
  expect(await again()).toEqual({ kind: 'refused', reason: 'given_up' })

  // The other tab submitted its form and got no answer, so the outcome is unknown.
  const other = await prepare(there, 0)
  fixture.setLine('down')
  await fixture.signing.sign(there, view, formOf(0, other), VISITOR)
  fixture.setLine('up')
  expect(await again()).toEqual({ kind: 'unknown' })
  expect((await fixture.signing.sign(there, view, formOf(0, other), VISITOR)).kind).toBe('accepted')
  expect(await again()).toEqual({ kind: 'refused', reason: 'already_signed' })
  const { contractId, contentSha256 } = view
  const late = await fixture.contract.ceremony.sign.mutate({
    contractId,
    partyIndex: 0,
    attemptId: lost,
    contentSha256,
  })
  expect(late).toEqual({ outcome: 'refused', reason: 'already_signed' })
})

it('a given-up attempt is reported as cancelled after a cancellation, not as "nothing was signed, try again" [ceremony 6c]', async () => {
  const session = await sessionOf(0)
  const lost = await prepare(session, 0)
  fixture.setLine('down')
  await fixture.signing.sign(session, view, formOf(0, lost), VISITOR)
  fixture.setLine('up')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  await fixture.contracts.store.execute(view.contractId, { type: 'cancel', actor: 'owner' })
  const again = await fixture.signing.sign(session, view, formOf(0, lost), VISITOR)
  expect(again).toEqual({ kind: 'refused', reason: 'cancelled' })
})

it('all attempts of an ended contract are finished while their answers arrive, without a deadlock [D41]', async () => {
  for (let run = 0; run < 20; run += 1) {
    view = await fixture.createContract(4)
    fixture.setLine('down')
    const attempts = await Promise.all(
      [0, 1, 2, 3].map(async (index) => {
        const session = await sessionOf(index)
        const attemptId = await prepare(session, index)
        await fixture.signing.sign(session, view, formOf(index, attemptId), VISITOR)
        return attemptId
      }),
    )
    fixture.setLine('up')
    const { contractId } = view
    await Promise.all([
      fixture.database.transaction().execute((trx) => finishOpenAttempts(trx, contractId, 'cancelled')),
      ...attempts.map((attemptId, partyIndex) =>
        finishAttempt(
          fixture.database,
          { contractId, partyIndex, attemptId },
          { kind: 'refused', reason: 'cancelled' },
        ),
      ),
    ])
    const refusals = (await fixture.chainOf(view.contractId)).filter((type) => type === 'signature.refused')
    expect(refusals).toHaveLength(attempts.length)
  }
})

it('the sweep finishes an attempt that was submitted before the clock was set back [D41, F32]', async () => {
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('answers_lost')
  await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
  fixture.setLine('up')
  await fixture.signing.sweep()
  expect(await stateOf(attemptId)).toBe('submitted')
  await sql`update sign_attempt set submitted_at = submitted_at + interval '1 hour'`.execute(fixture.database)
  await fixture.signing.sweep()
  expect(await stateOf(attemptId)).toBe('accepted')
})

it('a chain that lacks a recorded signature is not closed, even if the event of the signature never arrives [D30, I9]', async () => {
  const { contractId } = view
  const session = await sessionOf(0)
  const attemptId = await prepare(session, 0)
  fixture.setLine('answers_lost')
  await fixture.signing.sign(session, view, formOf(0, attemptId), VISITOR)
  fixture.setLine('up')
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  const tasks = createEvidenceTasks({ database: fixture.database, contract: fixture.contract, logger: fixture.logger })
  const data = { ...EVENT_FACTS, contractId, at: new Date().toISOString(), actor: 'owner' }
  // The event of the signature became a dead letter; only the event of the contract's end arrives.
  await fixture.database.transaction().execute((trx) => queueTask(trx, { type: 'contract.cancelled', data } as never))
  await tasks.next()
  expect((await fixture.chainOf(contractId)).at(-1)).toBe('signature.submitted')
  await makeAttemptsOld()
  await fixture.signing.sweep()
  await sql`update evidence_task set run_after = clock_timestamp() - interval '1 second'`.execute(fixture.database)
  while (await tasks.next());
  expect((await fixture.chainOf(contractId)).slice(-2)).toEqual(['signature.accepted', 'contract.cancelled'])
})

it('the service’s role cannot change or delete an entry [D30]', async () => {
  for (const statement of [
    sql`update evidence_entry set line = ''`,
    sql`delete from evidence_entry`,
    sql`delete from evidence_chain`,
    sql`truncate evidence_entry`,
  ]) {
    await expect(statement.execute(fixture.database)).rejects.toThrow('permission denied')
  }
})
