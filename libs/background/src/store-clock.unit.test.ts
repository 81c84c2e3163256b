import { expect, it } from '@jest/globals'
import { createLogger } from '@paraph/telemetry/logger'
import { createStoreClock, sharper } from './store-clock.js'

const look = (offsetMs: number, errorMs: number, atMs: number) => ({ offsetMs, errorMs, atMs })

it.each([
  ['the first look', undefined, look(100, 900, 0), 'newer'],
  ['a sharp look against a blurred one that came later', look(100, 0.2, 0), look(101, 5, 1_000), 'older'],
  ['a sharper look', look(100, 5, 0), look(102, 0.2, 1_000), 'newer'],
  ['a look as sharp as the drift of the older by now', look(100, 0.2, 0), look(100, 1.2, 10_000), 'newer'],
  [
    'a look that the older cannot explain: the store has another clock now',
    look(100, 0.2, 0),
    look(160, 50, 1),
    'newer',
  ],
  ['a look that was kept waiting, and is still explained', look(100, 0.2, 0), look(140, 50, 1), 'older'],
] as const)('the store clock evaluates %s correctly [D3]', (_, older, newer, expected) => {
  expect(sharper(older, newer)).toBe(expected === 'newer' ? newer : older)
})

const logger = createLogger('test', 'silent')
const AWAY = new Error('the store is away')

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
