// Sends one claimed delivery: composes the mail from present data, sends it to the SMTP server, records the outcome. [D42, D49, F7, F8]
// Does not own: what is claimed and when (delivery-worker.ts), the circuit breaker (smtp/circuit.ts), final states (finish-delivery.ts).
import { continueTrace } from '@paraph/messaging/trace'
import { withSignal } from '@paraph/protocol/deadline'
import { simulatedActOf } from '@paraph/protocol/simulator'
import { failPoint } from '@paraph/testing/fail-point'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import type { Composed } from '../compose/contract-mail.js'
import { isCode, type ClaimedDelivery } from '../database.js'
import type { DeliveryClaims } from './claim-delivery.js'
import { TIMEOUT, TLS_FAILURE, type Mailer, type SendOutcome } from '../smtp/mailer.js'
import type { Finding, SmtpCircuit } from '../smtp/circuit.js'
import type { MailboxLimit } from './mailbox-limit.js'
import { createRefusalRun } from './refusal-run.js'
import type { OutcomeRecorder } from './record-outcome.js'
import { retryPauseMs, type Delay } from './retry-delay.js'
import type { SendRate } from './token-bucket.js'
import type { Ending, FinishDelivery } from './finish-delivery.js'
import type { TestMailbox } from '../test-mailbox.js'

/**
 * Time limit for data and SMTP together, from the request of the claim. Ends before the claim (42 s), so that no two workers send one mail
 * at the same time. [F7]
 */
const ATTEMPT_MS = 40_000
/** An SMTP server that did not answer for this long counts as silent. */
const SILENCE_MS = 10_000

export interface SendDeliveryDeps {
  claims: Pick<DeliveryClaims, 'reschedule' | 'putBack'>
  finishDelivery: FinishDelivery
  outcomes: Pick<OutcomeRecorder, 'record'>
  circuit: Pick<SmtpCircuit, 'isOpen' | 'record'>
  rate: Pick<SendRate, 'giveBack'>
  mailboxLimit: MailboxLimit
  testMailbox: Pick<TestMailbox, 'keep' | 'sends'>
  mailer: Pick<Mailer, 'send'>
  /** Composes the mail of a delivery from present data; rejects when the data cannot be read. */
  compose: (delivery: ClaimedDelivery, signal: AbortSignal) => Promise<Composed>
  logger: Logger
  /** See retry-delay.ts. */
  retryFirstMs?: number | undefined
  /** Aborts when a stop cancels the mails under way. */
  cancelled: AbortSignal
}

