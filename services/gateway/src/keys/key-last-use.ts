// Stores when each key was last used, with one write a minute instead of one per call. [D28]
// A use is a call with a valid key, whatever its outcome. A process that dies loses up to a minute of uses.
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { withTimeout } from '@paraph/protocol/deadline'

const WRITE_EVERY_MS = 60_000
const WRITE_MS_MAX = 5_000

interface KeyLastUseDeps {
  database: Kysely<GatewayDatabase>
  logger: Logger
  /** Interval of the writes, for tests. */
  writeEveryMs?: number
}

/** Collects the uses of one process. Any number of processes may write to one database; the latest use of a key wins. */
export function createKeyLastUse({ database, logger, writeEveryMs = WRITE_EVERY_MS }: KeyLastUseDeps) {
  /** Key id → `performance.now()` of its latest use since the last write. */
  let uses = new Map<string, number>()

  const failureMessage = 'could not store when keys were last used; retrying with back-off'
  const loop = createLoop({ name: 'key last use', work: write, pauseMs: writeEveryMs, failureMessage, logger })

  /** @returns false: there is never more to write */
  async function write(): Promise<false> {
    if (uses.size === 0) return false
    const batch = uses
    uses = new Map()
    try {
      await withTimeout(WRITE_MS_MAX, store(database, batch))
      return false
    } catch (error) {
      // Uses that were recorded meanwhile are later, so they replace those of the batch.
      uses = new Map([...batch, ...uses])
      throw error
    }
  }

  return {
    /** Records in memory that the key is used now. */
    record(keyId: string): void {
      uses.set(keyId, performance.now())
    },
    start: loop.start,
    /** Stops after one last try to write the remaining uses. */
    async stop(): Promise<void> {
      await loop.stop()
      await write().catch((error: unknown) =>
        logger.warn({ err: error, keys: uses.size }, 'times of last use of keys lost: the write at the stop failed'),
      )
    },
  }
}

export type KeyLastUse = ReturnType<typeof createKeyLastUse>

/** Stores all uses in one statement, which passes the age of each use; the store computes the time by its own clock. */
async function store(database: Kysely<GatewayDatabase>, uses: ReadonlyMap<string, number>): Promise<void> {
  const nowMs = performance.now()
  // Rows are locked in the order of their ids, so that two gateways cannot deadlock.
  const statement = sql`
    with used as (
      select id, now() - make_interval(secs => age_ms / 1000) as at
      from unnest(${[...uses.keys()]}::text[], ${[...uses.values()].map((atMs) => nowMs - atMs)}::float8[]) as use (id, age_ms)
    ), locked as (
      select key.id, used.at from api_key key join used using (id)
      where key.last_used_at is null or key.last_used_at < used.at
      order by key.id for no key update of key
    )
    update api_key set last_used_at = greatest(api_key.last_used_at, locked.at) from locked where api_key.id = locked.id`
  await statement.execute(database)
}
