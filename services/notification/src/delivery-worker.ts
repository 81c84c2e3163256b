// Sends what is due: claim, ask the facts of this moment, hand to the relay, record. [D42, D49, F6-F8]
// Owns: how many at once, what is tried again and when, what a relay that is away means. Several workers may share the table.
import { backOffMs } from '@paraph/service/back-off'
import { continueTrace } from '@paraph/messaging/trace'
import { unseal, type Keyring } from '@paraph/service/keyring'
import { createLoop } from '@paraph/service/loop'
import { pause } from '@paraph/service/wake-up'
import type { Logger } from '@paraph/telemetry/logger'
import { composeMail } from './compose-mail.js'
import { codeContext, type ClaimedDelivery, type Deliveries } from './deliveries.js'
import type { MailFacts } from './mail-facts.js'
import type { Mailer, SendOutcome } from './mailer.js'

const POLL_MS = 250
const LAPSE_EVERY_MS = 5_000
/** From the moment the claim is asked for, facts and relay together. With RECORD_MS it ends before the claim (50 s) does, so that
 * no two workers send one mail at once. [F7] */
const ATTEMPT_MS = 40_000
/** The last try to record an outcome begins within this. */
const RECORD_MS = 8_000
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 900_000
/** For codes, which live ten minutes only, and for what is put off because somebody else is away. */
const SOON_MAX_MS = 30_000
/** How long a stop waits for the relay before it puts a mail off. */
const STOP_MS = 5_000
/** While the relay is away one mail is tried at a time, this seldom at last. [F6] */
const PROBE_MAX_MS = 30_000

const NEVER = new AbortController().signal

/**
 * Works from `start` to `stop`.
 * @param readFacts asks the contract service; null for an unknown contract or party, rejects when it cannot be asked
 * @param connections mails under way at once; one more is kept free for codes
 * @param retryFirstMs first pause between tries, doubling
 */
