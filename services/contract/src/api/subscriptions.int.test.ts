import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { openDirectConnection } from '@paraph/database/direct-connection'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { expireDue } from '../store/expiry.js'
import { openContractFixture, type ContractFixture } from '../../test/contract-fixture.js'
import { CHANGES_CHANNEL, type ContractReading, type ContractSubscriptions } from './subscriptions.js'

/** Options of `waitFor`. The time-out is shorter than a wait of 25 s. */
const LONG = { timeout: 20_000, interval: 10 }
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

let fixture: ContractFixture
const opened: ContractSubscriptions[] = []
beforeAll(async () => {
  fixture = await openContractFixture()
})
afterEach(async () => {
  fixture.announceBy(undefined)
  await Promise.all(opened.splice(0).map((subscriptions) => subscriptions.stop()))
})
afterAll(() => fixture.close())

/** Starts the long polls of another process, which receives notifications only with the default URL. */
async function startProcess({ url = fixture.clone.url, waitersMax = 1_000, pollMs = 5_000, read = fixture.read } = {}) {
  const subscriptions = fixture.openSubscriptions({ directUrl: url, waitersMax, pollMs, read })
  opened.push(subscriptions)
  subscriptions.start()
  if (url === fixture.clone.url) await waitFor(() => expect(subscriptions.isListening()).toBe(true), LONG)
  return subscriptions
}

/** Waits for a tag other than `known`. */
const wait = async (
  subscriptions: ContractSubscriptions,
  id: string,
  known: string,
  seconds = 25,
  left = new AbortController().signal,
) => subscriptions.wait(id, { seconds, left, isNews: (found) => found?.etag !== known })

const tagOf = async (id: string) => (await fixture.read(id))!.etag
const sign = (id: string, partyIndex: number) =>
  fixture.store.execute(id, { type: 'sign', partyIndex, attemptId: randomUUID() })
const cancel = (id: string) => fixture.store.execute(id, { type: 'cancel', actor: 'operator' })
const statusOf = (reading: ContractReading | undefined) => reading?.body.contract.status

it('the waiters of every process are notified of a change that any process commits [D22, D48]', async () => {
  const [a, b] = [await startProcess(), await startProcess()]
  fixture.announceBy(a)
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = [wait(a, id, known), wait(a, id, known), wait(b, id, known)]
  await sign(id, 1)
  for (const each of await Promise.all(held)) {
    expect(each).toMatchObject({ isHonoured: true })
    expect(statusOf(each?.reading)).toBe('partially_signed')
  }
  expect([a.waiterCount(), b.waiterCount()]).toEqual([0, 0])
})

it.each([
  ['of the process that commits', 1],
  ['of another process', 2],
])(
  'a waiter %s misses no change between reading and waiting, at any timing [D22, D48]',
  async (_, processes) => {
    const random = createSeededRandom(22)
    /** Delays each reading, so that changes also occur between the read and its arrival. */
    const read = async (id: string) => {
      const reading = await fixture.read(id)
      await sleep(random() * 4)
      return reading
    }
    // Without polling, which would find a missed change.
    const started = await Promise.all(Array.from({ length: processes }, () => startProcess({ pollMs: Infinity, read })))
    fixture.announceBy(started[0])
    const subscriptions = started.at(-1)!
    for (let round = 0; round < 10; round += 1) {
      const { id } = await fixture.createContract(50)
      let known = await tagOf(id)
      for (let partyIndex = 0; partyIndex < 50; partyIndex += 1) {
        const [before, after] = [Math.floor(random() * 4), Math.floor(random() * 4)]
        const changing = sleep(before).then(() => sign(id, partyIndex))
        await sleep(after)
        const held = await wait(subscriptions, id, known)
        expectWithMessage(held?.reading?.body.contract.signingProgress.signed, `round ${round}`).toBe(partyIndex + 1)
        known = held!.reading!.etag
        await changing
      }
    }
  },
  60_000,
)

