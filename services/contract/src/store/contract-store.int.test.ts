import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { withClient } from '@paraph/database/provision'
import { pruneBatch } from '@paraph/database/retention'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { Command } from '../domain/contract.js'
import { openContractFixture, type ContractFixture } from '../../test/contract-fixture.js'
import { RETENTION } from '../retention.js'

const RACES = 200

let fixture: ContractFixture
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterAll(() => fixture.close())

const sign = (partyIndex: number, attemptId = randomUUID()): Command => ({ type: 'sign', partyIndex, attemptId })
const cancel: Command = { type: 'cancel', actor: 'owner' }

async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ type: string; sequence: number }>`
    select type, sequence from outbox where key = ${id} order by id`.execute(fixture.database)
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1))
  return rows.map(({ type }) => type.replace('contract.', ''))
}

/** Repeats `RACES` times: `signedBefore` parties sign in turn, the commands run concurrently, `check` gets the outcomes. */
async function race(
  { parties, signedBefore, commands }: { parties: number; signedBefore: number; commands: () => Command[] },
  check: (outcomes: string[], id: string) => Promise<void>,
): Promise<void> {
  for (let run = 0; run < RACES; run += 1) {
    const { id } = await fixture.createContract(parties)
    for (let index = 0; index < signedBefore; index += 1) await fixture.store.execute(id, sign(index))
    // Each order in half of the runs: the command that is sent first nearly always wins.
    const isReversed = run % 2 === 1
    const sent = isReversed ? commands().toReversed() : commands()
    const answers = await Promise.all(sent.map((command) => fixture.store.execute(id, command)))
    const results = isReversed ? answers.toReversed() : answers
    await check(
      results.map((result) => (!result ? 'unknown' : 'refusal' in result ? result.refusal : 'done')),
      id,
    )
  }
}

describe('races on one contract [States and transitions, F13-F15]', () => {
  it('lets two parties sign at the same time: two signatures, one completion [S12.4]', async () => {
    await race({ parties: 2, signedBefore: 0, commands: () => [sign(0), sign(1)] }, async (outcomes, id) => {
      expect(outcomes).toEqual(['done', 'done'])
      const record = await fixture.store.findById(id)
      expect(record?.status).toBe('signed')
      expect(record?.completedAt).toEqual(
        new Date(Math.max(...record!.parties.map(({ signedAt }) => Number(signedAt)))),
      )
      expect(await eventsOf(id)).toEqual(['created', 'party_signed', 'party_signed', 'completed'])
    })
  })

  it('records one signature when one party signs twice concurrently', async () => {
    await race({ parties: 2, signedBefore: 0, commands: () => [sign(0), sign(0)] }, async (outcomes, id) => {
      expect(outcomes.toSorted()).toEqual(['already_signed', 'done'])
      expect(await eventsOf(id)).toEqual(['created', 'party_signed'])
    })
  })

  it('answers one attempt that is sent twice concurrently with the same signature [D41]', async () => {
    const twice = () => {
      const attemptId = randomUUID()
      return [sign(0, attemptId), sign(0, attemptId)]
    }
    await race({ parties: 2, signedBefore: 0, commands: twice }, async (outcomes, id) => {
      expect(outcomes).toEqual(['done', 'done'])
      expect(await eventsOf(id)).toEqual(['created', 'party_signed'])
    })
  })

  it('has one outcome when the last party signs while the owner cancels', async () => {
    const winners = new Set<string>()
    await race({ parties: 2, signedBefore: 1, commands: () => [sign(1), cancel] }, async (outcomes, id) => {
      const record = await fixture.store.findById(id)
      winners.add(record!.status)
      if (record!.status === 'signed') expect(outcomes).toEqual(['done', 'signed'])
      else expect([record!.status, ...outcomes]).toEqual(['cancelled', 'cancelled', 'done'])
      expect(record!.parties.filter(({ signedAt }) => signedAt).length).toBe(record!.status === 'signed' ? 2 : 1)
      expect((await eventsOf(id)).at(-1)).toBe(record!.status === 'signed' ? 'completed' : 'cancelled')
    })
    expectWithMessage(winners.size, 'both outcomes occurred, so the commands raced').toBe(2)
  })
})

it('a signature that waited for the row lock across expiresAt is refused [D20]', async () => {
  const { id } = await fixture.createContract()
  await withClient(fixture.clone.ownerUrl, (owner) =>
    owner.query("update contract set expires_at = clock_timestamp() + interval '1 second' where id = $1", [id]),
  )
  const waiting = await withClient(fixture.clone.adminUrl, async (holder) => {
    await holder.query('begin')
    // Locked but not changed: for a changed row, Postgres would evaluate the waiting statement and a clock in it again.
    await holder.query('select 1 from contract where id = $1 for update', [id])
    const signing = fixture.store.execute(id, sign(0))
    await untilLockWait()
    const { rows } = await holder.query('select clock_timestamp() < expires_at as early from contract where id = $1', [
      id,
    ])
    expectWithMessage(rows[0].early, 'the signature began to wait before expiresAt').toBe(true)
    await holder.query('select pg_sleep_until(expires_at) from contract where id = $1', [id])
    await holder.query('commit')
    return signing
  })
  expect(waiting).toMatchObject({ refusal: 'expired' })
  expect(await eventsOf(id)).toEqual(['created'])
})

