import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { withClient } from '@paraph/database/provision'
import { createSeededRandom } from '@paraph/service/seeded-random-fixture'
import { openContractFixture, type ContractFixture } from './contract-fixture.js'
import type { ContractReading, ContractWaits } from './contract-waits.js'

/** Longer than any of these tests may take: what ends earlier was woken. */
const LONG = { timeout: 20_000, interval: 10 }
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

let fixture: ContractFixture
const opened: ContractWaits[] = []
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((waits) => waits.stop()))
})
afterAll(() => fixture.close())

/** One process more that waits; listening, where it can. */
async function startWaits({ url = fixture.clone.url, waitersMax = 1_000, lookMs = 5_000, read = fixture.read } = {}) {
  const waits = fixture.openWaits({ directUrl: url, waitersMax, lookMs, read })
  opened.push(waits)
  waits.start()
  if (url === fixture.clone.url) await vi.waitFor(() => expect(waits.isListening()).toBe(true), LONG)
  return waits
}

/** Waits for another tag than that of `known`. */
const hold = async (
  waits: ContractWaits,
  id: string,
  known: string,
  seconds = 25,
  left = new AbortController().signal,
) => waits.hold(id, { seconds, left, isNews: (found) => found?.etag !== known })

const tagOf = async (id: string) => (await fixture.read(id))!.etag
const sign = (id: string, partyIndex: number) =>
  fixture.store.execute(id, { type: 'sign', partyIndex, attemptId: `${id} ${partyIndex}` })
const cancel = (id: string) => fixture.store.execute(id, { type: 'cancel', actor: 'operator' })
const statusOf = (reading: ContractReading | undefined) => reading?.body.contract.status

it('wakes who waits in every process when a change commits in any [D22, D48]', async () => {
  const [a, b] = [await startWaits(), await startWaits()]
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = [hold(a, id, known), hold(a, id, known), hold(b, id, known)]
  await sign(id, 1)
  for (const each of await Promise.all(held)) {
    expect(each).toMatchObject({ isHonoured: true })
    expect(statusOf(each?.reading)).toBe('partially_signed')
  }
  expect([a.waiterCount(), b.waiterCount()]).toEqual([0, 0])
})

it('misses no change, however it falls between reading and waiting [D22]', async () => {
  const random = createSeededRandom(22)
  /** What was read takes a while to arrive, so that changes also fall between. */
  const read = async (id: string) => {
    const reading = await fixture.read(id)
    await sleep(random() * 4)
    return reading
  }
  // Without the look that would find what was missed.
  const waits = await startWaits({ lookMs: Infinity, read })
  for (let round = 0; round < 10; round += 1) {
    const { id } = await fixture.createContract(50)
    let known = await tagOf(id)
    for (let partyIndex = 0; partyIndex < 50; partyIndex += 1) {
      const [before, after] = [Math.floor(random() * 4), Math.floor(random() * 4)]
      const changing = sleep(before).then(() => sign(id, partyIndex))
      await sleep(after)
      const held = await hold(waits, id, known)
      expect(held?.reading?.body.contract.signingProgress.signed, `round ${round}`).toBe(partyIndex + 1)
      known = held!.reading!.etag
      await changing
    }
  }
}, 60_000)

it('shows nobody a reading that began before they came: what a client knows never goes back [D22]', async () => {
  let release: () => void = () => undefined
  const slow = vi.fn(async (id: string) => {
    const reading = await fixture.read(id)
    if (slow.mock.calls.length === 1) await new Promise<void>((resolve) => (release = resolve))
    return reading
  })
  const waits = await startWaits({ read: slow })
  const { id } = await fixture.createContract()
  const first = hold(waits, id, await tagOf(id))
  await vi.waitFor(() => expect(slow).toHaveBeenCalledTimes(1), LONG)
  await sign(id, 0)
  const known = await tagOf(id)
  const second = hold(waits, id, known, 1)
  await sleep(20)
  release()
  expect((await first)?.reading?.etag).toBe(known)
  expect(await second).toMatchObject({ isHonoured: true, reading: { etag: known } })
})

it('reads a contract once for all that wait for it, and holds no database connection meanwhile [D22]', async () => {
  const read = vi.fn(fixture.read)
  const waits = await startWaits({ read })
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = Array.from({ length: 300 }, () => hold(waits, id, known))
  await vi.waitFor(() => expect(read).toHaveBeenCalled(), LONG)
  await vi.waitFor(() => expect(fixture.pool.totalCount - fixture.pool.idleCount).toBe(0), LONG)
  expect(read.mock.calls.length).toBeLessThanOrEqual(2)
  const before = read.mock.calls.length
  await cancel(id)
  for (const each of await Promise.all(held)) expect(statusOf(each?.reading)).toBe('cancelled')
  expect(read.mock.calls.length - before).toBeLessThanOrEqual(2)
})

