// Writes the outcome of a mail into the database, however long the database is unavailable. [D24, F3, I8]
// Unwritten outcomes are in memory: a process that ends loses them, and other workers send their mails again. Their number is bounded,
// because a mail keeps its slot (delivery-worker.ts) until its outcome is written.
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '@paraph/background/back-off'
import { isDatabaseBusy, isDatabaseUnavailable } from '@paraph/database/database-failure'
import type { Logger } from '@paraph/telemetry/logger'
import type { ClaimedDelivery } from '../database.js'

const RETRY_FIRST_MS = 100
const RETRY_MAX_MS = 1_000
/** The last try begins within this time if the database rejects the statement: a retry rarely helps. */
const REJECTED_MS = 8_000
/** The last try begins within this time after a stop has cancelled the mails under way. */
const STOPPING_MS = 2_000

export interface OutcomeRecorderDeps {
  logger: Pick<Logger, 'info' | 'warn'>
  /** Aborts when a stop cancels the mails under way. */
  cancelled: AbortSignal
}

export function createOutcomeRecorder({ logger, cancelled }: OutcomeRecorderDeps) {
  /** Writes that wait for the database, with the errors of their last tries. */
  const waiting = new Map<() => Promise<void>, unknown>()

  /**
   * Retries `write` until it succeeds. `write` must have no effect if another worker has the claim.
   * @throws the last error, if the database rejected the statement for 8 s, or the worker stops
   */
  async function record({ id: deliveryId }: Pick<ClaimedDelivery, 'id'>, write: () => Promise<void>): Promise<void> {
    const startedAtMs = performance.now()
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          await write()
          if (tries > 1) logger.info({ deliveryId, tries }, 'mail outcome recorded after retries')
          return
        } catch (error) {
          const isOutage = isDatabaseUnavailable(error)
          if (isOutage) waiting.set(write, error)
          else waiting.delete(write)
          const isTemporary = isOutage || isDatabaseBusy(error)
          const longestMs = cancelled.aborted ? STOPPING_MS : isTemporary ? Infinity : REJECTED_MS
          const waitMs = backOffMs(tries, RETRY_FIRST_MS, RETRY_MAX_MS, Math.random())
          if (performance.now() + waitMs > startedAtMs + longestMs) throw error
          if (tries === 1) logger.warn({ err: error, deliveryId }, 'mail outcome not recorded; retrying')
          await sleep(waitMs)
        }
      }
    } finally {
      waiting.delete(write)
    }
  }

  return {
    record,
    /**
     * Keeps a worker from claiming mails after an outage before it has written what it knows.
     * @throws the error of a write that waits for the database
     */
    assertRecorded(): void {
      for (const error of waiting.values()) throw error
    },
  }
}

export type OutcomeRecorder = ReturnType<typeof createOutcomeRecorder>
