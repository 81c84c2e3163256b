// Expires due contracts once a second. Readers do not depend on it: the clock decides the status they see. [D20]
import type { Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractDatabase } from '../database.js'
import { expireDue } from './expiry.js'

const PAUSE_MS = 1_000
/** Rows locked until one commit. Nobody can sign these contracts any longer; their readers wait for the commit (contract-store.ts). */
const BATCH = 200

interface ExpirySweepDeps {
  database: Kysely<ContractDatabase>
  /** Called after a commit that added events. */
  wakeRelay: () => void
  logger: Logger
}

/** Any number of replicas may run it. */
export function createExpirySweep({ database, wakeRelay, logger }: ExpirySweepDeps) {
  return createLoop({
    async work() {
      const expired = await expireDue(database, BATCH)
      if (expired > 0) {
        logger.info({ count: expired }, 'contracts expired')
        wakeRelay()
      }
      return expired === BATCH
    },
    pauseMs: PAUSE_MS,
    trouble: 'could not expire due contracts; retrying',
    logger,
  })
}
