import { expect, it, jest } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { createLoop } from './loop.js'

const logger = createLogger('test', 'silent')
const settings = { pauseMs: 3_600_000, name: 'test', failureMessage: 'test', logger }

it('the loop runs again immediately while there is more work, then waits until `wake` is called', async () => {
  let rounds = 0
  const reached = new Map<number, () => void>()
  const until = (count: number) =>
    new Promise<void>((resolve) => (rounds >= count ? resolve() : reached.set(count, resolve)))
  const loop = createLoop({
    ...settings,
    work: async () => {
      rounds += 1
      reached.get(rounds)?.()
      return rounds < 3
    },
  })
  loop.start()
  await until(3)
  await new Promise((resolve) => setImmediate(resolve))
  expect(rounds).toBe(3)
  loop.wake()
  await until(4)
  await loop.stop()
})

it('a wake-up and a failure make the loop busy: the idle time of its pause begins again [P46]', async () => {
  const idleMs: number[] = []
  const rounds: (() => void)[] = []
  const round = () => new Promise<void>((resolve) => rounds.push(resolve))
  const loop = createLoop({
    ...settings,
    pauseMs: (idle) => {
      idleMs.push(idle)
      rounds.splice(0).forEach((resolve) => resolve())
      // The second pause ends by itself after longer than a wake-up takes.
      return idleMs.length === 2 ? 50 : 3_600_000
    },
    work: async () => false,
  })
  const first = round()
  loop.start()
  await first
  const woken = round()
  loop.wake()
  await woken
  const polled = round()
  await polled
  const again = round()
  loop.wake()
  await again
  await loop.stop()
  expect(idleMs[2]).toBeGreaterThanOrEqual(45)
  expect(idleMs[3]).toBeLessThan(idleMs[2]!)
})

it('the loop survives failing rounds, reports the failure, and stops in the middle of a pause', async () => {
  let rounds = 0
  const failed = Promise.withResolvers<void>()
  const worked = Promise.withResolvers<void>()
  const loop = createLoop({
    ...settings,
    work: async () => {
      rounds += 1
      if (rounds === 1) {
        setImmediate(failed.resolve)
        throw new Error('unavailable')
      }
      setImmediate(worked.resolve)
      return false
    },
  })
  loop.start()
  await failed.promise
  expect(loop.isFailing()).toBe(true)
  loop.wake()
  await worked.promise
  expect(loop.isFailing()).toBe(false)
  await loop.stop()
})

it('the loop logs its first failure, and its recovery with the number of failures and the time, once each', async () => {
  const [warn, info] = [jest.spyOn(logger, 'warn'), jest.spyOn(logger, 'info')]
  const error = new Error('unavailable')
  let rounds = 0
  const worked = Promise.withResolvers<void>()
  const loop = createLoop({
    ...settings,
    work: () => {
      rounds += 1
      setImmediate(rounds < 4 ? loop.wake : worked.resolve)
      return rounds < 4 ? Promise.reject(error) : Promise.resolve(false)
    },
  })
  loop.start()
  await worked.promise
  await loop.stop()
  expect(warn.mock.calls).toEqual([[{ err: error, loop: 'test' }, 'test']])
  const downMs = expect.any(Number) as unknown as number
  expect(info.mock.calls).toEqual([[{ loop: 'test', failures: 3, downMs }, 'background loop recovered']])
})
