// Keeps a process from working on a database that lacks migrations of its build, such as after a failed migration job: the process is
// alive, not ready, and does no background work, so that a rollout stops and the processes of the version before go on. [H8, H16]
// Owns: when the database is asked, that the process warms up before it is ready, and the log line. Does not own: the migrations
// (libs/database/migrate.ts).
import { newestAppliedMigration } from '@paraph/database/schema-version'
import { waitAtMost } from '@paraph/protocol/deadline'
import type { Logger } from '@paraph/telemetry/logger'
import { observe } from '@paraph/telemetry/metrics'
import { createLoop } from './loop.js'

const PAUSE_MS = 1_000
/** A start does not wait longer for a database that does not answer. [H6] */
const START_MS_MAX = 3_000
/** A process that has not warmed up after this time is ready all the same. */
const WARM_UP_MS_MAX = 10_000

export interface SchemaCheckDeps {
  database: Parameters<typeof newestAppliedMigration>[0]
  /** The migrations of this build, by name. */
  migrations: Readonly<Record<string, unknown>>
  /**
   * Opens the connections of the first calls and runs their statements once, before the process is ready. Beside others that start on the
   * same cores, a first call would otherwise take longer than its limit. [F17]
   */
  warmUp?: () => Promise<unknown>
  logger: Logger
}

/**
 * Asks the database every second until its newest migration is that of this build or a later one, and then never again: an outage makes no
 * process unready that was ready. [H8]
 */
export function createSchemaCheck({ database, migrations, warmUp, logger }: SchemaCheckDeps) {
  const needed = Object.keys(migrations).toSorted().at(-1) ?? ''
  const firstAnswer = Promise.withResolvers<void>()
  let state: 'unknown' | 'behind' | 'current' = 'unknown'
  let hasBegun = false
  let begin = (): void => undefined
  let unobserve = (): void => undefined

  function beginOnce(): void {
    if (hasBegun) return
    hasBegun = true
    begin()
  }

  async function ask(): Promise<void> {
    const applied = await newestAppliedMigration(database)
    if (applied !== undefined && applied >= needed) {
      // A failure makes the process no less ready: its calls get 503 by themselves while the database is unavailable.
      if (warmUp) await waitAtMost(WARM_UP_MS_MAX, warmUp())
      if (state === 'behind') logger.info({ applied, needed }, 'the database has been migrated; this process is ready')
      state = 'current'
      void loop.stop()
      return beginOnce()
    }
    if (state !== 'behind')
      logger.warn(
        { applied: applied ?? 'none', needed },
        'database schema behind this version; not ready until its migrations are applied',
      )
    state = 'behind'
  }

  const loop = createLoop({
    name: 'schema check',
    work: async () => {
      await ask().finally(firstAnswer.resolve)
      return false
    },
    pauseMs: PAUSE_MS,
    failureMessage: 'schema check failed; not ready until the database answers',
    logger,
  })

  return {
    /**
     * Asks the database, waits at most 3 s for the answer, and calls `beginWork`: immediately, or once a database that is behind has caught
     * up. A database that does not answer delays no work, because loops wait for their database anyway. [H6]
     */
    async start(beginWork: () => void): Promise<void> {
      begin = beginWork
      unobserve = observe('paraph.schema.behind', () => Number(state === 'behind'))
      loop.start()
      await waitAtMost(START_MS_MAX, firstAnswer.promise)
      if (state === 'unknown') beginOnce()
    },
    /** Asks no more. Afterwards, `beginWork` is not called any more. */
    async stop(): Promise<void> {
      await loop.stop()
      unobserve()
    },
    /** True once the database had every migration of this build and the process has warmed up, for ever. Local state. [H8] */
    isCurrent: () => state === 'current',
    /** False while the background work waits for migrations; loops that have not begun do not count as stuck. [H7] */
    hasBegun: () => hasBegun,
  }
}

export type SchemaCheck = ReturnType<typeof createSchemaCheck>
