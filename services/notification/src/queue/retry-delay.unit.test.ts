import { expect, it } from '@jest/globals'
import { retryPauseMs } from './retry-delay.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

it('an unanswered message is retried only a few times in 48 hours, and never while the SMTP server may still process it [F7, I8]', () => {
  for (const random of [0, 0.999]) {
    let [ageMs, tries] = [0, 0]
    while (ageMs < 48 * HOUR) {
      const pauseMs = retryPauseMs({ kind: 'invitation', attempts: tries + 1, ageMs }, 'much_later', random)
      expect(pauseMs).toBeGreaterThan(10 * MINUTE)
      ageMs += pauseMs
      tries += 1
    }
    expect(tries).toBeLessThan(15)
  }
})

it('the pause after an unanswered message is at most six hours, before jitter [F7]', () => {
  const pauses = [0, 0.999].map((random) =>
    retryPauseMs({ kind: 'invitation', attempts: 9, ageMs: 40 * HOUR }, 'much_later', random),
  )
  expect(pauses[0]).toBe(6 * HOUR)
  expect(pauses[1]).toBeLessThan(9 * HOUR)
})

it.each(['code', 'owner_code'] as const)(
  'a %s that the SMTP server received and did not answer is retried a few times within ten minutes [D42]',
  (kind) => {
    const pauses = [0, 0.999].map((random) => retryPauseMs({ kind, attempts: 1, ageMs: 0 }, 'much_later', random))
    expect(pauses[0]).toBe(1.5 * MINUTE)
    expect(pauses[1]).toBeLessThan(2.5 * MINUTE)
  },
)

it.each([
  ['invitation', 'later', 900_000],
  ['invitation', 'soon', 30_000],
  ['code', 'later', 30_000],
  ['owner_mail', 'later', 900_000],
  ['owner_code', 'later', 30_000],
] as const)('the pause of an %s with the delay %s doubles, up to %d ms [D49]', (kind, delay, longestMs) => {
  const pauseAfter = (attempts: number) => retryPauseMs({ kind, attempts, ageMs: 0 }, delay, 0)
  expect([1, 2, 3].map(pauseAfter)).toEqual([500, 1_000, 2_000])
  expect(pauseAfter(40)).toBe(longestMs / 2)
})
