// Handles the events of a batch once: inbox row and the handler's own rows in one transaction. [D49, D51, F9, F11]
// Owns: duplicates, attempts, dead letters, the trace of each event. Does not own: membership of the group (consumer.ts).
import { describeError, type Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { markFailed } from '@paraph/telemetry/trace-context'
import type { Kysely, Transaction } from 'kysely'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import { failPoint } from '@paraph/testing/fail-point'
import type { ReceivedMessage } from './event-bus.js'
import { readEvent, type ReceivedEvent } from './event-reader.js'
import { enterInbox, storeDeadLetter, takeDeadLetter } from './inbox.js'
import { runTransaction, untilDatabaseAnswers, type OutageOptions } from './own-database.js'
import { isEvent, parseMessages, type EventMessage } from './parse-messages.js'
import { continueTrace } from './trace.js'

const ATTEMPTS_MAX = 5
/** Four pauses, 23 s at most: with the statement time-out, a poison message blocks its partition for less than two minutes. */
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000

/** What is counted → the outcome in the metric. */
const OUTCOMES = {
  handled: 'handled',
  duplicates: 'duplicate',
  failures: 'failed',
  deadLetters: 'dead_letter',
} as const

export interface EventHandlerDeps<Tables> {
  /** Of the consumer group. */
  name: string
  database: Kysely<Tables>
  /** Writes rows through `trx` and does nothing else. A rejection rolls them back with the inbox row, and counts as a failed attempt. */
  handle: (trx: Transaction<Tables>, event: ReceivedEvent) => Promise<void>
  /** Wakes the worker of the written rows. Must not throw. */
  afterCommit?: () => void
  logger: Logger
  /** First pause between attempts; each further one is twice as long. */
  retryFirstMs?: number
}

/** Why a batch could not be handled together, and the event that caused it, where one did. */
interface Failure {
  culprit: EventMessage | undefined
  error: unknown
}

const NOT_TRIED: Failure = { culprit: undefined, error: undefined }

interface Counted {
  handled: number
  duplicates: number
}

/** @param onActivity called whenever work on a message begins or is tried again, so that waiting does not look like a stall */
export function createEventHandler<Tables>(
  {
    name,
    database,
    handle,
    afterCommit = () => undefined,
    logger,
    retryFirstMs = RETRY_FIRST_MS,
  }: EventHandlerDeps<Tables>,
  onActivity: (message: ReceivedMessage) => void,
) {
  const counts: Record<keyof typeof OUTCOMES, number> = { handled: 0, duplicates: 0, failures: 0, deadLetters: 0 }
  const group = { 'messaging.consumer.group.name': name }

  function record(what: keyof typeof OUTCOMES, events = 1): void {
    counts[what] += events
    if (events > 0) count('paraph.consumer.events', { ...group, 'paraph.outcome': OUTCOMES[what] }, events)
  }

  const placeOf = ({ topic, partition, offset }: ReceivedMessage) => ({ consumer: name, topic, partition, offset })

  /** What EventBus expects of a handler: resolved, every message is handled, a duplicate or a dead letter. */
  async function handleBatch(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<void> {
    failPoint('consume.received')
    const parsed = parseMessages(messages, (message, type) =>
      logger.debug({ ...placeOf(message), type }, 'skipped an event of a type that this version does not know'),
    )
    const events = parsed.filter(isEvent)
    const canGoTogether = events.length > 1 && events.length === parsed.length
    const failure = canGoTogether ? await handleTogether(events, signal) : NOT_TRIED
    if (!failure) return
    for (const each of parsed) {
      signal.throwIfAborted()
      if (isEvent(each)) await handleAlone(each, signal, failure.culprit === each ? [failure.error] : [])
      else await bury(each.message, each.reading.reason, 1, signal)
    }
  }

  /**
   * The common case: one transaction for the whole batch, so that an event costs no more than its own rows.
   * @returns undefined when all are committed; otherwise nothing was written, and the failure
   */
  async function handleTogether(events: readonly EventMessage[], signal: AbortSignal): Promise<Failure | undefined> {
    let current: EventMessage | undefined
    const failed = await commit(events[0]!.message, signal, async (trx) => {
      const ids = events.map(({ reading }) => reading.event.id)
      const fresh = await enterInbox(trx, name, ids)
      failPoint('consume.entered')
      const handled = fresh.size
      for (const each of events) {
        current = each
        onActivity(each.message)
        // The first of two copies in one batch is handled.
        await inProcessSpan(name, each, async () => {
          if (fresh.delete(each.reading.event.id)) await handle(trx, each.reading.event)
        })
      }
      current = undefined
      failPoint('consume.handled')
      return { handled, duplicates: events.length - handled }
    })
    return failed && { culprit: current, error: failed.error }
  }

  /** Handles one event in a transaction of its own; the last failed attempt makes it a dead letter. @param errors of earlier attempts */
  async function handleAlone(event: EventMessage, signal: AbortSignal, errors: unknown[]): Promise<void> {
    const { message, reading } = event
    await inProcessSpan(name, event, async () => {
      for (let attempt = 1; ; attempt++) {
        const failed =
          attempt <= errors.length
            ? { error: errors[attempt - 1] }
            : await commit(message, signal, async (trx) => {
                const handled = (await handleOnce(trx, reading.event)) ? 1 : 0
                return { handled, duplicates: 1 - handled }
              })
        if (!failed) return
        record('failures')
        markFailed()
        const { id: eventId, type } = reading.event
        logger.warn({ ...placeOf(message), err: failed.error, attempt, eventId, type }, 'could not handle an event')
        if (attempt === ATTEMPTS_MAX) return bury(message, reasonOf(failed.error), attempt, signal)
        await pause(backOffMs(attempt, retryFirstMs, RETRY_MAX_MS, Math.random()), signal)
        signal.throwIfAborted()
      }
    })
  }

  /** Commits `work` and counts its events. @returns undefined when it is committed, otherwise the error of the handler */
  async function commit(
    message: ReceivedMessage,
    signal: AbortSignal,
    work: (trx: Transaction<Tables>) => Promise<Counted>,
  ): Promise<{ error: unknown } | undefined> {
    const outcome = await untilDatabaseAnswers(blocking(message, signal), () => runTransaction(database, work))
    if ('error' in outcome) return outcome
    // Before the position is committed on the bus: a message that comes again has its inbox row.
    failPoint('consume.committed')
    const { handled, duplicates } = outcome.result
    record('handled', handled)
    record('duplicates', duplicates)
    measure('paraph.consumer.delay', (Date.now() - message.publishedAt.getTime()) / 1_000, group)
    afterCommit()
    return undefined
  }

  /** @returns false for an event that was handled before */
  async function handleOnce(trx: Transaction<Tables>, event: ReceivedEvent): Promise<boolean> {
    const isFresh = (await enterInbox(trx, name, [event.id])).size === 1
    failPoint('consume.entered')
    if (isFresh) await handle(trx, event)
    failPoint('consume.handled')
    return isFresh
  }

  async function bury(message: ReceivedMessage, reason: string, attempts: number, signal: AbortSignal): Promise<void> {
    await untilDatabaseAnswers(blocking(message, signal), () =>
      storeDeadLetter(database, name, message, reason, attempts),
    )
    record('deadLetters')
    logger.error(
      { ...placeOf(message), attempts, reason },
      'stored a message as a dead letter; redrive it when its cause is fixed',
    )
  }

  /** An outage of the own database blocks the partition and counts as no attempt. */
  const blocking = (message: ReceivedMessage, signal: AbortSignal): OutageOptions => ({
    signal,
    onTry: () => onActivity(message),
    onUnavailable: (error) =>
      logger.warn({ ...placeOf(message), err: error }, 'database unavailable; the partition waits until it answers'),
  })

  return {
    handleBatch,
    /** Since the start of this process, for metrics and tests. */
    counts: (): Readonly<typeof counts> => ({ ...counts }),
    /**
     * Handles a dead letter again, in one transaction with the record that it was redriven.
     * @returns false when this consumer has no such dead letter, or it was redriven before
     * @throws the error of the handler; the dead letter is then unchanged
     */
    async redrive(deadLetterId: number): Promise<boolean> {
      const isRedriven = await database.transaction().execute(async (trx) => {
        const message = await takeDeadLetter(trx, name, deadLetterId)
        if (!message) return false
        const reading = readEvent(message.value)
        if (reading.kind !== 'event')
          throw new Error('The message is still not readable. Publish a corrected event instead.')
        await inProcessSpan(name, { message, reading }, () => handleOnce(trx, reading.event))
        return true
      })
      if (isRedriven) afterCommit()
      return isRedriven
    },
  }
}

function inProcessSpan<T>(group: string, { message, reading }: EventMessage, work: () => Promise<T>): Promise<T> {
  const { topic, publishedAt } = message
  const attributes = {
    'messaging.operation.name': 'process',
    'messaging.destination.name': topic,
    'messaging.consumer.group.name': group,
    'paraph.subject': reading.event.subject,
  }
  const ageMs = Date.now() - publishedAt.getTime()
  return continueTrace({ name: `process ${topic}`, attributes, traceparent: reading.traceparent, ageMs }, work)
}

/** What may be stored of a failure: its kind, code and own message, not what a database or mail server quoted. */
export function reasonOf(error: unknown): string {
  const { type, code, message } = describeError(error)
  return [type, code, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}