it('no transaction that creates, signs, cancels, erases or expires contracts sends a NOTIFY [D48]', async () => {
  const announced: string[] = []
  fixture.announceBy({ announce: (ids) => announced.push(...ids) })
  const received: string[] = []
  const connection = await openDirectConnection(fixture.clone.url, 'test', (payload) => received.push(payload))
  await connection.query(`listen ${CHANGES_CHANNEL}; listen paraph_relay`)
  const [signed, cancelled, expired] = await Promise.all([1, 2, 3].map(() => fixture.createContract()))
  await sign(signed!.id, 0)
  await cancel(cancelled!.id)
  await fixture.store.execute(cancelled!.id, { type: 'erase' })
  await fixture.pool.query('update contract set expires_at = clock_timestamp() where id = $1', [expired!.id])
  await expireDue(fixture.database, 100, fixture.onChanged)
  // Notifications arrive before the answer to the next query.
  await connection.query('select 1')
  await connection.close()
  expect(received).toEqual([])
  expect(announced).toEqual([signed, cancelled, cancelled, expired].map((contract) => contract!.id))
})

it('a waiter never gets a read that began before its request: a client never sees an older version [D22]', async () => {
  let release: () => void = () => undefined
  const slow = jest.fn(async (id: string) => {
    const reading = await fixture.read(id)
    if (slow.mock.calls.length === 1) await new Promise<void>((resolve) => (release = resolve))
    return reading
  })
  const subscriptions = await startProcess({ read: slow })
  fixture.announceBy(subscriptions)
  const { id } = await fixture.createContract()
  const first = wait(subscriptions, id, await tagOf(id))
  await waitFor(() => expect(slow).toHaveBeenCalledTimes(1), LONG)
  await sign(id, 0)
  const known = await tagOf(id)
  const second = wait(subscriptions, id, known, 1)
  await sleep(20)
  release()
  expect((await first)?.reading?.etag).toBe(known)
  expect(await second).toMatchObject({ isHonoured: true, reading: { etag: known } })
})

it('all waiters of a contract share one read, and hold no database connection while they wait [D22]', async () => {
  const read = jest.fn(fixture.read)
  const subscriptions = await startProcess({ read })
  fixture.announceBy(subscriptions)
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = Array.from({ length: 300 }, () => wait(subscriptions, id, known))
  await waitFor(() => expect(read).toHaveBeenCalled(), LONG)
  await waitFor(() => expect(fixture.pool.totalCount - fixture.pool.idleCount).toBe(0), LONG)
  expect(read.mock.calls.length).toBeLessThanOrEqual(2)
  const before = read.mock.calls.length
  await cancel(id)
  for (const each of await Promise.all(held)) expect(statusOf(each?.reading)).toBe('cancelled')
  expect(read.mock.calls.length - before).toBeLessThanOrEqual(2)
})

it('a wait ends with the last reading at its time-out, and when the client disconnects [D22]', async () => {
  const subscriptions = await startProcess()
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const startedAtMs = performance.now()
  expect(await wait(subscriptions, id, known, 1)).toMatchObject({ isHonoured: true, reading: { etag: known } })
  expect(performance.now() - startedAtMs).toBeGreaterThan(990)
  const left = new AbortController()
  const held = wait(subscriptions, id, known, 25, left.signal)
  expect(subscriptions.waiterCount()).toBe(1)
  left.abort()
  await held
  expect(subscriptions.waiterCount()).toBe(0)
})

it('a wait ends at expiresAt by the clock of the database, without a sweep [D20, D22]', async () => {
  const subscriptions = await startProcess()
  const { id } = await fixture.createContract()
  await fixture.pool.query(`update contract set expires_at = clock_timestamp() + interval '600 ms' where id = $1`, [id])
  const known = await tagOf(id)
  const held = await wait(subscriptions, id, known)
  expect(statusOf(held?.reading)).toBe('expired')
  const { rows } = await fixture.pool.query<{ passed: boolean; status: string }>(
    'select clock_timestamp() >= expires_at as passed, status from contract where id = $1',
    [id],
  )
  expect(rows).toEqual([{ passed: true, status: 'pending_signature' }])
})

