// The sliding window: the exact log of the admissions of the last 60 s. Pure: the clock is an argument. [Limits, D27]
// In a measurement, two buckets gave an honest client 51 % of its rate, and a cheating client twice the limit.
// Refused requests are not recorded. Owns: which requests are admitted, and the three numbers of the RateLimit headers. Does not own: the
// storage of logs (memory-store), the same log in a row of Postgres (migrations/account-window).

export const WINDOW_MS = 60_000
const WINDOW_US = WINDOW_MS * 1_000
const FIRST_CAPACITY = 16

/** Instants of admission, oldest first, in a ring buffer that grows at most to the limit: 4 bytes each. */
export interface WindowLog {
  /**
   * Microseconds modulo 2^32 (71 minutes), rounded up so that no admission leaves before its 60 s are over. No entry is older
   * than two windows when `expire` reads it, so ages stay exact however long the process lives.
   */
  admittedAtUs: Uint32Array
  head: number
  size: number
  /** The newest admission, in milliseconds of a clock that never runs backwards. */
  newestAtMs: number
}

/** The numbers of the RateLimit-* headers. */
export interface WindowState {
  limit: number
  /** Requests left in the current window. */
  remaining: number
  /** Seconds until the oldest admission leaves the window, from 1 to 60; 60 while there is none. */
  resetSeconds: number
}

export interface Admission {
  admitted: boolean
  /** The window when `state` is called, which is when the reply is written. */
  state(): WindowState
}

/** A store of windows. Two pass the same tests (window-store-fixture.ts): `memory` for one gateway, `postgres` for several. [D27] */
export interface WindowStore {
  /**
   * Takes a slot in the window `name`, of an account in one environment, if one is free. [D10]
   * @param limit requests per minute
   */
  admit(name: string, limit: number): Admission | Promise<Admission>
}

/** An empty log. */
export function createWindowLog(): WindowLog {
  return { admittedAtUs: new Uint32Array(FIRST_CAPACITY), head: 0, size: 0, newestAtMs: 0 }
}

/** Admits and records a request at `nowMs` iff fewer than `limit` were admitted in (nowMs - 60 s, nowMs]. */
export function admit(log: WindowLog, limit: number, nowMs: number): boolean {
  expire(log, nowMs)
  if (log.size >= limit) return false
  append(log, limit, nowMs)
  return true
}

/** Records an admission of another store at `nowMs`; in a full log it replaces the oldest admission. */
export function recordAdmission(log: WindowLog, limit: number, nowMs: number): void {
  expire(log, nowMs)
  while (log.size >= limit) dropOldest(log)
  append(log, limit, nowMs)
}

/** The state of the window at `nowMs`; admits nothing. */
export function stateOf(log: WindowLog, limit: number, nowMs: number): WindowState {
  expire(log, nowMs)
  const resetMs = log.size === 0 ? WINDOW_MS : (WINDOW_US - ageOfOldestUs(log, nowMs)) / 1_000
  return { limit, remaining: Math.max(0, limit - log.size), resetSeconds: resetSecondsOf(resetMs) }
}

/** True when every admission has left the window: the log equals a new one. */
export function isSpent(log: WindowLog, nowMs: number): boolean {
  // A millisecond more than the window: instants are rounded up.
  return log.size === 0 || nowMs - log.newestAtMs > WINDOW_MS + 1
}

/**
 * RateLimit-Reset in seconds if the oldest admission leaves the window in `resetMs`. At most 60, although instants are rounded up: the
 * added fraction is over before a client has read the answer.
 */
export function resetSecondsOf(resetMs: number): number {
  return Math.min(WINDOW_MS / 1_000, Math.max(1, Math.ceil(resetMs / 1_000)))
}

function expire(log: WindowLog, nowMs: number): void {
  if (isSpent(log, nowMs)) log.size = 0
  while (log.size > 0 && ageOfOldestUs(log, nowMs) >= WINDOW_US) dropOldest(log)
  // Shrink an empty log, so that a burst does not occupy memory for ever.
  if (log.size === 0 && log.admittedAtUs.length > FIRST_CAPACITY) Object.assign(log, createWindowLog())
}

/** The age of the oldest admission; negative within the microsecond of the admission. */
function ageOfOldestUs(log: WindowLog, nowMs: number): number {
  return (Math.floor(nowMs * 1_000) - log.admittedAtUs[log.head]!) | 0
}

function dropOldest(log: WindowLog): void {
  log.head = (log.head + 1) % log.admittedAtUs.length
  log.size -= 1
}

function append(log: WindowLog, limit: number, nowMs: number): void {
  if (log.size === log.admittedAtUs.length) grow(log, limit)
  // An element of the array keeps the lowest 32 bits.
  log.admittedAtUs[(log.head + log.size) % log.admittedAtUs.length] = Math.ceil(nowMs * 1_000)
  log.size += 1
  log.newestAtMs = nowMs
}

function grow(log: WindowLog, limit: number): void {
  // Grow fourfold, because the outgrown arrays are garbage whose memory the process does not get back soon.
  const larger = new Uint32Array(Math.min(limit, log.admittedAtUs.length * 4))
  larger.set(log.admittedAtUs.subarray(log.head))
  larger.set(log.admittedAtUs.subarray(0, log.head), log.admittedAtUs.length - log.head)
  log.admittedAtUs = larger
  log.head = 0
}
