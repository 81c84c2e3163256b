// Claims due deliveries, starts to send them, and ends expired deliveries. Several workers may share the table. [D42, D49, F6-F8]
// Owns how many mails are under way, and which may start: all, codes only, or one probe. Does not own: sending a mail (send-delivery.ts),
// the rate (token-bucket.ts), the circuit breaker (smtp/circuit.ts).
import { failPoint } from '@paraph/testing/fail-point'
import { createLoop } from '@paraph/background/loop'
import { pollPauseMs } from '@paraph/background/wake-up'
import { settleAll } from '@paraph/background/settle-all'
import { isCode, type ClaimedDelivery, type Lane } from '../database.js'
import { CLAIM_SECONDS, GRACE_SECONDS, type DeliveryClaims } from './claim-delivery.js'
import { NOT_IN_TIME } from './finish-delivery.js'
import { createOutcomeRecorder } from './record-outcome.js'
import { countAttempt, createSendDelivery, type SendDeliveryDeps } from './send-delivery.js'
import type { SmtpCircuit } from '../smtp/circuit.js'
import type { SendRate } from './token-bucket.js'

/** Lower bound of the wait for a token, so that a rate-limited queue is not polled for every single mail. */
const RATE_WAIT_MIN_MS = 20
const EXPIRE_EVERY_MS = 5_000
/** Rare, because it reads every due mail. */
const LIMIT_WAITS_EVERY_MS = 60_000
const EXPIRED_BATCH = 50
const HELD_BATCH = 1_000
/** How long a stop waits for the SMTP server before it reschedules a mail, and for the database before it gives up an outcome. */
const STOP_MS = 5_000
/** The longest time until another worker takes over a mail without an outcome. */
const TAKEOVER_SECONDS = CLAIM_SECONDS + GRACE_SECONDS

export interface DeliveryWorkerDeps extends Omit<SendDeliveryDeps, 'cancelled' | 'outcomes'> {
  claims: Pick<DeliveryClaims, 'claim' | 'claimExpired' | 'limitWaits' | 'prolongHeld' | 'reschedule' | 'putBack'>
  /** The circuit breaker of this process. */
  circuit: SmtpCircuit
  rate: SendRate
  /** Mails under way at a time; one more slot is reserved for codes. */
  connections: number
}

