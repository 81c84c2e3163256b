// Sends what is due: claim, ask the facts of this moment, hand to the relay, record. [D42, D49, F6-F8]
// Owns: how many at once, what is tried again and when. Does not own: how many in a second (send-rate.ts), whether the relay is
// away (relay-circuit.ts), how a mail ends (settlement.ts). Several workers may share the table.
import { backOffMs } from '@paraph/service/back-off'
import { continueTrace } from '@paraph/messaging/trace'
import { allAtOnce } from '@paraph/service/at-once'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import { pause } from '@paraph/service/wake-up'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import type { Composed } from './compose-mail.js'
import { isCode, type Lane } from './database.js'
import type { ClaimedDelivery, Deliveries } from './deliveries.js'
import { TIMEOUT, type Mailer, type SendOutcome } from './mailer.js'
import type { Finding, RelayCircuit } from './relay-circuit.js'
import { retryPauseMs, type Delay } from './retry-pause.js'
import type { SendRate } from './send-rate.js'
import { NOT_IN_TIME, type Ending, type Settlement } from './settlement.js'

const POLL_MS = 250
const LAPSE_EVERY_MS = 5_000
const LAPSED_AT_ONCE = 50
const PROLONGED_AT_ONCE = 1_000
/** While the rate holds mails back the queue is not looked at for every single one. */
const RATE_WAIT_MIN_MS = 20
/** From the moment the claim is asked for, facts and relay together. With RECORD_MS it ends before the claim (50 s) does, so that
 * no two workers send one mail at once. [F7] */
const ATTEMPT_MS = 40_000
/** The last try to record an outcome begins within this; in a stop that has given up on the relay, within the shorter one. */
const RECORD_MS = 8_000
const RECORD_STOPPING_MS = 2_000
/** A relay that said nothing for this long has fallen silent. */
const SILENCE_MS = 10_000
/** How long a stop waits for the relay before it puts a mail off. */
const STOP_MS = 5_000

const NEVER = new AbortController().signal

/**
 * Works from `start` to `stop`.
 * @param compose makes the mail of a delivery by the facts of this moment; rejects when they cannot be asked
 * @param connections mails under way at once; one more is kept free for codes
 * @param circuit of this process alone
 * @param retryFirstMs as of retry-pause.ts
 */
