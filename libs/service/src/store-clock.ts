// The store's clock for what asks no database: when a call was admitted and so in which month it counts, how long a caller token
// lives, how old a form is. A process whose own clock is wrong does as every other. [D3, D4, D45, F12]
// Owns: how this process's monotonic clock maps to it, and how wrong that may be. A look every few seconds; the sharpest counts
// until its drift makes a newer one better, or until a newer one contradicts it (the store moved to a machine with another clock).
import type { readClockMs } from '@paraph/database/clock'
import type { Logger } from '@paraph/telemetry/logger'
import { within } from './deadline.js'
import { createLoop } from './loop.js'

const LOOK_PAUSE_MS = 5_000
const LOOK_MS_MAX = 2_000
/** What two quartz clocks may part by: 0.1 ms in a second. */
const DRIFT = 1e-4

interface Look {
  /** The store's epoch milliseconds minus `performance.now()`. */
  offsetMs: number
  /** Half of the way there and back: the store was read somewhere on it. */
  errorMs: number
  atMs: number
}

/** Which of two looks to believe at the time of the newer one. Pure. */
export function sharper(older: Look | undefined, newer: Look): Look {
  if (!older) return newer
  const olderErrorMs = older.errorMs + (newer.atMs - older.atMs) * DRIFT
  const contradicts = Math.abs(newer.offsetMs - older.offsetMs) > newer.errorMs + olderErrorMs
  return contradicts || newer.errorMs <= olderErrorMs ? newer : older
}

/** Now, by whatever clock; awaited where it is not known yet. */
export type Clock = () => Date | Promise<Date>

/**
 * The clock of a service's own database, as this process knows it.
 * @param readMs asks the store for its milliseconds since 1970
 */
export function createStoreClock({ readMs, logger }: { readMs: () => ReturnType<typeof readClockMs>; logger: Logger }) {
  let best: Look | undefined
  let first: Promise<Look> | undefined

  async function look(): Promise<Look> {
    const askedAtMs = performance.now()
    const storeMs = await within(LOOK_MS_MAX, readMs())
    const atMs = performance.now()
    const offsetMs = storeMs - (askedAtMs + atMs) / 2
    return (best = sharper(best, { offsetMs, errorMs: (atMs - askedAtMs) / 2, atMs }))
  }

  /** One look for all who wait for the first. */
  const lookFirst = (): Promise<Look> => (first ??= look().finally(() => (first = undefined)))

  const loop = createLoop({
    work: async () => {
      await (best ? look() : lookFirst())
      return false
    },
    pauseMs: LOOK_PAUSE_MS,
    trouble: "the store's clock cannot be read; what was known of it counts on",
    logger,
  })

  return {
    /**
     * The store's time, in whole milliseconds, when this process's `performance.now()` was `monotonicMs`.
     * @throws DomainError `unavailable` when the store has never been heard and does not answer now
     */
    instantOf(monotonicMs: number): Date | Promise<Date> {
      return best ? instant(best, monotonicMs) : lookFirst().then((heard) => instant(heard, monotonicMs))
    },
    /**
     * The store's time now. For what must go on while the store is away, such as a page that asks nothing of it: a process that
     * has never heard it goes by its own clock until it does.
     */
    now(): Date | Promise<Date> {
      if (best) return instant(best, performance.now())
      return lookFirst().then(
        (heard) => instant(heard, performance.now()),
        () => new Date(),
      )
    },
    start: loop.start,
    stop: loop.stop,
  }
}

const instant = ({ offsetMs }: Look, monotonicMs: number): Date => new Date(Math.floor(offsetMs + monotonicMs))

export type StoreClock = ReturnType<typeof createStoreClock>
