// Expires what is due, each second. Readers do not need it: status is decided by the clock. The sweep stores it and tells it. [D20]
// Who reads a contract in the moment in which its batch is being stored waits for that commit (contract-store.ts, find).
import type { Kysely } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractDatabase } from './database.js'
import { expireDue } from './expiry.js'

const PAUSE_MS = 1_000
/** Rows that are locked for one commit; nobody can sign them any more. What a day of sleep has left is done batch by batch. */
const BATCH = 200

/** Any number of replicas may run it. @param wakeRelay called after a commit that added events */
export function createExpirySweep({
  database,
  wakeRelay,
  logger,
}: {
  database: Kysely<ContractDatabase>
  wakeRelay: () => void
  logger: Logger
}) {
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
    trouble: 'the expiry sweep failed; it tries again',
    logger,
  })
}
