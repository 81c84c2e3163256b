import { expect, it } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { createStoreClock, sharper } from './store-clock.js'

const sample = (offsetMs: number, errorMs: number, atMs: number) => ({ offsetMs, errorMs, atMs })

it.each([
  ['the first sample', undefined, sample(100, 900, 0), 'newer'],
  ['a precise sample and a later imprecise one', sample(100, 0.2, 0), sample(101, 5, 1_000), 'older'],
  ['a more precise sample', sample(100, 5, 0), sample(102, 0.2, 1_000), 'newer'],
  [
    'a sample as precise as an older one that has drifted meanwhile',
    sample(100, 0.2, 0),
    sample(100, 1.2, 10_000),
    'newer',
  ],
  [
    'a sample that contradicts the older one: the store has another clock',
    sample(100, 0.2, 0),
    sample(160, 50, 1),
    'newer',
  ],
  ['a late sample that agrees with the older one within its error', sample(100, 0.2, 0), sample(140, 50, 1), 'older'],
] as const)('the store clock uses the right one of two samples, given %s [D3]', (_, older, newer, expected) => {
  expect(sharper(older, newer)).toBe(expected === 'newer' ? newer : older)
})

const logger = createLogger('test', 'silent')
const AWAY = new Error('the store is unavailable')

it("the store clock replaces a wrong process clock, which is used only until the store's first answer [D45, F12]", async () => {
  let answer: () => Promise<number> = () => Promise.reject(AWAY)
  const clock = createStoreClock({ readMs: () => answer(), logger })
  expect(Math.abs(Number(await clock.now()) - Date.now())).toBeLessThan(5_000)
  await expect(Promise.resolve(clock.instantOf(performance.now()))).rejects.toThrow(AWAY)
  const storeMs = Date.parse('2031-01-01T00:00:00Z')
  const heardAtMs = performance.now()
  answer = () => Promise.resolve(storeMs + performance.now() - heardAtMs)
  expect(Math.abs(Number(await clock.now()) - storeMs)).toBeLessThan(5_000)
  answer = () => Promise.reject(AWAY)
  expect(clock.now()).toBeInstanceOf(Date)
  expect(Math.abs(Number(clock.now()) - storeMs)).toBeLessThan(5_000)
})

it('concurrent callers share one first query for the time of the store [D3]', async () => {
  let asked = 0
  const clock = createStoreClock({ readMs: () => Promise.resolve(++asked), logger })
  await Promise.all([clock.now(), clock.now(), clock.instantOf(performance.now())])
  expect(asked).toBe(1)
})
