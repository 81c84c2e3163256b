import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { createLogger } from '@paraph/telemetry/logger'
import { describe, expect, it, jest } from '@jest/globals'
import { createGuardedWindows } from './fallback-store.js'
import { createMemoryWindows } from './memory-store.js'
import { WINDOW_MS } from './sliding-window.js'
import type { Admission } from './sliding-window.js'

const NAME = 'account production'

/** Fallback windows over a shared store that works, is silent or fails. The clock runs and can be advanced. */
function newGuard({ answerMsMax = 25 } = {}) {
  const logger = createLogger('gateway', 'silent')
  const logged = { warn: jest.spyOn(logger, 'warn'), info: jest.spyOn(logger, 'info') }
  let movedMs = 0
  const nowMs = () => performance.now() + movedMs
  const store = createMemoryWindows({ windowsMax: 10, nowMs })
  const shared = {
    store,
    answer: (name: string, limit: number): Promise<Admission> => Promise.resolve(store.admit(name, limit)),
    calls: 0,
  }
  const well = shared.answer
  const guard = createGuardedWindows({
    shared: {
      admit(name, limit) {
        shared.calls += 1
        return shared.answer(name, limit)
      },
    },
    own: createMemoryWindows({ windowsMax: 10, nowMs }),
    answerMsMax,
    logger,
    nowMs,
  })
  return {
    shared,
    logged,
    calls: () => shared.calls,
    ask: (limit: number) => Promise.resolve(guard.admit(NAME, limit)),
    distrust: guard.distrust,
    /** Makes the store crash and restart empty before the next call. */
    forgetAll() {
      const empty = createMemoryWindows({ windowsMax: 10, nowMs })
      shared.answer = (name, limit) => Promise.resolve(empty.admit(name, limit))
    },
    beWell: () => (shared.answer = well),
    beSilent: () => (shared.answer = () => new Promise(() => undefined)),
    beDown: () => (shared.answer = () => Promise.reject(new Error('connection refused'))),
    moveOn: (ms: number) => (movedMs += ms),
  }
}

const admittedOf = async (calls: Promise<Admission>[]) =>
  (await Promise.all(calls)).filter(({ admitted }) => admitted).length
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

