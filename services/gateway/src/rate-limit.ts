// The sliding window: the exact log of what was admitted in the last 60 s. Pure: the clock is an argument. [Limits, D27]
// Not two buckets: those give an honest client 51 % of its rate and a cheat twice the limit (measured).
// Refused requests leave no trace. Owns: who is admitted and the three numbers; not where logs are kept (window-store).

export const WINDOW_MS = 60_000
const FIRST_CAPACITY = 16

/** Instants of admission, oldest first, in a ring that grows as far as the limit asks for. */
export interface WindowLog {
  /** Milliseconds of one clock that never runs backwards. */
  admittedAtMs: Float64Array
  head: number
  size: number
}

/** What the RateLimit-* headers say. */
export interface WindowState {
  limit: number
  /** Requests left in the current window. */
  remaining: number
  /** Seconds until the oldest admission leaves the window; 60 while there is none. */
  resetSeconds: number
}

/** An empty log: 128 bytes, 8 more per admission that it has to remember. */
export function createWindowLog(): WindowLog {
  return { admittedAtMs: new Float64Array(FIRST_CAPACITY), head: 0, size: 0 }
}

/** Admits a request at `nowMs` iff fewer than `limit` were admitted in (nowMs - 60 s, nowMs]; writes it down if so. */
export function admit(log: WindowLog, limit: number, nowMs: number): boolean {
  forget(log, nowMs)
  if (log.size >= limit) return false
  if (log.size === log.admittedAtMs.length) grow(log)
  log.admittedAtMs[(log.head + log.size) % log.admittedAtMs.length] = nowMs
  log.size += 1
  return true
}

/** The state of the window at `nowMs`; admits nothing. */
export function stateOf(log: WindowLog, limit: number, nowMs: number): WindowState {
  forget(log, nowMs)
  const oldestMs = log.admittedAtMs[log.head]
  const resetSeconds =
    log.size === 0 || oldestMs === undefined ? WINDOW_MS / 1_000 : Math.ceil((oldestMs + WINDOW_MS - nowMs) / 1_000)
  return { limit, remaining: Math.max(0, limit - log.size), resetSeconds: Math.max(1, resetSeconds) }
}

function forget(log: WindowLog, nowMs: number): void {
  while (log.size > 0 && (log.admittedAtMs[log.head] ?? 0) <= nowMs - WINDOW_MS) {
    log.head = (log.head + 1) % log.admittedAtMs.length
    log.size -= 1
  }
  // A burst must not hold its memory for ever: an empty log starts small again.
  if (log.size === 0 && log.admittedAtMs.length > FIRST_CAPACITY) Object.assign(log, createWindowLog())
}

function grow(log: WindowLog): void {
  const larger = new Float64Array(log.admittedAtMs.length * 2)
  larger.set(log.admittedAtMs.subarray(log.head))
  larger.set(log.admittedAtMs.subarray(0, log.head), log.admittedAtMs.length - log.head)
  log.admittedAtMs = larger
  log.head = 0
}
