import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { Command } from '../domain/contract.js'
import { openContractFixture, type ContractFixture } from '../../test/contract-fixture.js'
import { selectDue } from './lock.js'
import { expireDue } from './expiry.js'

let fixture: ContractFixture
beforeEach(async () => {
  fixture = await openContractFixture()
})
afterEach(() => fixture.close())

type Figure = 'Actual Rows' | 'Shared Hit Blocks' | 'Shared Read Blocks'

const sign = (partyIndex: number): Command => ({ type: 'sign', partyIndex, attemptId: randomUUID() })
const asOwner = (text: string, values: unknown[] = []) =>
  withClient(
    fixture.clone.ownerUrl,
    async (owner) => (await owner.query(text, values)).rows as Record<string, unknown>[],
  )
const makeDue = (ids: string[], ago = '0 s') =>
  asOwner('update contract set expires_at = clock_timestamp() - $2::interval where id = any($1)', [ids, ago])

/** The events of these contracts except `contract.created`. */
async function eventsOf(ids: string[]) {
  const { rows } = await sql<{ key: string; type: string; sequence: number; at: string; occurredAt: Date }>`
    select key, type, sequence, data->>'at' as at, occurred_at as "occurredAt" from outbox
     where key = any(${ids}) and type <> 'contract.created' order by id`.execute(fixture.database)
  return rows
}

/** Inserts `count` open contracts in bulk, without parties, which an expiry does not need. */
async function seedOpen(count: number, ago: string): Promise<void> {
  const { id } = await fixture.createContract()
  const [like] = await asOwner('select * from contract where id = $1', [id])
  const columns = Object.keys(like!).filter(
    (name) => !['id', 'contract_number', 'share_token_sha256', 'request_id', 'expires_at'].includes(name),
  )
  const tag = randomUUID()
  await asOwner(
    `insert into contract (id, contract_number, share_token_sha256, request_id, expires_at, ${columns.join()})
     select 'seed-' || n || $2, 'S' || n || $2, sha256((n || $2)::bytea), 'r' || n || $2, now() - $4::interval - n * interval '1 ms', ${columns.join()}
       from contract, generate_series(1, $3::int) as n where id = $1`,
    [id, tag, count, ago],
  )
}

it('the sweep expires every due open contract and no other, dated at expiresAt [States and transitions, D20]', async () => {
  const [open, pending, partial, cancelled] = await Promise.all([1, 2, 3, 4].map(() => fixture.createContract(3)))
  await fixture.store.execute(partial!.id, sign(1))
  await fixture.store.execute(cancelled!.id, { type: 'cancel', actor: 'owner' })
  const ids = [pending!.id, partial!.id, cancelled!.id]
  await makeDue(ids, '90 s')
  expect(await expireDue(fixture.database, 100)).toBe(2)
  expect(await expireDue(fixture.database, 100)).toBe(0)
  const records = await Promise.all([...ids, open!.id].map((id) => fixture.store.findById(id)))
  expect(records.map((record) => record!.status)).toEqual(['expired', 'expired', 'cancelled', 'pending_signature'])
  for (const record of records.slice(0, 2)) {
    const [event] = (await eventsOf([record!.id])).filter(({ type }) => type === 'contract.expired')
    expect(event).toMatchObject({
      sequence: record!.version,
      at: record!.expiresAt.toISOString(),
      occurredAt: record!.expiresAt,
    })
    expect(record!.changedAt).toEqual(record!.expiresAt)
  }
})

it('the sweep reports each expired contract once, after the batch has committed [D22, D48]', async () => {
  const ids = (await Promise.all([1, 2, 3].map(() => fixture.createContract()))).map(({ id }) => id)
  await makeDue(ids)
  const notified: string[] = []
  let reading: Promise<Record<string, unknown>[]> | undefined
  await expireDue(fixture.database, 100, (changed) => {
    notified.push(...changed)
    reading = asOwner('select distinct status from contract where id = any($1)', [ids])
  })
  expect(notified.toSorted()).toEqual(ids.toSorted())
  expect(await reading).toEqual([{ status: 'expired' }])
  await expireDue(fixture.database, 100, () => notified.push('again'))
  expect(notified).toHaveLength(3)
})

