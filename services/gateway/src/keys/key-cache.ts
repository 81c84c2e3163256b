// A cache of keys in memory: entries are valid for 5 s. [D28, D40]
// Owns: the lifetime of entries, and that a flood of unknown keys can neither evict known keys nor overload the database. Does not own:
// what makes a key valid (key-store).
import { BoundedMap } from '@paraph/protocol/bounded-map'
import { DomainError } from '@paraph/protocol/errors'
import type { ApiKey } from './key-store.js'

/** A known key with its service token, which is dropped with the entry. */
export interface CachedKey extends ApiKey {
  /** Set by contract-proxy. [D28] */
  serviceToken?: Promise<string>
}

interface Entry {
  key: CachedKey
  /** Start of the look-up; the data of the key is at least as new. */
  readAtMs: number
  /** The epoch at the start of the look-up; in a later epoch the key may have changed. */
  epoch: number
}

const TTL_MS = 5_000
/** How long after its look-up a valid key may call /status while the database is unavailable. [D40] */
const RECALL_MS = 5 * 60_000
const KEYS_MAX = 10_000
/** Concurrent look-ups of keys without an entry. */
const LOOKUPS_MAX = 4
const LOOKUP_WAIT_MS = 1_000

interface KeyCacheDeps {
  /** Looks a key up in the store; undefined: there is no valid key. */
  load: (fingerprint: string) => Promise<ApiKey | undefined>
  /** A clock that never runs backwards. */
  nowMs?: () => number
}

export function createKeyCache({ load, nowMs = () => performance.now() }: KeyCacheDeps) {
  const known = new BoundedMap<string, Entry>(KEYS_MAX)
  /** Fingerprint → until when the key counts as unknown. A separate map, so that guessed keys never evict a valid key. */
  const unknown = new BoundedMap<string, number>(KEYS_MAX)
  const lookups = new Map<string, Promise<CachedKey | undefined>>()
  const inSlot = createSlots(LOOKUPS_MAX, LOOKUP_WAIT_MS)
  let epoch = 0

  async function lookUp(fingerprint: string): Promise<CachedKey | undefined> {
    const before = { readAtMs: nowMs(), epoch }
    const key = await load(fingerprint)
    if (!key) {
      known.delete(fingerprint)
      unknown.set(fingerprint, before.readAtMs + TTL_MS)
      return undefined
    }
    known.set(fingerprint, { key, ...before })
    return key
  }

  return {
    /**
     * Returns the key as of at most 5 s ago, synchronously if it is cached; undefined if there is none. Concurrent calls share a look-up.
     * The promise rejects with DomainError `unavailable` after 1 s in the queue, or with the error of the store.
     */
    find(fingerprint: string): CachedKey | undefined | Promise<CachedKey | undefined> {
      const entry = known.get(fingerprint)
      if (entry?.epoch === epoch && nowMs() < validUntilMs(entry, TTL_MS)) return entry.key
      if (!entry && (unknown.get(fingerprint) ?? 0) > nowMs()) return undefined
      let lookup = lookups.get(fingerprint)
      if (!lookup) {
        // A key that was valid a moment ago does not queue behind guessed keys.
        lookup = entry ? lookUp(fingerprint) : inSlot(() => lookUp(fingerprint))
        lookups.set(fingerprint, lookup)
        const forget = () => void lookups.delete(fingerprint)
        lookup.then(forget, forget)
      }
      return lookup
    },

    /** A key that was valid within the last 5 minutes; for /status alone, while the store is unavailable. [D40] */
    recall(fingerprint: string): CachedKey | undefined {
      const entry = known.get(fingerprint)
      return entry && nowMs() < validUntilMs(entry, RECALL_MS) ? entry.key : undefined
    },

    /** Marks every entry stale: a key was revoked, or a notification of that may have been lost. */
    expireAll(): void {
      epoch += 1
    },
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** An entry never outlives its key, whose remaining life was read after `readAtMs`. */
function validUntilMs({ key, readAtMs }: Entry, lifeMs: number): number {
  return readAtMs + Math.min(lifeMs, key.expiresInMs ?? Infinity)
}

/** Runs at most `slots` tasks at a time, in order of arrival; a task that waits longer than `waitMs` is refused. */
function createSlots(slots: number, waitMs: number) {
  let running = 0
  const waiting: (() => void)[] = []

  function waitForSlot(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1)
        reject(new DomainError('unavailable', 'Keys cannot be checked at the moment. Try again in a few seconds.'))
      }, waitMs)
      waiting.push(start)
    })
  }

  return async function inSlot<T>(task: () => Promise<T>): Promise<T> {
    if (running >= slots) await waitForSlot()
    else running += 1
    try {
      return await task()
    } finally {
      // The slot passes directly to the task that waits longest, so that no later task overtakes it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