describe('while change notifications do not arrive [D48]', () => {
  it('one query a second reads the versions of all contracts with waiters, and the waiters of a changed contract are notified', async () => {
    const read = jest.fn(fixture.read)
    const query = jest.spyOn(fixture.pool, 'connect')
    const subscriptions = await startProcess({ url: NOWHERE, read })
    const contracts = await Promise.all(Array.from({ length: 40 }, () => fixture.createContract()))
    const held = await Promise.all(
      contracts.map(async ({ id }) => ({ id, ended: wait(subscriptions, id, await tagOf(id)) })),
    )
    await waitFor(() => expect(read).toHaveBeenCalledTimes(40), LONG)
    query.mockClear()
    await sleep(2_500)
    expectWithMessage(query.mock.calls.length, 'queries for 40 waiters in 2.5 s').toBeGreaterThanOrEqual(1)
    expect(query.mock.calls.length).toBeLessThanOrEqual(3)
    expect(read).toHaveBeenCalledTimes(40)
    query.mockRestore()
    await cancel(held[7]!.id)
    expect(statusOf((await held[7]!.ended)?.reading)).toBe('cancelled')
    expect(subscriptions.waiterCount()).toBe(39)
  })

  it('reads again after a notification whose read failed', async () => {
    const read = jest.fn(fixture.read)
    const subscriptions = await startProcess({ read, pollMs: 100 })
    fixture.announceBy(subscriptions)
    const { id } = await fixture.createContract()
    const held = wait(subscriptions, id, await tagOf(id))
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1), LONG)
    await waitFor(() => expect(fixture.pool.totalCount - fixture.pool.idleCount).toBe(0), LONG)
    read.mockRejectedValueOnce(new Error('away'))
    await cancel(id)
    expect(statusOf((await held)?.reading)).toBe('cancelled')
    expect(read).toHaveBeenCalledTimes(3)
  })

  it('listens again after its connection was closed, and catches up on missed changes', async () => {
    const subscriptions = await startProcess()
    for (let round = 0; round < 3; round += 1) {
      const { id } = await fixture.createContract()
      const held = wait(subscriptions, id, await tagOf(id))
      await withClient(fixture.clone.adminUrl, async (admin) => {
        const { rowCount } = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'paraph contract changes' and datname = current_database()`,
        )
        expect(rowCount).toBe(1)
      })
      await cancel(id)
      expect(statusOf((await held)?.reading)).toBe('cancelled')
      await waitFor(() => expect(subscriptions.isListening()).toBe(true), LONG)
    }
  })

  it('finds changes without a notification on a working connection', async () => {
    const subscriptions = await startProcess()
    const { id } = await fixture.createContract()
    const held = wait(subscriptions, id, await tagOf(id))
    await waitFor(async () => expect(await fixture.read(id)).toBeDefined(), LONG)
    // A transaction pooler breaks LISTEN in this way: the change is committed, but no notification arrives.
    await fixture.pool.query(
      `update contract set version = version + 1, status = 'cancelled', cancelled_at = now() where id = $1`,
      [id],
    )
    expect(statusOf((await held)?.reading)).toBe('cancelled')
  })
})

it('the subscriptions accept waiters up to a limit; the stop ends all waits and refuses new waiters [D22, H13]', async () => {
  const subscriptions = await startProcess({ waitersMax: 2 })
  const { id } = await fixture.createContract()
  const known = await tagOf(id)
  const held = [wait(subscriptions, id, known), wait(subscriptions, id, known)]
  expect(await wait(subscriptions, id, known)).toBeUndefined()
  subscriptions.endAll()
  for (const each of await Promise.all(held))
    expect(each).toMatchObject({ isHonoured: false, reading: { etag: known } })
  expect(await wait(subscriptions, id, known)).toBeUndefined()
  expect(subscriptions.waiterCount()).toBe(0)
})

it('a wait for an unknown contract ends immediately, and a wait fails when its read fails', async () => {
  const subscriptions = await startProcess()
  expect(await wait(subscriptions, 'contract-1-unknown00', '"x"')).toEqual({ reading: undefined, isHonoured: true })
  const broken = await startProcess({ read: () => Promise.reject(new Error('away')) })
  await expect(wait(broken, 'contract-1-a', '"x"')).rejects.toThrow('away')
  expect([subscriptions.waiterCount(), broken.waiterCount()]).toEqual([0, 0])
})