it('concurrent sweeps expire each contract once, and skip locked contracts [F23]', async () => {
  const contracts = await Promise.all(Array.from({ length: 60 }, () => fixture.createContract()))
  const ids = contracts.map(({ id }) => id)
  await makeDue(ids)
  await withClient(fixture.clone.adminUrl, async (holder) => {
    await holder.query('begin')
    await holder.query('select 1 from contract where id = $1 for update', [ids[0]])
    const each = await Promise.all(Array.from({ length: 8 }, () => expireDue(fixture.database, 20)))
    // The sweeps returned although one row is locked, so they skipped this row.
    expect(each.reduce((sum, count) => sum + count)).toBe(59)
    await holder.query('commit')
  })
  expect(await expireDue(fixture.database, 20)).toBe(1)
  const events = await eventsOf(ids)
  expect(events.map(({ key }) => key).toSorted()).toEqual(ids.toSorted())
  expect(events.every(({ type, sequence }) => type === 'contract.expired' && sequence === 2)).toBe(true)
})

it('the sweep respects a signature that was decided in time and commits late [D20, I3, F15]', async () => {
  const { id } = await fixture.createContract()
  await fixture.store.execute(id, sign(0))
  await withClient(fixture.clone.adminUrl, async (signing) => {
    await signing.query('begin')
    await signing.query('select 1 from contract where id = $1 for update', [id])
    await signing.query('insert into signature values ($1, 1, $2, clock_timestamp())', [id, randomUUID()])
    await signing.query(
      "update contract set status = 'signed', version = version + 1, completed_at = clock_timestamp(), expires_at = clock_timestamp() where id = $1",
      [id],
    )
    expect(await expireDue(fixture.database, 100)).toBe(0)
    await signing.query('commit')
  })
  expect(await expireDue(fixture.database, 100)).toBe(0)
  expect(await fixture.store.findById(id)).toMatchObject({ status: 'signed' })
})

it('the sweep reads only due contracts: 10 among 100,000 open contracts [F23]', async () => {
  await seedOpen(100_000, '-1 day')
  await seedOpen(10, '1 s')
  await asOwner('analyze contract')
  const plan = await fixture.database.transaction().execute((trx) => {
    const { sql: text, parameters } = selectDue(trx, 200).compile()
    return explain(text, parameters)
  })
  expect(JSON.stringify(plan)).toContain('"Index Name":"contract_due"')
  expect(plan['Actual Rows']).toBe(10)
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(60)
  expect(await expireDue(fixture.database, 200)).toBe(10)
}, 120_000)

it("the sweep expires a day's backlog batch by batch while parties sign other contracts [F23]", async () => {
  await seedOpen(5_000, '24 hours')
  const signers = await Promise.all(Array.from({ length: 40 }, () => fixture.createContract()))
  const batches: number[] = []
  let isDone = false
  const tookMs: number[] = []
  const signing = (async () => {
    for (const { id } of signers) {
      if (isDone) break
      const startedAtMs = performance.now()
      expect(await fixture.store.execute(id, sign(0))).toMatchObject({ events: [{ type: 'party_signed' }] })
      tookMs.push(performance.now() - startedAtMs)
    }
  })()
  const startedAtMs = performance.now()
  for (let count = 200; count === 200;) batches.push((count = await expireDue(fixture.database, 200)))
  const drainedMs = performance.now() - startedAtMs
  isDone = true
  await signing
  expect(batches.reduce((sum, count) => sum + count)).toBe(5_000)
  expectWithMessage(tookMs.length, 'signatures during the sweep').toBeGreaterThan(5)
  // Generous limits: usually all contracts take some seconds, and a signature a few milliseconds.
  expect(drainedMs).toBeLessThan(60_000)
  expect(Math.max(...tookMs)).toBeLessThan(5_000)
}, 120_000)

async function explain(text: string, values: readonly unknown[]) {
  const rows = await asOwner(`explain (analyze, buffers, format json) ${text}`, [...values])
  return (rows[0]!['QUERY PLAN'] as [{ Plan: Record<Figure, number> }])[0].Plan
}
