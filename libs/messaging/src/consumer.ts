// Handles events once, above any bus: inbox row and the handler's own rows in one transaction. [D49, D51, F9, F11]
// Owns: reading, duplicates, attempts, dead letters, the trace. A handler only writes rows; calls to others are for workers.
import type { Topic } from '@paraph/protocol/events'
import { describeError, type Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { markFailed } from '@paraph/telemetry/trace-context'
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/service/back-off'
import { within } from '@paraph/service/deadline'
import { failPoint } from '@paraph/service/fail-point'
import { isDatabaseAway } from '@paraph/database/database-failure'
import type { Backlog, EventBus, PartitionProgress, ReceivedMessage, Subscription } from './event-bus.js'
import { readEvent, type ReceivedEvent } from './event-reader.js'
import { enterInbox, keepDeadLetter, takeDeadLetter } from './inbox.js'
import { isEvent, readLetters, type EventLetter, type Letter } from './letters.js'
import { continueTrace } from './trace.js'
import { pause } from '@paraph/service/wake-up'

const ATTEMPTS_MAX = 5
/** Four pauses, 23 s at most: with the statement time-out a poison message holds its partition for under two minutes. */
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
/** Less than an operator's call may take. */
const BACKLOG_MS_MAX = 3_000

/** Why a batch was not handled together, and at which event, where one is to blame. */
interface Failure {
  letter: EventLetter | undefined
  error: unknown
}

const NOT_TRIED: Failure = { letter: undefined, error: undefined }

/**
 * Handles the events of `topics` as a member of the group `name`, from `start` to `stop`.
 * @param handle writes rows through `trx` and nothing else; rejecting rolls them back with the inbox row, and counts as a failure
 * @param afterCommit wakes the worker of those rows; must not throw
 * @param retryFirstMs first pause between attempts, doubling
 */
export function createConsumer<Tables>({
  name,
  topics,
  bus,
  database,
  handle,
  afterCommit = () => undefined,
  logger,
  retryFirstMs = RETRY_FIRST_MS,
}: {
  name: string
  topics: readonly Topic[]
  bus: Pick<EventBus, 'subscribe' | 'backlog'>
  database: Kysely<Tables>
  handle: (trx: Transaction<Tables>, event: ReceivedEvent) => Promise<void>
  afterCommit?: () => void
  logger: Logger
  retryFirstMs?: number
}) {
  /** Topic and partition → when something last happened there, on the process's monotonic clock. */
  const activeAtMs = new Map<string, number>()
  const counts = { handled: 0, duplicates: 0, failures: 0, deadLetters: 0 }
  const group = { 'messaging.consumer.group.name': name }
  const joined = Promise.withResolvers<void>()
  let subscription: Subscription | undefined

  async function receive(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<void> {
    failPoint('consume.received')
    const letters = readLetters(messages, (message, type) =>
      logger.debug({ ...placeOf(message), type }, 'an event of a type this version does not know was passed over'),
    )
    const events = letters.filter(isEvent)
    const goTogether = events.length > 1 && events.length === letters.length
    const failure = goTogether ? await handleTogether(events, signal) : NOT_TRIED
    if (failure) await handleOneByOne(letters, failure, signal)
  }

  /**
   * The common case: one transaction for all of them, so that what an event costs is its own rows.
   * @returns undefined when all are done; else nothing was written, and which one failed
   */
  async function handleTogether(letters: readonly EventLetter[], signal: AbortSignal): Promise<Failure | undefined> {
    let inHand: EventLetter | undefined
    const failed = await settle(letters[0]?.message, signal, async (trx) => {
      const fresh = await enterInbox(
        trx,
        name,
        letters.map(({ reading }) => reading.event.id),
      )
      failPoint('consume.entered')
      const handled = fresh.size
      for (const letter of letters) {
        inHand = letter
        moved(letter.message)
        // An event that stands in the batch twice is handled where it comes first.
        await inSpan(letter, async () => {
          if (fresh.delete(letter.reading.event.id)) await handle(trx, letter.reading.event)
        })
      }
      inHand = undefined
      failPoint('consume.handled')
      return { handled, duplicates: letters.length - handled }
    })
    return failed && { letter: inHand, error: failed.error }
  }

  async function handleOneByOne(letters: readonly Letter[], failure: Failure, signal: AbortSignal): Promise<void> {
    for (const letter of letters) {
      signal.throwIfAborted()
      if (isEvent(letter)) await handleAlone(letter, signal, failure.letter === letter ? [failure.error] : [])
      else await bury(letter.message, letter.reading.reason, 1, signal)
    }
  }

  /** One event in a transaction of its own, up to the dead letter. @param errors of the attempts that it has had */
  async function handleAlone(letter: EventLetter, signal: AbortSignal, errors: unknown[]): Promise<void> {
    const { message, reading } = letter
    const { id, type } = reading.event
    await inSpan(letter, async () => {
      for (let attempt = 1; ; attempt++) {
        const failed =
          attempt <= errors.length
            ? { error: errors[attempt - 1] }
            : await settle(message, signal, async (trx) => {
                const handled = (await once(trx, reading.event)) ? 1 : 0
                return { handled, duplicates: 1 - handled }
              })
        if (!failed) return
        counts.failures += 1
        tell('failed', 1)
        markFailed()
        logger.warn({ ...placeOf(message), err: failed.error, attempt, eventId: id, type }, 'an event was not handled')
        if (attempt === ATTEMPTS_MAX) return bury(message, reasonOf(failed.error), attempt, signal)
        await pause(backOffMs(attempt, retryFirstMs, RETRY_MAX_MS, Math.random()), signal)
        signal.throwIfAborted()
      }
    })
  }

  /** Commits `work` and counts it. @returns undefined when it is committed, else what the handler failed with */
  async function settle(
    message: ReceivedMessage | undefined,
    signal: AbortSignal,
    work: (trx: Transaction<Tables>) => Promise<{ handled: number; duplicates: number }>,
  ): Promise<{ error: unknown } | undefined> {
    return untilDatabaseAnswers(message, signal, async () => {
      try {
        const { handled, duplicates } = await database.transaction().execute(work)
        // Before the bus is told: what comes again is known by its inbox row.
        failPoint('consume.committed')
        counts.handled += handled
        counts.duplicates += duplicates
        tell('handled', handled)
        tell('duplicate', duplicates)
        if (message) measure('paraph.consumer.delay', (Date.now() - message.publishedAt.getTime()) / 1_000, group)
      } catch (error) {
        if (isDatabaseAway(error) || !(await answers())) throw new DatabaseAway(error)
        return { error }
      }
      afterCommit()
      return undefined
    })
  }

  /** False for an event that was handled before. */
  async function once(trx: Transaction<Tables>, event: ReceivedEvent): Promise<boolean> {
    const fresh = (await enterInbox(trx, name, [event.id])).size === 1
    failPoint('consume.entered')
    if (fresh) await handle(trx, event)
    failPoint('consume.handled')
    return fresh
  }

  function inSpan<T>({ message, reading }: EventLetter, work: () => Promise<T>): Promise<T> {
    const { topic, publishedAt } = message
    const { event, traceparent } = reading
    const attributes = {
      'messaging.operation.name': 'process',
      'messaging.destination.name': topic,
      'messaging.consumer.group.name': name,
      'paraph.subject': event.subject,
    }
    return continueTrace(
      { name: `process ${topic}`, attributes, traceparent, ageMs: Date.now() - publishedAt.getTime() },
      work,
    )
  }

  const tell = (outcome: string, events: number): void => {
    if (events > 0) count('paraph.consumer.events', { ...group, 'paraph.outcome': outcome }, events)
  }

  const placeOf = ({ topic, partition, offset }: ReceivedMessage) => ({ consumer: name, topic, partition, offset })

  const moved = ({ topic, partition }: ReceivedMessage): void =>
    void activeAtMs.set(`${topic}/${partition}`, performance.now())

  async function bury(message: ReceivedMessage, reason: string, attempts: number, signal: AbortSignal): Promise<void> {
    await untilDatabaseAnswers(message, signal, () => keepDeadLetter(database, name, message, reason, attempts))
    counts.deadLetters += 1
    tell('dead_letter', 1)
    logger.error({ ...placeOf(message), attempts, reason }, 'a message became a dead letter')
  }

  /** Pauses this partition while the service's own database is away: that is nobody's fault and no try. */
  async function untilDatabaseAnswers<T>(
    message: ReceivedMessage | undefined,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      if (message) moved(message)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof DatabaseAway) && !isDatabaseAway(error)) throw error
        if (tries === 1) logger.warn({ err: error, consumer: name }, 'the consumer waits for its own database')
      }
      await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
    }
  }

  async function answers(): Promise<boolean> {
    try {
      await sql`select 1`.execute(database)
      return true
    } catch {
      return false
    }
  }

  return {
    name,
    start(): void {
      subscription ??= bus.subscribe({ group: name, topics, handle: receive })
      void subscription.joined.then(joined.resolve)
    },
    /** Resolves once the group was joined for the first time. */
    joined: joined.promise,
    async stop(): Promise<void> {
      await subscription?.stop()
    },
    /** Since the start of this process, for metrics and tests. */
    counts: (): Readonly<typeof counts> => ({ ...counts }),
    /** As the bus's, but waiting for the own database or for the next attempt is not standing still. [H7, H9] */
    progress(): PartitionProgress[] {
      const nowMs = performance.now()
      return (subscription?.progress() ?? []).map((entry) => {
        const activeMs = activeAtMs.get(`${entry.topic}/${entry.partition}`)
        return activeMs === undefined
          ? entry
          : { ...entry, unmovedMs: Math.min(entry.unmovedMs, Math.round(nowMs - activeMs)) }
      })
    },
    /** What waits for the whole group, not only for this process. Undefined: the bus did not say in time. */
    async backlog(): Promise<Backlog[] | undefined> {
      try {
        return await within(BACKLOG_MS_MAX, bus.backlog(name, topics))
      } catch {
        return undefined
      }
    },
    /**
     * Hands a dead letter to the handler once more, in one transaction with the note that it was.
     * @returns false when there is no such letter of this consumer, or it was redriven before
     * @throws what the handler throws; the letter then stays as it is
     */
    async redrive(deadLetterId: number): Promise<boolean> {
      const isRedriven = await database.transaction().execute(async (trx) => {
        const message = await takeDeadLetter(trx, name, deadLetterId)
        if (!message) return false
        const reading = readEvent(message.value)
        if (reading.kind !== 'event')
          throw new Error('The message is still not readable. Publish a corrected event instead.')
        await inSpan({ message, reading }, () => once(trx, reading.event))
        return true
      })
      if (isRedriven) afterCommit()
      return isRedriven
    },
  }
}

export type Consumer = ReturnType<typeof createConsumer>

/** True when a partition has had work and not moved for `limitMs`: the one reason to end the process. [H9] */
export function isStalled(progress: readonly PartitionProgress[], limitMs: number): boolean {
  return progress.some((entry) => entry.behind && entry.unmovedMs > limitMs)
}

class DatabaseAway extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause })
  }
}

/** What may be kept of a failure: its kind, code and own message, not what a database or mail server quoted. */
export function reasonOf(error: unknown): string {
  const { type, code, message } = describeError(error)
  return [type, code, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}
