// Where the logs of the sliding window live. [Limits, D10, D27]
// `memory`: one process, its monotonic clock; exact while the process lives. A store that replicas share implements the same
// interface with the store's clock. Owns: a bounded number of logs; does not own who is admitted (rate-limit).
import { admit, createWindowLog, stateOf, type WindowLog, type WindowState } from './rate-limit.js'

export interface Admission {
  admitted: boolean
  /** The window when the reply is written, not when the request came. */
  state(): WindowState
}

export interface WindowStore {
  /** Asks for a slot in the window `name`. @param limit requests per minute */
  admit(name: string, limit: number): Admission | Promise<Admission>
}

/**
 * Windows in this process's memory.
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

  function logOf(name: string): WindowLog {
    const log = logs.get(name) ?? createWindowLog()
    // A Map keeps insertion order: taken out and put back, the first is the one unused for longest.
    logs.delete(name)
    logs.set(name, log)
    if (logs.size > windowsMax) logs.delete(logs.keys().next().value ?? '')
    return log
  }

  return {
    admit(name: string, limit: number): Admission {
      const log = logOf(name)
      return { admitted: admit(log, limit, nowMs()), state: () => stateOf(log, limit, nowMs()) }
    },
    /** The state of a window that is not asked for a slot. */
    look(name: string, limit: number): WindowState {
      return stateOf(logs.get(name) ?? createWindowLog(), limit, nowMs())
    },
  } satisfies WindowStore & { look: unknown }
}
