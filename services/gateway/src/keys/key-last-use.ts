// When each key was last used, without a write per call. [D28]
// Owns: what this process has seen since its last write, and one statement a minute that tells the store. A use is a call whose key
// was good, whatever became of the call. A process that dies takes at most a minute of it along.
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from './database.js'
import { within } from '@paraph/service/deadline'

const WRITE_EVERY_MS = 60_000
const WRITE_MS_MAX = 5_000

/** Of one process; any number may write to one database, and the latest use stands. @param writeEveryMs for tests */
export function createKeyLastUse({
  database,
  logger,
  writeEveryMs = WRITE_EVERY_MS,
}: {
  database: Kysely<GatewayDatabase>
  logger: Logger
  writeEveryMs?: number
}) {
  /** Key id → `performance.now()` of its latest use since the last write. */
  let seen = new Map<string, number>()

  const loop = createLoop({
    work: async () => {
      await write()
      return false
    },
    pauseMs: writeEveryMs,
    trouble: 'the last use of keys cannot be written at the moment; it is tried again',
    logger,
  })

  async function write(): Promise<void> {
    if (seen.size === 0) return
    const written = seen
    seen = new Map()
    try {
      await within(WRITE_MS_MAX, store(database, written))
    } catch (error) {
      // What was used meanwhile is later.
      seen = new Map([...written, ...seen])
      throw error
    }
  }

  return {
    /** The key was used now. Costs one entry in a map. */
    note(keyId: string): void {
      seen.set(keyId, performance.now())
    },
    start: loop.start,
    /** Writes what is left, once. */
    async stop(): Promise<void> {
      await loop.stop()
      await write().catch((error: unknown) => logger.warn({ err: error }, 'the last use of some keys stayed unwritten'))
    },
  }
}

export type KeyLastUse = ReturnType<typeof createKeyLastUse>

/** One statement for all. The age of a use tells the store when that was by its own clock. */
async function store(database: Kysely<GatewayDatabase>, uses: ReadonlyMap<string, number>): Promise<void> {
  const nowMs = performance.now()
  // Rows are locked in the order of their ids, so that two gateways never wait for each other in a circle.
  await sql`
    with used as (
      select id, now() - make_interval(secs => age_ms / 1000) as at
      from unnest(${[...uses.keys()]}::text[], ${[...uses.values()].map((atMs) => nowMs - atMs)}::float8[]) as use (id, age_ms)
    ), held as (
      select key.id, used.at from api_key key join used using (id)
      where key.last_used_at is null or key.last_used_at < used.at
      order by key.id for no key update of key
    )
    update api_key set last_used_at = greatest(api_key.last_used_at, held.at) from held where api_key.id = held.id`.execute(
    database,
  )
}
