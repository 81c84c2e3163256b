import { expect, it } from '@jest/globals'
import { backOffMs } from './back-off.js'
import { createWakeUp, pause } from './wake-up.js'

const never = new AbortController().signal

it('a call of `wake` ends a wait, even if it precedes the wait', async () => {
  const wakeUp = createWakeUp()
  wakeUp.wake()
  await wakeUp.wait(60_000, never)
  const waiting = wakeUp.wait(60_000, never)
  wakeUp.wake()
  await waiting
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
