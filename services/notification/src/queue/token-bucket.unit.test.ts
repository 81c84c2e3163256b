import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { expect, it } from '@jest/globals'
import { createSendRate } from './token-bucket.js'

const SEED = 20_261_122

it.each([0.5, 1, 14, 200])(
  'the bucket lets no more mails start in any time span than the rate allows, at %d per second [F6]',
  (perSecond) => {
    const random = createSeededRandom(SEED)
    const rate = createSendRate(perSecond, 0)
    const starts: number[] = []
    for (let atMs = 0; atMs < 30_000; atMs += random() * 40) {
      const kinds = random() < 0.3 ? 'codes' : 'all'
      const count = Math.min(rate.room(kinds, atMs), 1 + Math.floor(random() * 20))
      rate.take(count)
      starts.push(...Array.from({ length: count }, () => atMs))
    }
    expect(starts.length).toBeGreaterThan(perSecond * 30 * 0.9)
    const atOnce = 2 * Math.max(1, perSecond * 0.1)
    // The largest number of starts beyond the rate, over all intervals.
    let fewest = Infinity
    let most = 0
    for (const [index, atMs] of starts.entries()) {
      const allowed = (perSecond * atMs) / 1_000
      fewest = Math.min(fewest, index - allowed)
      most = Math.max(most, index + 1 - allowed - fewest)
    }
    expect(most).toBeLessThanOrEqual(atOnce + 1e-6)
  },
)

it('the bucket lets a code start however many invitations wait, and no invitation while codes use the whole rate [D42]', () => {
  const rate = createSendRate(2, 0)
  const startAll = (kinds: 'all' | 'codes', atMs: number): number => {
    const count = rate.room(kinds, atMs)
    rate.take(count)
    return count
  }
  // One token for other mails, one reserved for codes.
  expect(startAll('all', 0)).toBe(1)
  expect(rate.room('codes', 0)).toBe(1)
  for (let atMs = 0; atMs < 5_000; atMs += 500) {
    startAll('codes', atMs)
    expect(rate.room('all', atMs)).toBe(0)
  }
  expect(rate.waitMs(5_000)).toBe(500)
  expect(startAll('all', 5_500)).toBe(1)
})

it('the bucket takes back the token of a mail that was not sent', () => {
  const rate = createSendRate(1, 0)
  rate.take(1)
  rate.giveBack(1)
  expect(rate.room('all', 0)).toBe(1)
  rate.giveBack(5)
  expect(rate.room('codes', 0)).toBe(2)
})

it('the bucket never holds more tokens than its maximum [F6]', () => {
  const rate = createSendRate(1, 0)
  rate.giveBack(5)
  rate.take(2)
  expect(rate.room('codes', 0)).toBe(0)
})
