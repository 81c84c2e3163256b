// Answers that are held back until a contract changes. [D22, D48]
// Owns: who waits for which contract, that no change is missed between reading and waiting, and that any number of waiters cost one
// read per change. Holds no database connection. Does not own: how word of a change arrives (contract-waits), what is worth
// answering (the caller's `isNews`).
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'

/** What is waited for: anything that has a version. */
interface Versioned {
  version: number
  /** Milliseconds until it changes by the clock alone; undefined where it will not. */
  expiresInMs: number | undefined
}

export interface Held<Reading> {
  /** Read after the wait began. Undefined where there is no such contract. */
  reading: Reading | undefined
  /** False when the wait was cut short for want of a server. */
  isHonoured: boolean
}

interface Waiter<Reading> {
  show(reading: Reading | undefined): void
  /** Ends with what it was shown last, or with what it is shown first. */
  end(isHonoured: boolean): void
  fail(error: unknown): void
}

/** All that wait for one contract. */
interface Room<Reading> {
  id: string
  waiters: Set<Waiter<Reading>>
  /** Of the last reading; undefined before the first and after one that failed. */
  version: number | undefined
  reading: Promise<void> | undefined
  next: Promise<void> | undefined
  expiry: NodeJS.Timeout | undefined
}

/** Some 30 KB each (docs/performance.md), and a socket; more are answered at once. */
const WAITERS_MAX = 8_192
/** While word of changes arrives by itself, for what it might have missed. */
const LOOK_MS = 5_000
const LOOK_WITHOUT_WORD_MS = 1_000
/** Longer than any wait: what expires later need not be waited for. */
const EXPIRY_MS_MAX = 60_000

/**
 * @param read one contract as it stands now @param readVersions versions by id, of all that wait, in one query
 * @param isTold whether word of changes arrives by itself at the moment; if not, one query a second asks for all
 */
export function createLongPoll<Reading extends Versioned>({
  read,
  readVersions,
  isTold,
  logger,
  waitersMax = WAITERS_MAX,
  lookMs = LOOK_MS,
}: {
  read: (id: string) => Promise<Reading | undefined>
  readVersions: (ids: string[]) => Promise<Map<string, number>>
  isTold: () => boolean
  logger: Logger
  waitersMax?: number
  lookMs?: number
}) {
  const rooms = new Map<string, Room<Reading>>()
  let waiterCount = 0
  let isStopping = false
  let lookedAtMs = performance.now()

  const loop = createLoop({
    work: async () => {
      const isDue = !isTold() || performance.now() - lookedAtMs >= lookMs
      if (isDue && rooms.size > 0) await look()
      return false
    },
    pauseMs: LOOK_WITHOUT_WORD_MS,
    trouble: 'versions of contracts that are waited for cannot be read; it is tried again',
    logger,
  })

  async function look(): Promise<void> {
    const versions = await readVersions([...rooms.keys()])
    lookedAtMs = performance.now()
    for (const room of rooms.values())
      if (!room.next && !room.reading && versions.get(room.id) !== room.version) refreshQuietly(room)
  }

  /**
   * One read at a time. Who asks while one is under way shares the next, for that one may have begun before what they heard of.
   * Only those are shown a reading who waited when it began: to them it is never older than what they know.
   */
  function refresh(room: Room<Reading>): Promise<void> {
    room.next ??= (room.reading ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        room.next = undefined
        room.reading = readFor(room).finally(() => (room.reading = undefined))
        return room.reading
      })
    return room.next
  }

  /** For those who wait already: what failed is noticed by the next look. */
  function refreshQuietly(room: Room<Reading>): void {
    refresh(room).catch(() => undefined)
  }

  async function readFor(room: Room<Reading>): Promise<void> {
    const present = [...room.waiters]
    if (present.length === 0) return
    room.version = undefined
    const reading = await read(room.id)
    room.version = reading?.version
    expireInTime(room, reading?.expiresInMs)
    for (const waiter of present) waiter.show(reading)
  }

  /** The timer only says when to look: whether it has expired is for the database's clock to say. [D20] */
  function expireInTime(room: Room<Reading>, inMs: number | undefined): void {
    clearTimeout(room.expiry)
    if (inMs === undefined || inMs > EXPIRY_MS_MAX || room.waiters.size === 0) return
    room.expiry = setTimeout(() => refreshQuietly(room), Math.max(1, Math.ceil(inMs)))
  }

  function enter(id: string): Room<Reading> {
    const room = rooms.get(id) ?? {
      id,
      waiters: new Set(),
      ...{ version: undefined, reading: undefined, next: undefined, expiry: undefined },
    }
    rooms.set(id, room)
    return room
  }

  function leave(room: Room<Reading>, waiter: Waiter<Reading>): void {
    if (!room.waiters.delete(waiter)) return
    waiterCount -= 1
    if (room.waiters.size > 0) return
    clearTimeout(room.expiry)
    rooms.delete(room.id)
  }

  return {
    /**
     * Waits until a reading is news, `seconds` have passed, nobody is there any more to be answered (`left`), or the server stops.
     * @returns undefined where it cannot be waited: as many as can wait do, or the server stops
     * @throws what the first reading throws
     */
    hold(
      id: string,
      {
        seconds,
        isNews,
        left,
      }: { seconds: number; isNews: (reading: Reading | undefined) => boolean; left: AbortSignal },
    ): Promise<Held<Reading>> | undefined {
      if (isStopping || waiterCount >= waitersMax) return undefined
      return new Promise((resolve, reject) => {
        const room = enter(id)
        let shown: { reading: Reading | undefined } | undefined
        let ending: { isHonoured: boolean } | undefined
        const waiter: Waiter<Reading> = {
          show(reading) {
            shown = { reading }
            if (isNews(reading)) ending ??= { isHonoured: true }
            settle()
          },
          end(isHonoured) {
            ending ??= { isHonoured }
            settle()
          },
          fail(error) {
            cleanUp()
            reject(error)
          },
        }
        const timer = setTimeout(waiter.end, seconds * 1_000, true)
        const onLeft = () => waiter.end(false)
        left.addEventListener('abort', onLeft, { once: true })

        function settle(): void {
          if (!shown || !ending) return
          cleanUp()
          resolve({ reading: shown.reading, ...ending })
        }
        function cleanUp(): void {
          clearTimeout(timer)
          left.removeEventListener('abort', onLeft)
          leave(room, waiter)
        }

        room.waiters.add(waiter)
        waiterCount += 1
        // Read when already waiting: a change from here on is either in what is read, or word of it comes.
        refresh(room).catch(waiter.fail)
        if (left.aborted) onLeft()
      })
    },

    /** Word of a change of `id`. */
    changed(id: string): void {
      const room = rooms.get(id)
      if (room) refreshQuietly(room)
    },

    /** Word may have been missed: all that wait are asked for at once, in one query. */
    missed(): void {
      lookedAtMs = -Infinity
      loop.wake()
    },

    /** Ends all waits at once; from here on nobody waits. */
    endAll(): void {
      isStopping = true
      for (const room of rooms.values()) for (const waiter of room.waiters) waiter.end(false)
    },

    waiterCount: () => waiterCount,
    start: loop.start,
    stop: loop.stop,
    tickAgeMs: loop.tickAgeMs,
  }
}

export type LongPoll<Reading extends Versioned> = ReturnType<typeof createLongPoll<Reading>>
