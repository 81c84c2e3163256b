// Removes what dead gateways left in the record of batches. [D40]
// Owns: when. Why a mark may go is written where marks are made (usage-commit).
import type { Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from './database.js'
import { within } from './deadline.js'
import { pruneMarks } from './usage-commit.js'

const PAUSE_MS = 3_600_000
/** A database that takes longer is away; a stop does not wait for it. */
const PRUNE_MS_MAX = 2_000

/** A loop of small deletions, for as long as the service runs; every gateway has one. */
export function createUsagePruning({ database, logger }: { database: Kysely<GatewayDatabase>; logger: Logger }) {
  return createLoop({
    work: async () => (await within(PRUNE_MS_MAX, pruneMarks(database))) > 0,
    pauseMs: PAUSE_MS,
    trouble: 'marks of old usage batches cannot be removed',
    logger,
  })
}
