// Windows that the gateways of an installation share, in Postgres, by its clock. [Limits, D27, P12]
// All asks that gather while one statement is under way are one statement (group commit); who is admitted is decided in the
// database (migrations/account-window). Does not own: what happens when the store is slow or away (guarded-windows).
import { sql, type Kysely } from 'kysely'
import { outsideTraces } from '@paraph/telemetry/trace-context'
import type { GatewayDatabase } from './database.js'
import { resetSecondsOf } from './rate-limit.js'
import type { Admission, WindowStore } from './window-store.js'

/** Asks of one window that wait for the next statement. */
interface Gathered {
  limit: number
  waiting: { settle: (admission: Admission) => void; fail: (error: unknown) => void }[]
}

interface Decided {
  window_name: string
  /** How many of those who asked. */
  admitted: number
  /** Admissions in the window, these included. */
  used: number
  /** Until the oldest leaves the window. */
  reset_ms: number
}

/**
 * @param database a pool of its own with one connection, so that no other statement stands before a window's
 * @param nowMs a clock that never runs backwards; it ages the answers
 * @param storeAt for tests: the instant that the store is to take for now
 */
export function createPostgresWindows({
  database,
  nowMs = () => performance.now(),
  storeAt,
}: {
  database: Kysely<GatewayDatabase>
  nowMs?: () => number
  storeAt?: () => string
}) {
  let gathered = new Map<string, Gathered>()
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (gathered.size > 0) {
      const batch = gathered
      gathered = new Map()
      try {
        for (const decided of await ask(batch)) answer(batch.get(decided.window_name)!, decided)
      } catch (error) {
        for (const { waiting } of batch.values()) for (const { fail } of waiting) fail(error)
      }
    }
    isFlushing = false
  }

  async function ask(batch: Map<string, Gathered>): Promise<Decided[]> {
    const windows = [...batch.values()]
    const { rows } = await sql<Decided>`
      select * from admit_to_windows(
        ${[...batch.keys()]}, ${windows.map(({ limit }) => limit)}, ${windows.map(({ waiting }) => waiting.length)},
        ${storeAt?.() ?? null})`.execute(database)
    return rows
  }

  /** Those who asked first are admitted first. */
  function answer({ limit, waiting }: Gathered, { admitted, used, reset_ms: resetMs }: Decided): void {
    const answeredAtMs = nowMs()
    for (const [place, { settle }] of waiting.entries()) {
      const isAdmitted = place < admitted
      const usedThen = isAdmitted ? used - admitted + place + 1 : used
      settle({
        admitted: isAdmitted,
        state: () => ({
          limit,
          remaining: Math.max(0, limit - usedThen),
          resetSeconds: resetSecondsOf(resetMs - (nowMs() - answeredAtMs)),
        }),
      })
    }
  }

  return {
    /** Opens the connection, so that the first call does not wait for it. */
    async connect(): Promise<void> {
      await sql`select 1`.execute(database).catch(() => undefined)
    },
    /** Rejects with what the database says when it cannot be asked. */
    admit(name: string, limit: number): Promise<Admission> {
      return new Promise((settle, fail) => {
        const window = gathered.get(name) ?? { limit, waiting: [] }
        // Of two limits, while a change of tier is on its way, the smaller.
        window.limit = Math.min(window.limit, limit)
        window.waiting.push({ settle, fail })
        gathered.set(name, window)
        // What decides for many belongs to no call's trace.
        if (!isFlushing) void outsideTraces(flush)
      })
    },
  } satisfies WindowStore & Record<string, unknown>
}

export type PostgresWindows = ReturnType<typeof createPostgresWindows>
