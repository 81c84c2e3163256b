// Windows in this process's memory, by its monotonic clock: exact while the process lives. [Limits, D27]
// Owns: the limit on the number of logs, and dropping idle ones. Does not own: who is admitted (sliding-window).
import { BoundedMap } from '@paraph/protocol/bounded-map'
import { admit, createWindowLog, isSpent, recordAdmission, stateOf } from './sliding-window.js'
import type { Admission, WindowLog, WindowState, WindowStore } from './sliding-window.js'

const SWEEP_MS = 1_000

interface MemoryWindowsDeps {
  /** Maximum of windows; beyond it, the window unused for longest is dropped. */
  windowsMax: number
  /** A clock that never runs backwards. */
  nowMs?: () => number
}

export function createMemoryWindows({ windowsMax, nowMs = () => performance.now() }: MemoryWindowsDeps) {
  const logs = new BoundedMap<string, WindowLog>(windowsMax)
  let sweptAtMs = nowMs()

  function logOf(name: string, atMs: number): WindowLog {
    if (atMs - sweptAtMs > SWEEP_MS) sweep(atMs)
    const log = logs.get(name) ?? createWindowLog()
    logs.set(name, log)
    return log
  }

  /** Drops the logs without an admission in the last 60 s, oldest first, up to the first log with one. */
  function sweep(atMs: number): void {
    sweptAtMs = atMs
    for (const [name, log] of logs) {
      if (!isSpent(log, atMs)) break
      logs.delete(name)
    }
  }

  return {
    admit(name: string, limit: number): Admission {
      const atMs = nowMs()
      const log = logOf(name, atMs)
      return { admitted: admit(log, limit, atMs), state: () => stateOf(log, limit, nowMs()) }
    },
    /** Records an admission that another store decided. */
    record(name: string, limit: number): void {
      const atMs = nowMs()
      recordAdmission(logOf(name, atMs), limit, atMs)
    },
    /** The state of a window; takes no slot. */
    peek(name: string, limit: number): WindowState {
      return stateOf(logs.get(name) ?? createWindowLog(), limit, nowMs())
    },
    /** Number of windows in memory. */
    size: () => logs.size,
  } satisfies WindowStore & Record<string, unknown>
}

export type MemoryWindows = ReturnType<typeof createMemoryWindows>
