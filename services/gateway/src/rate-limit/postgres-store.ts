// Windows in Postgres, shared by the gateways of an installation, by the clock of Postgres. [Limits, D27, P12]
// Requests that arrive while a statement runs share the next statement (group commit). The database decides which are admitted
// (migrations/account-window). Does not own: what happens when the store is slow or unavailable (fallback-store).
import { sql, type Kysely } from 'kysely'
import { outsideTraces } from '@paraph/telemetry/trace-context'
import type { GatewayDatabase } from '../database.js'
import { resetSecondsOf, type Admission, type WindowStore } from './sliding-window.js'

/** Requests to one window that wait for the next statement. */
interface Batch {
  limit: number
  waiting: { resolve: (admission: Admission) => void; reject: (error: unknown) => void }[]
}

interface Decision {
  window_name: string
  /** Number of admitted requests. */
  admitted: number
  /** Admissions in the window, including these. */
  used: number
  /** Time until the oldest admission leaves the window. */
  reset_ms: number
}

interface PostgresWindowsDeps {
  /** A separate pool with one connection, so that other statements do not delay the statements of the windows. */
  database: Kysely<GatewayDatabase>
  /** A clock that never runs backwards, from which the age of a decision is computed. */
  nowMs?: () => number
  /** For tests: the store's present instant. */
  storeAt?: () => string
}

export function createPostgresWindows({ database, nowMs = () => performance.now(), storeAt }: PostgresWindowsDeps) {
  let gathered = new Map<string, Batch>()
  let isFlushing = false

  async function flush(): Promise<void> {
    isFlushing = true
    while (gathered.size > 0) {
      const batches = gathered
      gathered = new Map()
      try {
        for (const decision of await decide(batches)) answer(batches.get(decision.window_name)!, decision)
      } catch (error) {
        for (const { waiting } of batches.values()) for (const { reject } of waiting) reject(error)
      }
    }
    isFlushing = false
  }

  async function decide(batches: Map<string, Batch>): Promise<Decision[]> {
    const windows = [...batches.values()]
    const { rows } = await sql<Decision>`
      select * from admit_to_windows(
        ${[...batches.keys()]}, ${windows.map(({ limit }) => limit)}, ${windows.map(({ waiting }) => waiting.length)},
        ${storeAt?.() ?? null})`.execute(database)
    return rows
  }

  /** Admits in the order of arrival. */
  function answer({ limit, waiting }: Batch, { admitted, used, reset_ms: resetMs }: Decision): void {
    const answeredAtMs = nowMs()
    for (const [place, { resolve }] of waiting.entries()) {
      const isAdmitted = place < admitted
      const usedThen = isAdmitted ? used - admitted + place + 1 : used
      resolve({
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
    /** Opens the connection, so that the first call does not wait for it. Never rejects. */
    async connect(): Promise<void> {
      await sql`select 1`.execute(database).catch(() => undefined)
    },
    /** Rejects with the error of the database. */
    admit(name: string, limit: number): Promise<Admission> {
      return new Promise((resolve, reject) => {
        const window = gathered.get(name) ?? { limit, waiting: [] }
        // During a change of tier calls may carry two limits: the smaller one counts.
        window.limit = Math.min(window.limit, limit)
        window.waiting.push({ resolve, reject })
        gathered.set(name, window)
        // One statement decides for many calls, so it belongs to no trace.
        if (!isFlushing) void outsideTraces(flush)
      })
    },
  } satisfies WindowStore & Record<string, unknown>
}
