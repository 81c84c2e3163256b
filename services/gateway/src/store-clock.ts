// The store's clock for calls that ask no database: when a call was admitted, and so in which month it counts. [D3, D4]
// Owns: how this process's monotonic clock maps to it, and how wrong that may be. A look every few seconds; the sharpest counts
// until its drift makes a newer one better, or until a newer one contradicts it (the store moved to a machine with another clock).
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from './database.js'
import { within } from './deadline.js'

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

/** The store's clock as this process knows it. */
export function createStoreClock({ database, logger }: { database: Kysely<GatewayDatabase>; logger: Logger }) {
  let best: Look | undefined

  async function look(): Promise<Look> {
    const askedAtMs = performance.now()
    const asking = sql<{ nowMs: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(database)
    const { rows } = await within(LOOK_MS_MAX, asking)
    const atMs = performance.now()
    const offsetMs = rows[0]!.nowMs - (askedAtMs + atMs) / 2
    return (best = sharper(best, { offsetMs, errorMs: (atMs - askedAtMs) / 2, atMs }))
  }

  const loop = createLoop({
    work: async () => {
      await look()
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
      return best ? instant(best, monotonicMs) : look().then((first) => instant(first, monotonicMs))
    },
    start: loop.start,
    stop: loop.stop,
  }
}

const instant = ({ offsetMs }: Look, monotonicMs: number): Date => new Date(Math.floor(offsetMs + monotonicMs))

export type StoreClock = ReturnType<typeof createStoreClock>
