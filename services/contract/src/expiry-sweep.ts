// Expires what is due. Readers do not wait for it: status is decided by the clock. The sweep stores it and tells it. [D20]
import { pause } from '@paraph/messaging/wake-up'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractStore } from './contract-store.js'

const PAUSE_MS = 1_000
const BATCH = 100

/** Looks every second; each contract is a transaction of its own, so two sweeps at once and a crash do no harm. */
export function createExpirySweep({ store, logger }: { store: ContractStore; logger: Logger }) {
  const stopping = new AbortController()
  let tickedAt = Date.now()

  /** Expires up to 100 due contracts. @returns how many it found */
  async function sweep(): Promise<number> {
    const due = await store.listDue(BATCH)
    for (const id of due) await store.execute(id, { type: 'expire' })
    return due.length
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      tickedAt = Date.now()
      let found = 0
      try {
        found = await sweep()
        if (found > 0) logger.info({ count: found }, 'contracts expired')
        await store.forgetShareTokens(BATCH)
      } catch (error) {
        logger.warn({ err: error }, 'the expiry sweep failed; it tries again')
      }
      if (found < BATCH) await pause(PAUSE_MS, stopping.signal)
    }
  }

  let running: Promise<void> | undefined
  return {
    sweep,
    start: () => void (running = run()),
    stop: async () => {
      stopping.abort()
      await running
    },
    tickAgeMs: () => Date.now() - tickedAt,
  }
}