/** Creates a worker that claims and sends mails from `start` to `stop`. */
export function createDeliveryWorker({ connections, ...deps }: DeliveryWorkerDeps) {
  const { claims, circuit, rate, logger } = deps
  const cancel = new AbortController()
  const outcomes = createOutcomeRecorder({ logger, cancelled: cancel.signal })
  const sendDelivery = createSendDelivery({ ...deps, outcomes, cancelled: cancel.signal })
  const expireDeliveries = createExpireDeliveries(deps)
  const underWay = new Set<Promise<void>>()
  /** Lanes with a probe under way. */
  const probing = new Set<Lane>()
  /** True unless the last round claimed every due mail. A later mail triggers the worker itself. */
  let mayBeMore = true
  let rateTimer: NodeJS.Timeout | undefined
  let limitedAtMs = -Infinity

  const loop = createLoop({
    name: 'mail queue',
    async work() {
      outcomes.assertRecorded()
      await circuit.loadState()
      await expireDeliveries()
      await limitWaits()
      return circuit.isOpen() ? startProbe() : startDue()
    },
    pauseMs: pollPauseMs,
    failureMessage: 'could not read the mail queue; retrying',
    logger,
  })

  async function limitWaits(): Promise<void> {
    if (performance.now() - limitedAtMs < LIMIT_WAITS_EVERY_MS) return
    await claims.limitWaits()
    limitedAtMs = performance.now()
  }

  /** Claims as many deliveries as slots and rate allow, and starts to send them. @returns true if more deliveries may be due */
  async function startDue(): Promise<boolean> {
    const requestedAtMs = performance.now()
    const slots = connections - underWay.size
    const room = Math.min(slots, rate.room('all', requestedAtMs))
    if (room <= 0) mayBeMore = true
    if (slots > 0 && room <= 0) triggerWhenRoom(requestedAtMs)
    // The last slot and a part of the rate are for codes only, because a person is waiting.
    const count = room > 0 ? room : Math.min(slots + 1, rate.room('codes', requestedAtMs))
    if (count <= 0) return false
    const claimed = await claims.claim(count, room > 0 ? 'all' : 'codes')
    if (room > 0) mayBeMore = claimed.length === count
    start(claimed, requestedAtMs)
    return claimed.length === count
  }

  /**
   * While the SMTP server is unavailable, this process probes it with one mail at a time, after the pause that all replicas share. It may
   * probe with one code at the same time, because the other mail may hang for half a minute.
   */
  async function startProbe(): Promise<boolean> {
    mayBeMore = true
    const requestedAtMs = performance.now()
    const lane = await circuit.readProbeLane(probing)
    if (lane === undefined || rate.room('codes', requestedAtMs) < 1) return false
    const claimed = await claims.claim(1, lane === 'codes' ? 'codes' : 'all', circuit.probeOf(lane))
    if (claimed.length > 0) probing.add(lane)
    start(claimed, requestedAtMs, lane)
    return false
  }

  function triggerWhenRoom(atMs: number): void {
    rateTimer ??= setTimeout(
      () => {
        rateTimer = undefined
        loop.wake()
      },
      Math.max(RATE_WAIT_MIN_MS, rate.waitMs(atMs)),
    )
  }

  function start(claimed: readonly ClaimedDelivery[], requestedAtMs: number, probed?: Lane): void {
    rate.take(claimed.length)
    if (claimed.length > 0) failPoint('mail.claimed')
    for (const delivery of claimed) {
      const work = sendDelivery(delivery, requestedAtMs)
        .catch((error: unknown) =>
          logger.warn(
            { err: error, deliveryId: delivery.id },
            `mail outcome not recorded; claim expires in ${TAKEOVER_SECONDS} s, another worker retries`,
          ),
        )
        .finally(() => {
          underWay.delete(work)
          if (probed) probing.delete(probed)
          if (mayBeMore) loop.wake()
        })
      underWay.add(work)
    }
  }

  return {
    start: loop.start,
    /** Call this after adding a delivery, so that the delivery starts immediately instead of at the next poll. */
    trigger: loop.wake,
    /** Finishes the mails under way; reschedules each mail for which the SMTP server does not answer within 5 s. */
    async stop(): Promise<void> {
      const tooLate = setTimeout(() => cancel.abort(), STOP_MS)
      await loop.stop()
      await Promise.all(underWay)
      clearTimeout(tooLate)
      clearTimeout(rateTimer)
    },
    /** Time since the last round of the loop. [H11] */
    tickAgeMs: loop.tickAgeMs,
  }
}

/**
 * Ends deliveries that were not sent in time: expired codes, and other mails after 48 hours. [D42, D49]
 * One call ends one batch. For 5 s after a batch that was not full, calls do nothing. Held mails get another 48 hours instead.
 */
function createExpireDeliveries({ claims, finishDelivery, logger }: Omit<DeliveryWorkerDeps, 'connections'>) {
  let emptyAtMs = -Infinity

  return async function expireDeliveries(): Promise<void> {
    if (performance.now() - emptyAtMs < EXPIRE_EVERY_MS) return
    const prolonged = await claims.prolongHeld(HELD_BATCH)
    const expired = await claims.claimExpired(EXPIRED_BATCH)
    const failed = expired.filter(({ kind }) => !isCode(kind)).length
    await settleAll(
      expired,
      async (delivery) => {
        const why = delivery.lastReason === null ? NOT_IN_TIME : `${NOT_IN_TIME}: ${delivery.lastReason}`
        const reason = isCode(delivery.kind) ? 'lapsed' : 'gave_up'
        await finishDelivery(delivery, { state: 'failed', reason, why })
        countAttempt(delivery, reason)
      },
      (error, { id }) =>
        logger.warn(
          { err: error, deliveryId: id },
          `expiry of a mail not recorded; claim expires in ${TAKEOVER_SECONDS} s, another worker retries`,
        ),
    )
    if (failed > 0) logger.error({ failed }, 'gave up on mails that were not sent within 48 hours')
    if (expired.length < EXPIRED_BATCH && prolonged < HELD_BATCH) emptyAtMs = performance.now()
  }
}
