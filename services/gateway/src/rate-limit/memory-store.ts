// Windows in this process's memory, by its monotonic clock: exact while the process lives. [Limits, D27]
// Owns: a bounded number of logs, and that what fell silent gives its memory back; not who is admitted (rate-limit).
import { admit, createWindowLog, isSpent, remember, stateOf, type WindowLog, type WindowState } from './rate-limit.js'
import type { Admission, WindowStore } from './window-store.js'

const SWEEP_MS = 1_000

/**
 * @param windowsMax the window that was unused for longest is dropped beyond it
 * @param nowMs a clock that never runs backwards
 */
export function createMemoryWindows({
  windowsMax,
  nowMs = () => performance.now(),
}: {
  windowsMax: number
  nowMs?: () => number
}) {
  const logs = new Map<string, WindowLog>()
  let sweptAtMs = nowMs()

  function logOf(name: string, atMs: number): WindowLog {
    if (atMs - sweptAtMs > SWEEP_MS) sweep(atMs)
    const log = logs.get(name) ?? createWindowLog()
    // A Map keeps insertion order: taken out and put back, the first is the one unused for longest.
    logs.delete(name)
    logs.set(name, log)
    if (logs.size > windowsMax) logs.delete(logs.keys().next().value ?? '')
    return log
  }

  /** Drops what nobody has used for a window, from the one unused for longest to the first that is not spent. */
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
    /** Writes down what another store admitted. */
    remember(name: string, limit: number): void {
      const atMs = nowMs()
      remember(logOf(name, atMs), limit, atMs)
    },
    /** The state of a window that is not asked for a slot. */
    look(name: string, limit: number): WindowState {
      return stateOf(logs.get(name) ?? createWindowLog(), limit, nowMs())
    },
    /** Windows that memory is held for. */
    size: () => logs.size,
  } satisfies WindowStore & Record<string, unknown>
}

export type MemoryWindows = ReturnType<typeof createMemoryWindows>