export function createSendDelivery(deps: SendDeliveryDeps) {
  const { claims, finishDelivery, outcomes, circuit, rate, mailboxLimit, mailer, compose, logger, cancelled } = deps
  const { testMailbox } = deps
  const refusals = createRefusalRun()

  /**
   * Sends a delivery and records the outcome. Rejects only when the outcome could not be recorded.
   * @param claimRequestedAtMs the time just before the claim, from which all time limits count
   */
  async function sendDelivery(delivery: ClaimedDelivery, claimRequestedAtMs: number): Promise<void> {
    const leftMs = Math.min(ATTEMPT_MS, delivery.lapsesInMs) - (performance.now() - claimRequestedAtMs)
    await withSignal(Math.max(0, leftMs), (signal) => attempt(delivery, claimRequestedAtMs, signal), cancelled)
  }

  async function attempt(delivery: ClaimedDelivery, claimRequestedAtMs: number, signal: AbortSignal): Promise<void> {
    const { id, kind, contractId, partyIndex, traceparent, ageMs, attempts } = delivery
    const attributes = { ...(contractId === null ? {} : { 'paraph.subject': contractId }), 'paraph.attempt': attempts }
    await continueTrace({ name: `send ${kind} mail`, attributes, traceparent, ageMs }, async () => {
      const logFields = { deliveryId: id, kind, contractId, partyIndex, attempt: attempts }
      let composed: Composed
      try {
        composed = await compose(delivery, signal)
      } catch (error) {
        return reschedule(delivery, 'soon', 'data not readable', (retryInMs) =>
          logger.warn({ ...logFields, err: error, retryInMs }, 'could not read the data of a mail; retrying'),
        )
      }
      if ('skipped' in composed) {
        rate.giveBack(1)
        logger.info({ ...logFields, reason: composed.skipped }, 'skipped a mail that is no longer needed')
        return finish(delivery, { state: 'skipped', why: composed.skipped })
      }
      if ('invalidField' in composed) {
        const { invalidField } = composed
        return reschedule(delivery, 'later', `data breaks the rules: ${invalidField}`, (retryInMs) =>
          logger.error(
            { ...logFields, invalidField, retryInMs },
            'cannot send a mail, because its data is invalid; retrying',
          ),
        )
      }
      const { mail, testOf } = composed
      if (testOf !== undefined) {
        try {
          await testMailbox.keep(delivery, mail, testOf)
        } catch (error) {
          return reschedule(delivery, 'soon', 'not kept for the test mailbox', (retryInMs) =>
            logger.warn(
              { ...logFields, err: error, retryInMs },
              'could not keep a mail of a sandbox contract; retrying',
            ),
          )
        }
        const simulated = simulatedActOf(mail.to.address)
        if (typeof simulated === 'object' && simulated.act === 'refuses') {
          rate.giveBack(1)
          return finish(delivery, { state: 'failed', reason: 'refused', why: 'smtp 550 5.1.1' })
        }
        if (!testMailbox.sends || simulated !== undefined) {
          rate.giveBack(1)
          logger.info(logFields, 'kept a mail of a sandbox contract, and did not send it')
          return finish(delivery, { state: 'accepted' })
        }
      }
      const { address } = mail.to
      const isLimited = contractId !== null && !isCode(kind)
      // A database that is unavailable now does not hold back a mail that is claimed already.
      if (isLimited && !(await mailboxLimit.take(address).catch(() => true))) {
        rate.giveBack(1)
        await mailboxLimit.postpone(delivery, address)
        logger.info(
          { ...logFields, accountId: delivery.accountId },
          'mailbox limit reached; the mail waits for a later hour',
        )
        return countAttempt(delivery, 'put_off')
      }
      const sentAtMs = performance.now()
      const answer = await mailer.send(mail, signal)
      const result = refusals.judge(answer, delivery.accountId, address, sentAtMs)
      if (result.outcome === 'accepted') {
        failPoint('mail.accepted')
        const afterMs = ageMs + (performance.now() - claimRequestedAtMs)
        measure('paraph.email.accept.duration', afterMs / 1_000, { 'paraph.kind': kind })
      }
      // What a run of refusals says, it says now, although other mails of the run got their answer after this one started.
      const foundAtMs = result === answer ? sentAtMs : performance.now()
      // In parallel, because the outcome must not wait for the other writes.
      await Promise.all([
        recordSmtpState(result, foundAtMs),
        recordResult(delivery, result, logFields),
        putBackRefused(refusals.takeEnded()),
        isLimited && isNotAccepted(result) ? mailboxLimit.giveBack(address).catch(() => undefined) : undefined,
      ])
    })
  }

  async function recordResult(delivery: ClaimedDelivery, result: SendOutcome, logFields: object): Promise<void> {
    if (result.outcome === 'accepted') {
      logger.info({ ...logFields, afterMs: Math.round(delivery.ageMs) }, 'SMTP server accepted message')
      return finish(delivery, { state: 'accepted' })
    }
    const { reason } = result
    if (result.outcome === 'refused') {
      logger.error({ ...logFields, reason }, 'SMTP server rejected message permanently; not retried')
      const ended = finish(delivery, { state: 'failed', reason: 'refused', why: reason })
      refusals.remember(delivery, ended)
      return ended
    }
    if (result.outcome === 'unanswered') {
      return reschedule(delivery, 'much_later', `no answer to the text: ${reason}`, (retryInMs) =>
        logger.warn({ ...logFields, reason, retryInMs }, 'SMTP server received message and did not answer; retrying'),
      )
    }
    if (result.outcome === 'blocked') {
      return reschedule(delivery, 'later', reason, (retryInMs) =>
        logger.warn({ ...logFields, reason, retryInMs }, 'SMTP server refuses our mail; retrying'),
      )
    }
    // Each mail has its own pause even while the circuit is open, because a mail that breaks the server must not stay first in the queue.
    return reschedule(delivery, circuit.isOpen() ? 'soon' : 'later', reason, (retryInMs) =>
      logger.warn({ ...logFields, reason, retryInMs }, 'SMTP server did not accept message; retrying'),
    )
  }

  /** Makes the mails due again that were refused before the run showed that the server refuses everybody. */
  async function putBackRefused(refused: ReturnType<typeof refusals.takeEnded>): Promise<void> {
    if (refused.length === 0) return
    await Promise.all(
      refused.map(async ({ delivery, ended }) => {
        try {
          await ended.catch(() => undefined)
          const waitMs = retryPauseMs(delivery, 'soon', Math.random(), deps.retryFirstMs)
          await outcomes.record(delivery, () => claims.putBack(delivery, waitMs))
        } catch (error) {
          const logFields = { err: error, deliveryId: delivery.id }
          logger.warn(logFields, 'could not put a refused mail back into the queue; paraph mail retry does it')
        }
      }),
    )
    logger.error({ mails: refused.length }, 'SMTP server refuses one recipient after another; their mails wait')
  }

  async function reschedule(
    delivery: ClaimedDelivery,
    delay: Delay,
    reason: string,
    log: (retryInMs: number) => void,
  ): Promise<void> {
    const waitMs = retryPauseMs(delivery, delay, Math.random(), deps.retryFirstMs)
    log(waitMs)
    await outcomes.record(delivery, () => claims.reschedule(delivery, waitMs, reason))
    countAttempt(delivery, delay === 'much_later' ? 'unanswered' : 'put_off')
  }

  async function finish(delivery: ClaimedDelivery, ending: Ending): Promise<void> {
    await outcomes.record(delivery, () => finishDelivery(delivery, ending))
    countAttempt(delivery, ending.state === 'failed' ? ending.reason : ending.state)
  }

  async function recordSmtpState(result: SendOutcome, sentAtMs: number): Promise<void> {
    const [finding, reason] = [findingOf(result), result.outcome === 'accepted' ? '' : result.reason]
    // A stop or the expiry of a code ended the attempt early, which proves nothing about the SMTP server.
    if (finding === 'silent' && (cancelled.aborted || performance.now() - sentAtMs < SILENCE_MS)) return
    try {
      const change = await circuit.record(finding, sentAtMs, reason)
      const why = reason.startsWith(TLS_FAILURE) ? ': TLS or certificate failed' : ''
      if (change === 'opened') logger.error({ reason }, `SMTP server unavailable${why}; mails wait`)
      if (change === 'closed') logger.info('SMTP server available again')
    } catch (error) {
      logger.warn({ err: error }, 'could not share the state of the SMTP circuit breaker with the other replicas')
    }
  }

  return sendDelivery
}

/** True unless the server accepted the mail, or may have. */
const isNotAccepted = ({ outcome }: SendOutcome): boolean => outcome !== 'accepted' && outcome !== 'unanswered'

/** Counts an attempt by its outcome. */
export const countAttempt = ({ kind }: ClaimedDelivery, outcome: string): void =>
  count('paraph.email.attempts', { 'paraph.kind': kind, 'paraph.outcome': outcome })

/** Derives the finding about the SMTP server from the outcome of one mail. */
function findingOf(result: SendOutcome): Finding {
  if (result.outcome === 'unavailable') return 'unavailable'
  if (result.outcome === 'unanswered') return result.reason === TIMEOUT ? 'silent' : 'unavailable'
  return result.outcome === 'silent' ? 'silent' : 'answered'
}
