// Handles the events of a batch once: inbox row and the handler's own rows in one transaction. [D49, D51, F9, F11]
// Owns: duplicates, attempts, the trace of each event. Does not own: membership of the group (consumer.ts), recording the outcomes
// (event-outcomes.ts).
import { markFailed } from '@paraph/telemetry/trace-context'
import type { Transaction } from 'kysely'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import { failPoint } from '@paraph/testing/fail-point'
import { createAttempts } from './attempts.js'
import type { ReceivedMessage } from './event-bus.js'
import { createEventOutcomes, reasonOf, type EventOutcomesDeps } from './event-outcomes.js'
import { isEvent, parseMessage, type EventMessage, type ReceivedEvent } from './event-reader.js'
import { enterInbox, takeDeadLetter } from './inbox.js'
import { continueTrace } from './trace.js'

/** The four pauses of a poison message take 8 s at most. A busy database blocks its partition for ten minutes at most. */
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000

export interface EventHandlerDeps<Tables> extends EventOutcomesDeps<Tables> {
  /** Writes rows through `trx` and does nothing else. A rejection rolls them back with the inbox row, and counts as a failed attempt. */
  handle: (trx: Transaction<Tables>, event: ReceivedEvent) => Promise<void>
  /** First pause between attempts; each further one is twice as long. */
  retryFirstMs?: number
}

/** The error that prevented handling a batch together, and the event that caused it, if one did. */
interface Failure {
  culprit: EventMessage | undefined
  error: unknown
}

export function createEventHandler<Tables>(deps: EventHandlerDeps<Tables>) {
  const { name, database, handle, logger, retryFirstMs = RETRY_FIRST_MS } = deps
  const { counts, record, placeOf, commit, bury } = createEventOutcomes(deps)

  /** The handler for EventBus: when the call resolves, every message is handled, a duplicate or a dead letter. */
  async function handleBatch(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<void> {
    failPoint('consume.received')
    const parsed = messages.map(parseMessage)
    for (const { message, reading } of parsed)
      if (reading.kind === 'unknown_type')
        logger.debug(
          { ...placeOf(message), type: reading.type },
          'skipped an event of a type that this version does not know',
        )
    const events = parsed.filter(isEvent)
    let failure: Failure | undefined
    if (events.length > 1 && parsed.every(({ reading }) => reading.kind !== 'unreadable')) {
      failure = await handleTogether(events, signal)
      if (!failure) return
    }
    for (const each of parsed) {
      signal.throwIfAborted()
      if (isEvent(each)) await handleAlone(each, signal, failure?.culprit === each ? failure : undefined)
      else if (each.reading.kind === 'unreadable') await bury(each.message, each.reading.reason, 1, signal)
    }
  }

  /**
   * The common case: one transaction for the whole batch, so that its events share the cost of a transaction.
   * @returns undefined when all events are committed; otherwise the failure, and nothing was written
   */
  async function handleTogether(events: readonly EventMessage[], signal: AbortSignal) {
    let culprit: EventMessage | undefined
    const failed = await commit(events, signal, async (trx) => {
      const counted = await handleFresh(trx, events, (each, work) => {
        culprit = each
        deps.onActivity(each.message)
        return inProcessSpan(name, each, work)
      })
      culprit = undefined
      return counted
    })
    return failed && { culprit, error: failed.error }
  }

  /** Handles one event in a transaction of its own; the last failed attempt makes it a dead letter. @param first a failed first attempt */
  async function handleAlone(event: EventMessage, signal: AbortSignal, first: Failure | undefined): Promise<void> {
    const { message, reading } = event
    await inProcessSpan(name, event, async () => {
      const recordFailure = createAttempts(() => performance.now())
      for (let tries = 1; ; tries++) {
        const failed = tries === 1 && first ? first : await commit([event], signal, (trx) => handleFresh(trx, [event]))
        if (!failed) return
        const { failures, attempts, isCounted, isDead } = recordFailure(failed.error)
        if (isCounted) record('failures')
        markFailed()
        const { id: eventId, type } = reading.event
        const line = { ...placeOf(message), err: failed.error, attempt: attempts, failures, isCounted, eventId, type }
        logger.warn(line, isDead ? 'could not handle an event' : 'could not handle an event; retrying')
        if (isDead) return bury(message, reasonOf(failed.error), attempts, signal)
        await pause(backOffMs(failures, retryFirstMs, RETRY_MAX_MS, Math.random()), signal)
        signal.throwIfAborted()
      }
    })
  }

  /** Handles those of `events` that this consumer has not handled before, once for each id. @param around runs each handler */
  async function handleFresh(
    trx: Transaction<Tables>,
    events: readonly EventMessage[],
    around = (_: EventMessage, work: () => Promise<void>): Promise<void> => work(),
  ) {
    const ids = events.map(({ reading }) => reading.event.id)
    const fresh = await enterInbox(trx, name, ids)
    const handled = fresh.size
    failPoint('consume.entered')
    for (const each of events)
      await around(each, async () => {
        if (fresh.delete(each.reading.event.id)) await handle(trx, each.reading.event)
      })
    failPoint('consume.handled')
    return { handled, duplicates: events.length - handled }
  }

  return {
    handleBatch,
    /** Counts since the start of this process, for metrics and tests. */
    counts: (): Readonly<typeof counts> => ({ ...counts }),
    /**
     * Handles a dead letter again, in one transaction with the record that it was redriven.
     * @returns false when this consumer has no such dead letter, or it was redriven before
     * @throws the error of the handler; the dead letter is then unchanged
     */
    async redrive(deadLetterId: number): Promise<boolean> {
      const redriven = await database.transaction().execute(async (trx) => {
        const message = await takeDeadLetter(trx, name, deadLetterId)
        if (!message) return undefined
        const event = parseMessage(message)
        if (!isEvent(event)) throw new Error('The message is still not readable. Publish a corrected event instead.')
        await inProcessSpan(name, event, () => handleFresh(trx, [event]))
        return event.reading.event
      })
      if (redriven) deps.afterCommit?.([redriven])
      return redriven !== undefined
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
