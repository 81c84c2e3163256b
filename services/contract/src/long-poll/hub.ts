// Suspends the answer to a long poll until its contract changes. [D22, D48]
// Guarantees that a waiter misses no change between reading and waiting, and that a change causes one read for any number of waiters.
// Waiters use no database connection. subscriptions.ts delivers the change notifications.
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'

/** An object that a client can wait for. A new version means that the object has changed. */
interface Versioned {
  version: number
  /** Milliseconds until the object expires, which changes no version; undefined if it does not expire. */
  expiresInMs: number | undefined
}

interface WaitResult<Reading> {
  /** The last reading, which began after the wait; undefined for an unknown id. */
  reading: Reading | undefined
  /** False if the wait ended early, because the client disconnected or the server stops. */
  isHonoured: boolean
}

interface WaitRequest<Reading> {
  seconds: number
  isNews: (reading: Reading | undefined) => boolean
  /** Aborts when the client disconnects. */
  left: AbortSignal
}

interface Waiter<Reading> {
  receive(reading: Reading | undefined): void
  /** Ends the wait with the last reading; before the first reading, ends it when that reading arrives. */
  end(isHonoured: boolean): void
}

/** All waiters for one contract. */
interface Subscription<Reading> {
  id: string
  waiters: Set<Waiter<Reading>>
  /** Version of the last reading; undefined before the first reading, during a reading and after a failed reading. */
  version?: number | undefined
  reading?: Promise<void> | undefined
  next?: Promise<void> | undefined
  expiry?: NodeJS.Timeout
}

/** Each waiter costs some 30 KB (docs/internal/performance.md) and a socket. Further calls are answered without a wait. */
const WAITERS_MAX = 8_192
/** Polling interval while notifications arrive, in case a notification is lost. */
const POLL_MS = 5_000
const POLL_WITHOUT_NOTIFICATIONS_MS = 1_000
/** Longer than any wait, so a later expiry needs no timer. */
const EXPIRY_MS_MAX = 60_000

export interface LongPollDeps<Reading> {
  /** Reads the present state of one contract. */
  read: (id: string) => Promise<Reading | undefined>
  /** Reads the versions of these contracts, in one query. */
  readVersions: (ids: string[]) => Promise<Map<string, number>>
  /** Whether change notifications arrive. Otherwise one query a second reads all versions. */
  isNotified: () => boolean
  logger: Logger
  waitersMax?: number
  pollMs?: number
}

