// What is known of keys, in memory, for 5 s at most. [D28, D40]
// Owns: for how long an answer is believed, that a flood of unknown keys can neither push known ones out nor occupy the
// database. Does not own: what makes a key good (key-store).
import { DomainError } from '@paraph/protocol/errors'
import type { ApiKey } from './key-store.js'

/** A known key and the caller token made for it, which dies with the entry. */
export interface CachedKey extends ApiKey {
  /** Kept here by the proxy; see D28. */
  callerToken?: Promise<string>
}

interface Entry {
  key: CachedKey
  /** When the look-up began: what it saw cannot be older. */
  readAtMs: number
  /** False once somebody said that keys have changed. */
  fresh: boolean
}

const TTL_MS = 5_000
/** For how long a key that was good answers /status while the database is away. [D40] */
const RECALL_MS = 5 * 60_000
const KEYS_MAX = 10_000
/** Look-ups of keys that were not known, at a time. */
const LOOKUPS_MAX = 4
const LOOKUP_WAIT_MS = 1_000

/**
 * @param load asks the store; undefined means that there is no such key now
 * @param nowMs a clock that never runs backwards
 */
export function createKeyCache({
  load,
  nowMs = () => performance.now(),
}: {
  load: (fingerprint: string) => Promise<ApiKey | undefined>
  nowMs?: () => number
}) {
  const known = new Map<string, Entry>()
  /** Fingerprint → until when it counts as unknown. Apart, so that guesses never push out a good key. */
  const unknown = new Map<string, number>()
  const lookups = new Map<string, Promise<CachedKey | undefined>>()
  const lane = createLane(LOOKUPS_MAX, LOOKUP_WAIT_MS)
  let epoch = 0

  async function lookUp(fingerprint: string): Promise<CachedKey | undefined> {
    const readAtMs = nowMs()
    const epochBefore = epoch
    const key = await load(fingerprint)
    if (!key) {
      known.delete(fingerprint)
      put(unknown, fingerprint, readAtMs + TTL_MS)
      return undefined
    }
    put(known, fingerprint, { key, readAtMs, fresh: epoch === epochBefore })
    return key
  }

  return {
    /**
     * The key, as it was at most 5 s ago; undefined when there is none. At once where it is known.
     * Look-ups of one key at the same time are one look-up. A promise rejects with DomainError `unavailable` after 1 s in the queue, or with what the store throws
     */
    find(fingerprint: string): CachedKey | undefined | Promise<CachedKey | undefined> {
      const entry = known.get(fingerprint)
      // Its place in the order is that of its last look-up, at most 5 s ago: moving it at each call would make garbage of the Map.
      if (entry?.fresh && nowMs() < goodUntilMs(entry, TTL_MS)) return entry.key
      if (!entry && (unknown.get(fingerprint) ?? 0) > nowMs()) return undefined
      let lookup = lookups.get(fingerprint)
      if (!lookup) {
        // A key that was good a moment ago does not queue behind guesses.
        lookup = entry ? lookUp(fingerprint) : lane(() => lookUp(fingerprint))
        lookups.set(fingerprint, lookup)
        const forget = () => void lookups.delete(fingerprint)
        lookup.then(forget, forget)
      }
      return lookup
    },

    /** A key that was good within the last 5 minutes; for /status alone, while the store cannot be asked. [D40] */
    recall(fingerprint: string): CachedKey | undefined {
      const entry = known.get(fingerprint)
      return entry && nowMs() < goodUntilMs(entry, RECALL_MS) ? entry.key : undefined
    },

    /** Nothing is believed any more without asking: a key was revoked, or word of that may have been missed. */
    expireAll(): void {
      epoch += 1
      for (const entry of known.values()) entry.fresh = false
    },
  }

  /** Adds as the newest and drops the oldest beyond the bound: a Map keeps insertion order. */
  function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
    map.delete(name)
    map.set(name, value)
    if (map.size > KEYS_MAX) map.delete(map.keys().next().value ?? '')
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** An entry never outlives its key, and what was left of the key's life was read after `readAtMs`. */
function goodUntilMs({ key, readAtMs }: Entry, believedMs: number): number {
  return readAtMs + Math.min(believedMs, key.expiresInMs ?? Infinity)
}

/** Runs at most `width` works at a time, in order of arrival; one that waits longer than `waitMs` is given up. */
function createLane(width: number, waitMs: number) {
  let running = 0
  const waiting: (() => void)[] = []

  function turn(): Promise<void> {
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

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= width) await turn()
    else running += 1
    try {
      return await work()
    } finally {
      // The place goes straight to the next in line, so that nobody overtakes.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