describe('the shared windows of a gateway [D27]', () => {
  it('decide while the store answers', async () => {
    const { ask, calls } = newGuard()
    expect(await admittedOf(times(30, () => ask(10)))).toBe(10)
    expect(calls()).toBe(30)
  })

  it.each([['beSilent'], ['beDown']] as const)(
    'are replaced by the local log, which includes the admissions of the store, when the store fails (%s)',
    async (failure) => {
      const guard = newGuard()
      expect(await admittedOf(times(7, () => guard.ask(10)))).toBe(7)
      guard[failure]()
      const [first] = await Promise.all([guard.ask(10)])
      expect([first!.admitted, first!.state()]).toEqual([true, { limit: 10, remaining: 2, resetSeconds: 60 }])
      expect(await admittedOf(times(20, () => guard.ask(10)))).toBe(2)
    },
  )

  it.each([['beSilent'], ['beDown']] as const)(
    'stay full until the announced Reset when the store fails (%s), whatever the local log allows',
    async (failure) => {
      const { shared, ask, moveOn, beWell, ...guard } = newGuard()
      // Another gateway uses nine slots.
      for (let call = 0; call < 9; call += 1) shared.store.admit(NAME, 10)
      moveOn(10_000)
      expect(await admittedOf(times(2, () => ask(10)))).toBe(1)
      guard[failure]()
      expect([(await ask(10)).admitted, (await ask(10)).state()]).toEqual([
        false,
        { limit: 10, remaining: 0, resetSeconds: 50 },
      ])
      // A refusal for a smaller tier does not apply to a larger one.
      expect((await ask(11)).admitted).toBe(true)
      moveOn(50_000)
      expect((await ask(10)).admitted).toBe(true)
    },
  )

  it('are not called after three consecutive failures, are probed seconds later, and are used again when the store answers', async () => {
    const { ask, calls, beSilent, beWell, moveOn, logged } = newGuard({ answerMsMax: 5 })
    beSilent()
    for (let call = 0; call < 3; call += 1) expect((await ask(100)).admitted).toBe(true)
    expect([calls(), logged.warn.mock.calls.length]).toEqual([3, 1])
    for (let call = 0; call < 50; call += 1) expect((await ask(100)).admitted).toBe(true)
    expect(calls()).toBe(3)
    moveOn(3_000)
    await Promise.all(times(10, () => ask(100)))
    expect(calls()).toBe(4)
    moveOn(3_000)
    beWell()
    await Promise.all(times(10, () => ask(100)))
    expect([calls(), logged.info.mock.calls.length]).toEqual([5, 1])
    await Promise.all(times(5, () => ask(100)))
    expect([calls(), logged.warn.mock.calls.length, logged.info.mock.calls.length]).toEqual([10, 1, 1])
  })

  it('delay a call by the time limit at most, and not at all while the circuit breaker is open', async () => {
    const { ask, calls, beSilent } = newGuard()
    beSilent()
    const waitedMs: number[] = []
    for (let call = 0; call < 20; call += 1) {
      const askedAtMs = performance.now()
      await ask(100)
      waitedMs.push(performance.now() - askedAtMs)
    }
    expect(calls()).toBe(3)
    expect(Math.min(...waitedMs.slice(0, 3))).toBeGreaterThan(24)
    // The median, because the machine may be busy.
    expect(waitedMs.slice(3).sort((a, b) => a - b)[8]).toBeLessThan(2)
  })

  it('do not count the time in which this process was busy as a failure', async () => {
    const { shared, ask, calls, logged } = newGuard()
    const well = shared.answer
    shared.answer = (name, limit) => stat('.').then(() => well(name, limit))
    for (let call = 0; call < 5; call += 1) {
      // From here the event loop runs timers before it reads data that has arrived.
      await setImmediate()
      const answer = ask(2)
      for (const endMs = performance.now() + 60; performance.now() < endMs;);
      expect((await answer).admitted).toBe(call < 2)
    }
    expect([calls(), logged.warn.mock.calls.length]).toEqual([5, 0])
  })

  it('never let a gateway admit more than the limit in 60 s, including during failure and recovery', async () => {
    const { ask, beDown, beWell, moveOn } = newGuard()
    expect(await admittedOf(times(4, () => ask(10)))).toBe(4)
    moveOn(10_000)
    beDown()
    expect(await admittedOf(times(10, () => ask(10)))).toBe(6)
    moveOn(5_000)
    beWell()
    // The shared store knows of only four of these calls and would admit six more.
    expect(await admittedOf(times(10, () => ask(10)))).toBe(0)
    moveOn(WINDOW_MS - 10_000)
    expect(await admittedOf(times(10, () => ask(10)))).toBe(4)
  })

  it('never let a gateway admit more than the limit in 60 s, for the whole minute after it decided alone', async () => {
    const { ask, beDown, beWell, moveOn } = newGuard()
    beDown()
    expect(await admittedOf(times(10, () => ask(10)))).toBe(10)
    moveOn(WINDOW_MS - 5_000)
    beWell()
    // The shared store knows of none of these calls and would admit all.
    expect(await admittedOf(times(10, () => ask(10)))).toBe(0)
  })

  it('never let a gateway admit more than the limit in 60 s, even if the store crashed and lost all data', async () => {
    const { ask, forgetAll, distrust, moveOn } = newGuard()
    expect(await admittedOf(times(10, () => ask(10)))).toBe(10)
    moveOn(5_000)
    forgetAll()
    distrust()
    expect(await admittedOf(times(10, () => ask(10)))).toBe(0)
    moveOn(WINDOW_MS + 10)
    expect(await admittedOf(times(10, () => ask(10)))).toBe(10)
  })
})
