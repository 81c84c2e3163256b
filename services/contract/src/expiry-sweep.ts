// Expires what is due. Readers do not wait for it: status is decided by the clock. The sweep stores it and tells it. [D20]
// Also removes what has outlived its use: share tokens that nobody can replay, idempotency keys that no longer count. [D17, D46]
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractCreation } from './contract-creation.js'
import type { ContractStore } from './contract-store.js'

const PAUSE_MS = 1_000
const BATCH = 100

/** Looks every second; each contract is a transaction of its own, so two sweeps at once and a crash do no harm. */
export function createExpirySweep({
  store,
  creation,
  logger,
}: {
  store: ContractStore
  creation: Pick<ContractCreation, 'forgetKeys'>
  logger: Logger
}) {
  return createLoop({
    async work() {
      const due = await store.listDue(BATCH)
      for (const id of due) await store.execute(id, { type: 'expire' })
      if (due.length > 0) logger.info({ count: due.length }, 'contracts expired')
      const forgotten = await store.forgetShareTokens(BATCH)
      const keys = await creation.forgetKeys(BATCH)
      return [due.length, forgotten, keys].includes(BATCH)
    },
    pauseMs: PAUSE_MS,
    trouble: 'the expiry sweep failed; it tries again',
    logger,
  })
}