export function createLongPoll<Reading extends Versioned>(deps: LongPollDeps<Reading>) {
  const { read, readVersions, isNotified, logger, waitersMax = WAITERS_MAX, pollMs = POLL_MS } = deps
  const subscriptions = new Map<string, Subscription<Reading>>()
  let waiterCount = 0
  let isStopping = false
  let polledAtMs = performance.now()

  const loop = createLoop({
    name: 'long polls',
    work: async () => {
      const isDue = !isNotified() || performance.now() - polledAtMs >= pollMs
      if (isDue && subscriptions.size > 0) await poll()
      return false
    },
    pauseMs: POLL_WITHOUT_NOTIFICATIONS_MS,
    failureMessage: 'could not read the versions of the contracts with open long polls; retrying',
    logger,
  })

  async function poll(): Promise<void> {
    const versions = await readVersions([...subscriptions.keys()])
    polledAtMs = performance.now()
    for (const subscription of subscriptions.values())
      if (!subscription.next && !subscription.reading && versions.get(subscription.id) !== subscription.version)
        refreshQuietly(subscription)
  }

  /**
   * Reads once at a time. A call during a read shares the next read, because the read in progress may be older than the change that
   * caused the call. Only the waiters that joined before a read began get its reading, so no reading is older than a waiter's request.
   */
  function refresh(subscription: Subscription<Reading>): Promise<void> {
    subscription.next ??= (subscription.reading ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        subscription.next = undefined
        subscription.reading = readFor(subscription).finally(() => (subscription.reading = undefined))
        return subscription.reading
      })
    return subscription.next
  }

  /** For waiters that have joined. Ignores a failed read, which the next poll repeats. */
  function refreshQuietly(subscription: Subscription<Reading>): void {
    refresh(subscription).catch(() => undefined)
  }

  async function readFor(subscription: Subscription<Reading>): Promise<void> {
    const present = [...subscription.waiters]
    if (present.length === 0) return
    subscription.version = undefined
    const reading = await read(subscription.id)
    subscription.version = reading?.version
    scheduleExpiry(subscription, reading?.expiresInMs)
    for (const waiter of present) waiter.receive(reading)
  }

  /** The timer triggers a read; the database's clock decides whether the contract has expired. [D20] */
  function scheduleExpiry(subscription: Subscription<Reading>, inMs: number | undefined): void {
    clearTimeout(subscription.expiry)
    if (inMs === undefined || inMs > EXPIRY_MS_MAX || subscription.waiters.size === 0) return
    subscription.expiry = setTimeout(() => refreshQuietly(subscription), Math.max(1, Math.ceil(inMs)))
  }

  function join(id: string, waiter: Waiter<Reading>): Subscription<Reading> {
    const subscription: Subscription<Reading> = subscriptions.get(id) ?? { id, waiters: new Set() }
    subscriptions.set(id, subscription)
    subscription.waiters.add(waiter)
    waiterCount += 1
    return subscription
  }

  function leave(subscription: Subscription<Reading>, waiter: Waiter<Reading>): void {
    if (!subscription.waiters.delete(waiter)) return
    waiterCount -= 1
    if (subscription.waiters.size > 0) return
    clearTimeout(subscription.expiry)
    subscriptions.delete(subscription.id)
  }

  return {
    /**
     * Waits until `isNews` accepts a reading, `seconds` have passed, the client disconnects (`left`), or the server stops.
     * @returns undefined without a wait if there are too many waiters or the server stops
     * @throws the error of the first reading
     */
    wait(id: string, request: WaitRequest<Reading>): Promise<WaitResult<Reading>> | undefined {
      if (isStopping || waiterCount >= waitersMax) return undefined
      const { waiter, result, fail } = createWaiter(request)
      const subscription = join(id, waiter)
      // Reads after joining, so a change that this reading misses triggers a notification for the waiter.
      refresh(subscription).catch(fail)
      return result.finally(() => leave(subscription, waiter))
    },

    /** Reads `id`, which has changed, again for its waiters. */
    changed(id: string): void {
      const subscription = subscriptions.get(id)
      if (subscription) refreshQuietly(subscription)
    },

    /** Polls all versions now, because notifications may have been lost. */
    missed(): void {
      polledAtMs = -Infinity
      loop.wake()
    },

    /** Ends all waits and refuses new ones. */
    endAll(): void {
      isStopping = true
      for (const { waiters } of subscriptions.values()) for (const waiter of waiters) waiter.end(false)
    },

    waiterCount: () => waiterCount,
    start: loop.start,
    stop: loop.stop,
    tickAgeMs: loop.tickAgeMs,
  }
}

/** A waiter and its result; `fail` rejects the result. */
function createWaiter<Reading>({ seconds, isNews, left }: WaitRequest<Reading>) {
  const { promise, resolve, reject } = Promise.withResolvers<WaitResult<Reading>>()
  let last: { reading: Reading | undefined } | undefined
  let ending: { isHonoured: boolean } | undefined
  const resolveIfEnded = (): void => {
    if (last && ending) resolve({ reading: last.reading, ...ending })
  }
  const waiter: Waiter<Reading> = {
    receive(reading) {
      last = { reading }
      if (isNews(reading)) ending ??= { isHonoured: true }
      resolveIfEnded()
    },
    end(isHonoured) {
      ending ??= { isHonoured }
      resolveIfEnded()
    },
  }
  const timer = setTimeout(waiter.end, seconds * 1_000, true)
  const onLeft = () => waiter.end(false)
  if (left.aborted) onLeft()
  else left.addEventListener('abort', onLeft, { once: true })
  const result = promise.finally(() => {
    clearTimeout(timer)
    left.removeEventListener('abort', onLeft)
  })
  return { waiter, result, fail: reject }
}
