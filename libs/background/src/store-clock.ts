// The clock of a service's database (the store), for decisions without a query: the month of a call, the lifetime of a service token, the
// age of a form. A process with a wrong clock of its own still decides like the others. [D3, D4, D45, F12]
// Owns: the mapping from this process's monotonic clock to the store's, and its error bound. Takes a sample every few seconds and uses the
// most precise one, until drift makes a newer one better or a newer one contradicts it (after the store moved to another machine).
import type { readClockMs } from '@paraph/database/clock'
import type { Logger } from '@paraph/telemetry/logger'
import { withTimeout } from '@paraph/protocol/deadline'
import { createLoop } from './loop.js'

const SAMPLE_PAUSE_MS = 5_000
const SAMPLE_MS_MAX = 2_000
/** Largest drift between two quartz clocks: 0.1 ms per second. */
const DRIFT = 1e-4

interface Sample {
  /** The store's epoch milliseconds minus `performance.now()`. */
  offsetMs: number
  /** Half of the round trip: the store read its clock somewhere within it. */
  errorMs: number
  atMs: number
}

/** The more precise of two samples at the time of the newer one. Pure. */
export function sharper(older: Sample | undefined, newer: Sample): Sample {
  if (!older) return newer
  const olderErrorMs = older.errorMs + (newer.atMs - older.atMs) * DRIFT
  const contradicts = Math.abs(newer.offsetMs - older.offsetMs) > newer.errorMs + olderErrorMs
  return contradicts || newer.errorMs <= olderErrorMs ? newer : older
}

/** The current time; a promise while the clock is not known yet. */
export type Clock = () => Date | Promise<Date>

export interface StoreClockDeps {
  /** Queries the store for its milliseconds since 1970. */
  readMs: () => ReturnType<typeof readClockMs>
  logger: Logger
}

/** The clock of a service's own database, as this process knows it. Samples from `start` to `stop`. */
export function createStoreClock({ readMs, logger }: StoreClockDeps) {
  let best: Sample | undefined
  let first: Promise<Sample> | undefined

  async function sample(): Promise<Sample> {
    const askedAtMs = performance.now()
    const storeMs = await withTimeout(SAMPLE_MS_MAX, readMs())
    const atMs = performance.now()
    const offsetMs = storeMs - (askedAtMs + atMs) / 2
    return (best = sharper(best, { offsetMs, errorMs: (atMs - askedAtMs) / 2, atMs }))
  }

  /** Callers that wait for the first sample share one query. */
  const sampleFirst = (): Promise<Sample> => (first ??= sample().finally(() => (first = undefined)))

  const loop = createLoop({
    name: 'database clock',
    work: async () => {
      await (best ? sample() : sampleFirst())
      return false
    },
    pauseMs: SAMPLE_PAUSE_MS,
    failureMessage: 'database clock unavailable; using last known offset',
    logger,
  })

  return {
    /**
     * The store's time, in whole milliseconds, when this process's `performance.now()` was `monotonicMs`.
     * @throws DomainError `unavailable` when the store has never answered and does not answer now
     */
    instantOf(monotonicMs: number): Date | Promise<Date> {
      return best ? instant(best, monotonicMs) : sampleFirst().then((read) => instant(read, monotonicMs))
    },
    /**
     * The store's time now. For work that must continue while the store is unavailable, such as a page that queries nothing: before the
     * first sample, returns the time of the process's own clock.
     */
    now(): Date | Promise<Date> {
      if (best) return instant(best, performance.now())
      return sampleFirst().then(
        (read) => instant(read, performance.now()),
        () => new Date(),
      )
    },
    start: loop.start,
    stop: loop.stop,
  }
}

const instant = ({ offsetMs }: Sample, monotonicMs: number): Date => new Date(Math.floor(offsetMs + monotonicMs))

export type StoreClock = ReturnType<typeof createStoreClock>
