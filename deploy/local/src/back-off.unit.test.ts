import { expect, it } from 'vitest'
import { nextWaitMs } from './back-off.js'

it('waits 1 s, then doubles to 30 s [local-stack]', () => {
  const waits: number[] = []
  for (let wait: number | undefined; waits.length < 7;) waits.push((wait = nextWaitMs(wait, 0)))
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

it('begins again at 1 s after 5 s of health, not before [local-stack]', () => {
  expect(nextWaitMs(16_000, 4_999)).toBe(30_000)
  expect(nextWaitMs(16_000, 5_000)).toBe(1_000)
})
