import { expect, it } from '@jest/globals'
import { createAttempts } from './attempts.js'

const statementTimeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })

/** The number of failures, one every `everyMs`, until the event is dead. */
function failuresUntilDead(errorAt: (failure: number) => Error, everyMs: number): number {
  let nowMs = 1_000
  const recordFailure = createAttempts(() => nowMs)
  for (let failure = 1; failure < 1_000; failure += 1) {
    if (recordFailure(errorAt(failure)).isDead) return failure
    nowMs += everyMs
  }
  throw new Error('the event never died')
}

it('an event whose handler fails is dead after five failures [D49, F11]', () => {
  expect(failuresUntilDead(() => new Error('always'), 500)).toBe(5)
})

it('a busy database costs no attempt for ten minutes from the first failure; after that, five failures are the end [P20, F29]', () => {
  // 60 failures in the ten minutes, one every ten seconds, then five that count.
  expect(failuresUntilDead(() => statementTimeout, 10_000)).toBe(65)
})

it('a failure of the handler counts also while the database is busy [P20, F11]', () => {
  expect(failuresUntilDead((failure) => (failure % 2 === 0 ? new Error('always') : statementTimeout), 10_000)).toBe(10)
})
