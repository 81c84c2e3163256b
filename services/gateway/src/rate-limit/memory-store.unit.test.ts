import { expect, it } from 'vitest'
import { createMemoryWindows } from './memory-windows.js'
import { WINDOW_MS } from './rate-limit.js'
import { describeWindowStore } from './window-store-fixture.js'

describeWindowStore(
  'memory',
  (nowMs) =>
    Promise.resolve({ windows: createMemoryWindows({ windowsMax: 100, nowMs }), close: () => Promise.resolve() }),
  { histories: 100 },
)

it('holds no memory for windows that nobody has used for a minute, and forgets none that is in use [D27]', () => {
  let nowMs = 0
  const windows = createMemoryWindows({ windowsMax: 100_000, nowMs: () => nowMs })
  for (let account = 0; account < 1_000; account += 1) windows.admit(`account-${account}`, 60)
  nowMs += WINDOW_MS / 2
  windows.admit('late', 1)
  nowMs += WINDOW_MS / 2 + 10
  expect(windows.admit('late', 1).admitted).toBe(false)
  expect(windows.size()).toBe(1)
  nowMs += 2 * WINDOW_MS
  expect(windows.admit('late', 1).admitted).toBe(true)
  expect(windows.admit('late', 1).admitted).toBe(false)
})

it('never holds more windows than its bound: the one unused for longest goes', () => {
  const windows = createMemoryWindows({ windowsMax: 2, nowMs: () => 0 })
  for (const name of ['a', 'b', 'a', 'c']) windows.admit(name, 5)
  expect([windows.size(), windows.look('a', 5).remaining, windows.look('b', 5).remaining]).toEqual([2, 3, 5])
})