it('no read returns an expired contract while a signature that was decided in time is uncommitted [D20, I3]', async () => {
  const { id } = await fixture.createContract()
  await fixture.store.execute(id, sign(0))
  await withClient(fixture.clone.ownerUrl, (owner) =>
    owner.query("update contract set expires_at = clock_timestamp() + interval '300 milliseconds' where id = $1", [id]),
  )
  const read = await withClient(fixture.clone.adminUrl, async (signing) => {
    // The last signature, decided before expiresAt and committed after it, as on a slow disk.
    await signing.query('begin')
    await signing.query('select 1 from contract where id = $1 for update', [id])
    await signing.query('insert into signature values ($1, 1, $2, clock_timestamp())', [id, randomUUID()])
    await signing.query(
      "update contract set status = 'signed', version = version + 1, completed_at = clock_timestamp() where id = $1",
      [id],
    )
    await signing.query('select pg_sleep_until(expires_at) from contract where id = $1', [id])
    const reading = fixture.store.findById(id)
    await untilLockWait()
    await signing.query('commit')
    return reading
  })
  expect(read).toMatchObject({ status: 'signed' })
})

it('a contract keeps its stored status until the sweep; two concurrent expiries publish one event, dated at expiresAt [S12.5, D20, F23]', async () => {
  const { id } = await fixture.createContract()
  await expireNow(id)
  const before = await fixture.store.findById(id)
  expect(before!.status).toBe('pending_signature')
  expect(before!.readAt >= before!.expiresAt).toBe(true)
  await Promise.all([fixture.store.execute(id, { type: 'expire' }), fixture.store.execute(id, { type: 'expire' })])
  expect(await eventsOf(id)).toEqual(['created', 'expired'])
  const { rows } = await sql<{
    at: string
  }>`select data->>'at' as at from outbox where key = ${id} and type = 'contract.expired'`.execute(fixture.database)
  expect(rows[0]!.at).toBe(before!.expiresAt.toISOString())
})

it('a late sign is refused after its attempt was given up, and a recorded attempt cannot be given up [D41]', async () => {
  const { id } = await fixture.createContract()
  const attemptId = randomUUID()
  expect(await fixture.store.finalizeAttempt(id, attemptId)).toBe('tombstoned')
  expect(await fixture.store.execute(id, sign(0, attemptId))).toMatchObject({ refusal: 'given_up' })
  const second = randomUUID()
  await fixture.store.execute(id, sign(0, second))
  expect(await fixture.store.finalizeAttempt(id, second)).toMatchObject({ partyIndex: 0 })
  expect(await eventsOf(id)).toEqual(['created', 'party_signed'])
})

it('a sign and a concurrent finalizeAttempt for the same attempt agree on its outcome [D41]', async () => {
  for (let run = 0; run < RACES; run += 1) {
    const { id } = await fixture.createContract()
    const attemptId = randomUUID()
    const [signed, finalized] = await Promise.all([
      fixture.store.execute(id, sign(0, attemptId)),
      fixture.store.finalizeAttempt(id, attemptId),
    ])
    const recorded = (await fixture.store.findById(id))!.parties[0]!.signedAt !== null
    expect(finalized !== 'tombstoned').toBe(recorded)
    expect(signed && 'events' in signed).toBe(recorded)
  }
})

it('the service itself cannot change or delete a signature [Rules of docs/explanation/architecture.md]', async () => {
  await expect(sql`update signature set signed_at = now()`.execute(fixture.database)).rejects.toThrow(
    'permission denied',
  )
  await expect(sql`delete from signature`.execute(fixture.database)).rejects.toThrow('permission denied')
})

it('a share token is deleted 31 days after the creation, not before [D46, D66]', async () => {
  const young = await fixture.createContract()
  const old = await fixture.createContract()
  const age = (id: string, interval: string) =>
    withClient(fixture.clone.ownerUrl, (owner) =>
      owner.query('update contract set created_at = clock_timestamp() - $2::interval where id = $1', [id, interval]),
    )
  await age(young.id, '30 days 23 hours')
  await age(old.id, '31 days 1 second')
  for (const retention of RETENTION.pruned) await pruneBatch(fixture.database, retention)
  expect((await fixture.store.findById(old.id))!.shareToken).toBeNull()
  expect((await fixture.store.findById(young.id))!.shareToken).not.toBeNull()
})

async function expireNow(id: string): Promise<void> {
  await withClient(fixture.clone.ownerUrl, (owner) =>
    owner.query('update contract set expires_at = clock_timestamp() where id = $1', [id]),
  )
}

/** Resolves when another backend waits for a lock in this database. */
async function untilLockWait(): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      fixture.database,
    )
    if (rows[0]!.waiting > 0) return
  }
}