export function createDeliveryWorker({
  deliveries,
  settlement,
  circuit,
  rate,
  mailer,
  compose,
  connections,
  logger,
  retryFirstMs,
}: {
  deliveries: Deliveries
  settlement: Settlement
  circuit: RelayCircuit
  rate: SendRate
  mailer: Pick<Mailer, 'send'>
  compose: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Composed>
  connections: number
  logger: Logger
  retryFirstMs?: number
}) {
  const givingUp = new AbortController()
  const underWay = new Set<Promise<void>>()
  /** Each with a probe under way. */
  const probing = new Set<Lane>()
  let lapsedAtMs = -Infinity
  let rateTimer: NodeJS.Timeout | undefined

  const loop = createLoop({
    async work() {
      await circuit.learn()
      await endLapsed()
      return circuit.isOpen() ? startProbe() : startDue()
    },
    pauseMs: POLL_MS,
    trouble: 'the mail queue cannot be read; the worker tries again',
    logger,
  })

  /** Claims as many as there is room for and sends them. True when more may be due. */
  async function startDue(): Promise<boolean> {
    const askedAtMs = performance.now()
    const places = connections - underWay.size
    const room = Math.min(places, rate.room('all', askedAtMs))
    if (places > 0 && room <= 0) wakeWithRoom(askedAtMs)
    // The last place is for codes alone, and so is a part of the rate: a person is waiting.
    const count = room > 0 ? room : Math.min(places + 1, rate.room('codes', askedAtMs))
    if (count <= 0) return false
    const claimed = await deliveries.claim(count, room > 0 ? 'all' : 'codes')
    start(claimed, askedAtMs)
    return claimed.length === count
  }

  /**
   * While the relay is away one mail of this process is tried at a time, when all replicas together have waited long enough; and one
   * code beside it, for the relay may hang over the other for half a minute.
   */
  async function startProbe(): Promise<boolean> {
    const askedAtMs = performance.now()
    const lane = await circuit.readLane(probing)
    if (lane === undefined || rate.room('codes', askedAtMs) < 1) return false
    const claimed = await deliveries.claim(1, lane === 'codes' ? 'codes' : 'all', circuit.probeOf(lane))
    if (claimed.length > 0) probing.add(lane)
    start(claimed, askedAtMs, lane)
    return false
  }

  function wakeWithRoom(atMs: number): void {
    rateTimer ??= setTimeout(
      () => {
        rateTimer = undefined
        loop.wake()
      },
      Math.max(RATE_WAIT_MIN_MS, rate.waitMs(atMs)),
    )
  }

  function start(claimed: readonly ClaimedDelivery[], askedAtMs: number, probed?: Lane): void {
    rate.take(claimed.length)
    if (claimed.length > 0) failPoint('mail.claimed')
    for (const delivery of claimed) {
      const work = deliver(delivery, askedAtMs)
        .catch((error: unknown) =>
          logger.warn({ err: error, deliveryId: delivery.id }, 'a delivery was left to its claim'),
        )
        .finally(() => {
          underWay.delete(work)
          if (probed) probing.delete(probed)
          loop.wake()
        })
      underWay.add(work)
    }
  }

  /** @param askedAtMs before the claim was made: what is left of an attempt is counted from here, on the safe side of the database's clock */
  async function deliver(delivery: ClaimedDelivery, askedAtMs: number): Promise<void> {
    const leftMs = Math.min(ATTEMPT_MS, delivery.lapsesInMs) - (performance.now() - askedAtMs)
    const signal = AbortSignal.any([AbortSignal.timeout(Math.max(0, Math.floor(leftMs))), givingUp.signal])
    const { id, kind, contractId, partyIndex, traceparent, ageMs } = delivery
    const attributes = {
      ...(contractId === null ? {} : { 'paraph.subject': contractId }),
      'paraph.attempt': delivery.attempts,
    }
    await continueTrace({ name: `send ${kind} mail`, attributes, traceparent, ageMs }, async () => {
      const where = { deliveryId: id, kind, contractId, partyIndex, attempt: delivery.attempts }
      let composed: Composed
      try {
        composed = await compose(delivery, signal)
      } catch (error) {
        logger.warn({ ...where, err: error }, 'the facts of a mail could not be read; it is tried again')
        return putOff(delivery, 'soon', 'facts not readable')
      }
      if ('skipped' in composed) {
        rate.giveBack(1)
        logger.info({ ...where, reason: composed.skipped }, 'a mail is no longer wanted')
        return settle(delivery, { state: 'skipped', why: composed.skipped })
      }
      if ('fault' in composed) {
        logger.error(
          { ...where, fault: composed.fault },
          'a mail is held back: a fact of it breaks the rules; it is tried again',
        )
        return putOff(delivery, 'later', `fact breaks the rules: ${composed.fault}`)
      }
      const sentAtMs = performance.now()
      const result = await mailer.send(composed.mail, signal)
      if (result.outcome === 'accepted') {
        failPoint('mail.accepted')
        const afterMs = delivery.ageMs + (performance.now() - askedAtMs)
        measure('paraph.email.accept.duration', afterMs / 1_000, { 'paraph.kind': kind })
      }
      // Beside the record, whose time is counted in the claim's.
      await Promise.all([noteRelay(result, sentAtMs), noteResult(delivery, result, where)])
    })
  }

  async function noteResult(delivery: ClaimedDelivery, result: SendOutcome, where: object): Promise<void> {
    if (result.outcome === 'accepted') {
      logger.info({ ...where, afterMs: Math.round(delivery.ageMs) }, 'the relay accepted a mail')
      return settle(delivery, { state: 'accepted' })
    }
    const { reason } = result
    if (result.outcome === 'refused') {
      logger.error({ ...where, reason }, 'the relay refused a mail for good')
      return settle(delivery, { state: 'failed', reason: 'refused', why: reason })
    }
    if (result.outcome === 'unanswered') {
      logger.warn(
        { ...where, reason },
        'the relay has the text of a mail and did not answer; it is tried again much later',
      )
      return putOff(delivery, 'much_later', `no answer to the text: ${reason}`)
    }
    logger.warn({ ...where, reason }, 'a mail was not accepted yet; it is tried again')
    // Each mail has its own pause also while the relay is away: one that breaks the relay must not stay first in the queue.
    return putOff(delivery, circuit.isOpen() ? 'soon' : 'later', reason)
  }

  async function putOff(delivery: ClaimedDelivery, delay: Delay, reason: string): Promise<void> {
    const waitMs = retryPauseMs(delivery, delay, Math.random(), retryFirstMs)
    await record(() => deliveries.putOff(delivery, waitMs, reason))
    tell(delivery, delay === 'much_later' ? 'unanswered' : 'put_off')
  }

  async function settle(delivery: ClaimedDelivery, ending: Ending): Promise<void> {
    await record(() => settlement.settle(delivery, ending))
    tell(delivery, ending.state === 'failed' ? ending.reason : ending.state)
  }

  const tell = ({ kind }: ClaimedDelivery, outcome: string): void =>
    count('paraph.email.attempts', { 'paraph.kind': kind, 'paraph.outcome': outcome })

  /** What happened to a mail must be written down: a claim that merely ends sends the mail a second time. */
  async function record(write: () => Promise<void>): Promise<void> {
    const startedAtMs = performance.now()
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        const waitMs = backOffMs(tries, 100, 1_000, Math.random())
        const longestMs = givingUp.signal.aborted ? RECORD_STOPPING_MS : RECORD_MS
        if (performance.now() + waitMs > startedAtMs + longestMs) throw error
        await pause(waitMs, NEVER)
      }
    }
  }

  /** A circuit that cannot be written down holds for this process all the same. */
  async function noteRelay(result: SendOutcome, sentAtMs: number): Promise<void> {
    const [finding, reason] = [findingOf(result), result.outcome === 'accepted' ? '' : result.reason]
    // Cut off by a stop, or by the end of a code's life: that says nothing of the relay.
    if (finding === 'silent' && (givingUp.signal.aborted || performance.now() - sentAtMs < SILENCE_MS)) return
    try {
      const change = await circuit.note(finding, sentAtMs, reason)
      if (change === 'opened') logger.error({ reason }, 'the mail relay is away; mails wait')
      if (change === 'closed') logger.info('the mail relay answers again')
    } catch (error) {
      logger.warn({ err: error }, 'the state of the mail relay could not be written down')
    }
  }

  async function endLapsed(): Promise<void> {
    if (performance.now() - lapsedAtMs < LAPSE_EVERY_MS) return
    const prolonged = await deliveries.prolongHeld(PROLONGED_AT_ONCE)
    const lapsed = await deliveries.claimLapsed(LAPSED_AT_ONCE)
    const givenUp = lapsed.filter(({ kind }) => !isCode(kind)).length
    await allAtOnce(
      lapsed,
      async (delivery) => {
        const why = delivery.lastReason === null ? NOT_IN_TIME : `${NOT_IN_TIME}: ${delivery.lastReason}`
        const reason = isCode(delivery.kind) ? 'lapsed' : 'gave_up'
        await settlement.settle(delivery, { state: 'failed', reason, why })
        tell(delivery, reason)
      },
      (error, { id }) => logger.warn({ err: error, deliveryId: id }, 'a lapsed mail was left to its claim'),
    )
    if (givenUp > 0) logger.error({ failed: givenUp }, 'mails were given up after 48 hours')
    if (lapsed.length < LAPSED_AT_ONCE && prolonged < PROLONGED_AT_ONCE) lapsedAtMs = performance.now()
  }

  return {
    start: loop.start,
    /** Call when a delivery was added: it starts at once instead of within 250 ms. */
    wake: loop.wake,
    /** Finishes the mails under way; those that the relay hangs over are put off after 5 s. */
    async stop(): Promise<void> {
      const tooLate = setTimeout(() => givingUp.abort(), STOP_MS)
      await loop.stop()
      await Promise.all(underWay)
      clearTimeout(tooLate)
      clearTimeout(rateTimer)
    },
    /** Since the loop last went round. [H11] */
    tickAgeMs: loop.tickAgeMs,
  }
}

/** What the outcome of one mail shows of the relay. */
function findingOf(result: SendOutcome): Finding {
  switch (result.outcome) {
    case 'silent':
      return 'silent'
    case 'relay_away':
      return 'away'
    case 'unanswered':
      return result.reason === TIMEOUT ? 'silent' : 'away'
    default:
      return 'answered'
  }
}
