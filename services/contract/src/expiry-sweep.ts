// Expires what is due. Readers do not wait for it: status is decided by the clock. The sweep stores it and tells it. [D20]
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractStore } from './contract-store.js'

const PAUSE_MS = 1_000
const BATCH = 100

/** Looks every second; each contract is a transaction of its own, so two sweeps at once and a crash do no harm. */
export function createExpirySweep({ store, logger }: { store: ContractStore; logger: Logger }) {
  return createLoop({
    async work() {
      const due = await store.listDue(BATCH)
      for (const id of due) await store.execute(id, { type: 'expire' })
      if (due.length > 0) logger.info({ count: due.length }, 'contracts expired')
      const forgotten = await store.forgetShareTokens(BATCH)
      return due.length === BATCH || forgotten === BATCH
    },
    pauseMs: PAUSE_MS,
    trouble: 'the expiry sweep failed; it tries again',
    logger,
  })
}