it('ends with what it knows when the seconds are over, and when somebody leaves [D22]', async () => {
  const waits = await startWaits()
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const startedAtMs = performance.now()
  expect(await hold(waits, id, known, 1)).toMatchObject({ isHonoured: true, reading: { etag: known } })
  expect(performance.now() - startedAtMs).toBeGreaterThan(990)
  const left = new AbortController()
  const held = hold(waits, id, known, 25, left.signal)
  expect(waits.waiterCount()).toBe(1)
  left.abort()
  await held
  expect(waits.waiterCount()).toBe(0)
})

it('ends at expiresAt by the clock of the database, with no sweep running [D20, D22]', async () => {
  const waits = await startWaits()
  const { id } = await fixture.createContract()
  await fixture.pool.query(`update contract set expires_at = clock_timestamp() + interval '600 ms' where id = $1`, [id])
  const known = await tagOf(id)
  const held = await hold(waits, id, known)
  expect(statusOf(held?.reading)).toBe('expired')
  const { rows } = await fixture.pool.query<{ passed: boolean; status: string }>(
    'select clock_timestamp() >= expires_at as passed, status from contract where id = $1',
    [id],
  )
  expect(rows).toEqual([{ passed: true, status: 'pending_signature' }])
})

describe('while word of changes does not arrive [D48]', () => {
  it('asks for the versions of all that wait in one query a second, and wakes them all the same', async () => {
    const read = vi.fn(fixture.read)
    const query = vi.spyOn(fixture.pool, 'connect')
    const waits = await startWaits({ url: NOWHERE, read })
    const contracts = await Promise.all(Array.from({ length: 40 }, () => fixture.createContract()))
    const held = await Promise.all(contracts.map(async ({ id }) => ({ id, ended: hold(waits, id, await tagOf(id)) })))
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(40), LONG)
    query.mockClear()
    await sleep(2_500)
    expect(query.mock.calls.length, 'queries for 40 waits in 2.5 s').toBeGreaterThanOrEqual(1)
    expect(query.mock.calls.length).toBeLessThanOrEqual(3)
    expect(read).toHaveBeenCalledTimes(40)
    query.mockRestore()
    await cancel(held[7]!.id)
    expect(statusOf((await held[7]!.ended)?.reading)).toBe('cancelled')
    expect(waits.waiterCount()).toBe(39)
  })

  it('tries again to read what could not be read when word of it came', async () => {
    const read = vi.fn(fixture.read)
    const waits = await startWaits({ read, lookMs: 100 })
    const { id } = await fixture.createContract()
    const held = hold(waits, id, await tagOf(id))
    await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(1), LONG)
    await vi.waitFor(() => expect(fixture.pool.totalCount - fixture.pool.idleCount).toBe(0), LONG)
    read.mockRejectedValueOnce(new Error('away'))
    await cancel(id)
    expect(statusOf((await held)?.reading)).toBe('cancelled')
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('listens again after its connection was ended, and hears what it missed', async () => {
    const waits = await startWaits()
    for (let round = 0; round < 3; round += 1) {
      const { id } = await fixture.createContract()
      const held = hold(waits, id, await tagOf(id))
      await withClient(fixture.clone.adminUrl, async (admin) => {
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'paraph contract changes' and datname = current_database()`,
        )
        expect(rowCount).toBe(1)
      })
      await cancel(id)
      expect(statusOf((await held)?.reading)).toBe('cancelled')
      await vi.waitFor(() => expect(waits.isListening()).toBe(true), LONG)
    }
  })

  it('finds out what a deaf connection never said', async () => {
    const waits = await startWaits()
    const { id } = await fixture.createContract()
    const held = hold(waits, id, await tagOf(id))
    await vi.waitFor(async () => expect(await fixture.read(id)).toBeDefined(), LONG)
    // What a transaction pooler would do to LISTEN: the change is there and no word of it.
    await fixture.pool.query(
      `update contract set version = version + 1, status = 'cancelled', cancelled_at = now() where id = $1`,
      [id],
    )
    expect(statusOf((await held)?.reading)).toBe('cancelled')
  })
})

it('takes as many as it can hold, and nobody once it stops, which ends every wait at once [D22, H13]', async () => {
  const waits = await startWaits({ waitersMax: 2 })
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = [hold(waits, id, known), hold(waits, id, known)]
  expect(await hold(waits, id, known)).toBeUndefined()
  waits.endAll()
  for (const each of await Promise.all(held))
    expect(each).toMatchObject({ isHonoured: false, reading: { etag: known } })
  expect(await hold(waits, id, known)).toBeUndefined()
  expect(waits.waiterCount()).toBe(0)
})

it('answers at once for a contract that is not there, and fails when it cannot be read', async () => {
  const waits = await startWaits()
  expect(await hold(waits, 'contract-1-unknown00', '"x"')).toEqual({ reading: undefined, isHonoured: true })
  const broken = await startWaits({ read: () => Promise.reject(new Error('away')) })
  await expect(hold(broken, 'contract-1-a', '"x"')).rejects.toThrow('away')
  expect([waits.waiterCount(), broken.waiterCount()]).toEqual([0, 0])
})
