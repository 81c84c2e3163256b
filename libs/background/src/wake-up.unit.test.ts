import { expect, it } from '@jest/globals'
import { backOffMs } from './back-off.js'
import { createWakeUp, pause, pollPauseMs } from './wake-up.js'

const never = new AbortController().signal

it('a call of `wake` ends a wait, even if it precedes the wait', async () => {
  const wakeUp = createWakeUp()
  wakeUp.wake()
  expect(await wakeUp.wait(60_000, never)).toBe(true)
  const waiting = wakeUp.wait(60_000, never)
  wakeUp.wake()
  expect(await waiting).toBe(true)
  expect(await wakeUp.wait(1, never)).toBe(false)
})

it('a poll slows down from one second to five while its queue is idle, and is never later than a tenth of the wait [P46]', () => {
  expect([0, 10_000, 30_000, 50_000, 3_600_000].map(pollPauseMs)).toEqual([1_000, 1_000, 3_000, 5_000, 5_000])
})

it('an aborted signal ends a pause', async () => {
  const stop = new AbortController()
  const pausing = pause(60_000, stop.signal)
  stop.abort()
  await pausing
  await pause(60_000, stop.signal)
})

it('the back-off doubles up to its limit, with random jitter in the upper half', () => {
  expect([1, 2, 3, 9].map((failures) => backOffMs(failures, 100, 5_000, 0))).toEqual([50, 100, 200, 2_500])
  expect([1, 2, 3, 9].map((failures) => backOffMs(failures, 100, 5_000, 0.999))).toEqual([100, 200, 400, 4_998])
})