export function createDeliveryWorker({
  deliveries,
  mailer,
  readFacts,
  codeKeys,
  mailDomain,
  shareBaseUrl,
  connections,
  logger,
  retryFirstMs = RETRY_FIRST_MS,
}: {
  deliveries: Deliveries
  mailer: Pick<Mailer, 'send'>
  readFacts: (contractId: string, partyIndex: number) => Promise<MailFacts | null>
  codeKeys: Keyring
  mailDomain: string
  shareBaseUrl: string
  connections: number
  logger: Logger
  retryFirstMs?: number
}) {
  const givingUp = new AbortController()
  const underWay = new Set<Promise<void>>()
  let relayFailures = 0
  let probeAtMs = 0
  let lapsedAtMs = -Infinity

  const loop = createLoop({
    async work() {
      await endLapsed()
      return startDue()
    },
    pauseMs: POLL_MS,
    trouble: 'the mail queue cannot be read; the worker tries again',
    logger,
  })

  /** Claims as many as there is room for and sends them. True when more may be due. */
  async function startDue(): Promise<boolean> {
    const isRelayAway = relayFailures > 0
    if (isRelayAway && (underWay.size > 0 || performance.now() < probeAtMs)) return false
    const room = isRelayAway ? 1 : connections - underWay.size
    const kinds = room > 0 ? 'all' : 'codes'
    // The last place is for codes alone: a person is waiting.
    const count = room > 0 ? room : connections + 1 - underWay.size
    if (count <= 0) return false
    const askedAtMs = performance.now()
    const claimed = await deliveries.claim(count, kinds)
    for (const delivery of claimed) {
      const work = deliver(delivery, askedAtMs)
        .catch((error: unknown) =>
          logger.warn({ err: error, deliveryId: delivery.id }, 'a delivery was left to its claim'),
        )
        .finally(() => {
          underWay.delete(work)
          loop.wake()
        })
      underWay.add(work)
    }
    return claimed.length === count
  }

  /** @param askedAtMs before the claim was made: what is left of an attempt is counted from here, on the safe side of the database's clock */
  async function deliver(delivery: ClaimedDelivery, askedAtMs: number): Promise<void> {
    const leftMs = Math.min(ATTEMPT_MS, delivery.lapsesInMs) - (performance.now() - askedAtMs)
    const signal = AbortSignal.any([AbortSignal.timeout(Math.max(0, Math.floor(leftMs))), givingUp.signal])
    const { id, kind, contractId, partyIndex, traceparent, ageMs } = delivery
    await continueTrace({ name: `send ${kind} mail`, traceparent: traceparent ?? undefined, ageMs }, async () => {
      const where = { deliveryId: id, kind, contractId, partyIndex, attempt: delivery.attempts }
      let facts: MailFacts | null
      let code: string | undefined
      try {
        facts = await endedBy(signal, readFacts(contractId, partyIndex))
        code = delivery.code ? unseal(codeKeys, delivery.code, codeContext(delivery.code.requestId)) : undefined
      } catch (error) {
        logger.warn({ ...where, err: error }, 'the facts of a mail could not be read; it is tried again')
        return putOff(delivery, SOON_MAX_MS, 'facts not readable')
      }
      const composed = composeMail({ ...delivery, code }, facts, { mailDomain, shareBaseUrl })
      if ('skipped' in composed) {
        logger.info({ ...where, reason: composed.skipped }, 'a mail is no longer wanted')
        return record(() => deliveries.settle(delivery, 'skipped', composed.skipped))
      }
      if ('fault' in composed) {
        logger.error(
          { ...where, fault: composed.fault },
          'a mail is held back: a fact of it breaks the rules; it is tried again',
        )
        return putOff(
          delivery,
          kind === 'code' ? SOON_MAX_MS : RETRY_MAX_MS,
          `fact breaks the rules: ${composed.fault}`,
        )
      }
      const result = await mailer.send(composed.mail, signal)
      noteRelay(result)
      if (result.outcome === 'accepted') {
        logger.info({ ...where, afterMs: Math.round(ageMs) }, 'the relay accepted a mail')
        return record(() => deliveries.settle(delivery, 'accepted', null))
      }
      if (result.outcome === 'refused') {
        logger.error({ ...where, reason: result.reason }, 'the relay refused a mail for good')
        return record(() => deliveries.settle(delivery, 'failed', result.reason))
      }
      logger.warn({ ...where, reason: result.reason }, 'a mail was not accepted yet; it is tried again')
      // Each mail has its own pause also while the relay is away: one that breaks the relay must not stay first in the queue.
      return putOff(delivery, kind === 'code' || relayFailures > 0 ? SOON_MAX_MS : RETRY_MAX_MS, result.reason)
    })
  }

  async function putOff(delivery: ClaimedDelivery, longestMs: number, reason: string): Promise<void> {
    const waitMs = backOffMs(delivery.attempts, retryFirstMs, longestMs, Math.random())
    await record(() => deliveries.putOff(delivery, waitMs, reason))
  }

  /** What happened to a mail must be written down: a claim that merely ends sends the mail a second time. */
  async function record(write: () => Promise<void>): Promise<void> {
    const untilMs = performance.now() + RECORD_MS
    for (let tries = 1; ; tries++) {
      try {
        return await write()
      } catch (error) {
        const waitMs = backOffMs(tries, 100, 1_000, Math.random())
        if (performance.now() + waitMs > untilMs) throw error
        await pause(waitMs, NEVER)
      }
    }
  }

  function noteRelay(result: SendOutcome): void {
    if (result.outcome !== 'relay_away') {
      if (relayFailures > 0) logger.info({ failures: relayFailures }, 'the mail relay answers again')
      relayFailures = 0
      return
    }
    // Those that were under way together count once.
    if (performance.now() < probeAtMs) return
    relayFailures += 1
    probeAtMs = performance.now() + backOffMs(relayFailures, retryFirstMs, PROBE_MAX_MS, Math.random())
    if (relayFailures === 1) logger.error({ reason: result.reason }, 'the mail relay is away; mails wait')
  }

  async function endLapsed(): Promise<void> {
    if (performance.now() - lapsedAtMs < LAPSE_EVERY_MS) return
    const failed = await deliveries.endLapsed()
    lapsedAtMs = performance.now()
    if (failed > 0) logger.error({ failed }, 'mails were given up after 48 hours')
  }

  return {
    start: loop.start,
    /** True since the relay took no mail and none was accepted after. */
    isRelayAway: () => relayFailures > 0,
    /** Call when a delivery was added: it starts at once instead of within 250 ms. */
    wake: loop.wake,
    /** Finishes the mails under way; those that the relay hangs over are put off after 5 s. */
    async stop(): Promise<void> {
      const tooLate = setTimeout(() => givingUp.abort(), STOP_MS)
      await loop.stop()
      await Promise.all(underWay)
      clearTimeout(tooLate)
    },
    /** Since the loop last went round. [H11] */
    tickAgeMs: loop.tickAgeMs,
  }
}

/** Rejects when `signal` aborts before `work` has settled; what comes of `work` then is dropped. */
async function endedBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(new Error('The time for this is over.'))
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
