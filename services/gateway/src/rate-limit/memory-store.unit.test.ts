import { expect, it } from '@jest/globals'
import { createMemoryWindows } from './memory-store.js'
import { WINDOW_MS } from './sliding-window.js'
import { describeWindowStore } from '../../test/window-store-fixture.js'

describeWindowStore(
  'memory',
  (nowMs) =>
    Promise.resolve({ windows: createMemoryWindows({ windowsMax: 100, nowMs }), close: () => Promise.resolve() }),
  { histories: 100 },
)

it('the memory store frees windows that are unused for a minute, and keeps every window in use [D27]', () => {
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

it('the memory store never exceeds its limit of windows: it evicts the window unused for longest', () => {
  const windows = createMemoryWindows({ windowsMax: 2, nowMs: () => 0 })
  for (const name of ['a', 'b', 'a', 'c']) windows.admit(name, 5)
  expect([windows.size(), windows.peek('a', 5).remaining, windows.peek('b', 5).remaining]).toEqual([2, 3, 5])
})
