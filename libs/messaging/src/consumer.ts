// Handles events once, above any bus: inbox row and the handler's own rows in one transaction. [D49, D51, F9, F11]
// Owns: reading, duplicates, attempts, dead letters, the trace. A handler only writes rows; calls to others are for workers.
import type { Topic } from '@paraph/protocol/events'
import { describeError, type Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/service/back-off'
import { isDatabaseAway } from '@paraph/database/database-failure'
import type { EventBus, PartitionProgress, ReceivedMessage, Subscription } from './event-bus.js'
import { readEvent, type ReceivedEvent } from './event-reader.js'
import { enterInbox, keepDeadLetter, pruneInbox, takeDeadLetter } from './inbox.js'
import { continueTrace } from './trace.js'
import { pause } from '@paraph/service/wake-up'

const ATTEMPTS_MAX = 5
/** Four pauses, 23 s at most: with the statement time-out a poison message holds its partition for under two minutes. */
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 15_000
const PRUNE_EVERY_MS = 600_000
/** Longer than any bus keeps a message. */
const INBOX_RETENTION_DAYS = 45

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
  bus: Pick<EventBus, 'subscribe'>
  database: Kysely<Tables>
  handle: (trx: Transaction<Tables>, event: ReceivedEvent) => Promise<void>
  afterCommit?: () => void
  logger: Logger
  retryFirstMs?: number
}) {
  /** Topic and partition → when something last happened there, on the process's monotonic clock. */
  const activeAtMs = new Map<string, number>()
  const counts = { handled: 0, duplicates: 0, failures: 0, deadLetters: 0 }
  const joined = Promise.withResolvers<void>()
  let subscription: Subscription | undefined
  let prunedAtMs = performance.now()

  async function receive(message: ReceivedMessage, signal: AbortSignal): Promise<void> {
    const reading = readEvent(message.value)
    const where = { consumer: name, topic: message.topic, partition: message.partition, offset: message.offset }
    if (reading.kind === 'unknown_type') {
      logger.debug({ ...where, type: reading.type }, 'an event of a type this version does not know was passed over')
      return
    }
    if (reading.kind === 'unreadable') {
      await untilDatabaseAnswers(message, signal, () => bury(message, reading.reason, 1))
      return
    }
    const { event, traceparent } = reading
    const span = {
      name: `process ${message.topic}`,
      attributes: {
        'messaging.operation.name': 'process',
        'messaging.destination.name': message.topic,
        'messaging.consumer.group.name': name,
      },
      traceparent,
      ageMs: Date.now() - message.publishedAt.getTime(),
    }
    await continueTrace(span, async () => {
      for (let attempt = 1; ; attempt++) {
        let failure: unknown
        await untilDatabaseAnswers(message, signal, async () => {
          failure = undefined
          try {
            count(await database.transaction().execute((trx) => once(trx, event)))
            afterCommit()
          } catch (error) {
            if (isDatabaseAway(error) || !(await answers())) throw new DatabaseAway(error)
            failure = error ?? new Error('The handler rejected without a reason.')
          }
        })
        if (failure === undefined) return
        counts.failures += 1
        logger.warn(
          { ...where, err: failure, attempt, eventId: event.id, type: event.type },
          'an event was not handled',
        )
        if (attempt === ATTEMPTS_MAX) {
          const reason = reasonOf(failure)
          await untilDatabaseAnswers(message, signal, () => bury(message, reason, attempt))
          return
        }
        await pause(backOffMs(attempt, retryFirstMs, RETRY_MAX_MS, Math.random()), signal)
        signal.throwIfAborted()
      }
    })
    await prune(signal)
  }

  /** False for an event that was handled before. */
  async function once(trx: Transaction<Tables>, event: ReceivedEvent): Promise<boolean> {
    if (!(await enterInbox(trx, name, event.id))) return false
    await handle(trx, event)
    return true
  }

  function count(fresh: boolean): void {
    if (fresh) counts.handled += 1
    else counts.duplicates += 1
  }

  async function bury(message: ReceivedMessage, reason: string, attempts: number): Promise<void> {
    await keepDeadLetter(database, name, message, reason, attempts)
    counts.deadLetters += 1
    const { topic, partition, offset } = message
    logger.error({ consumer: name, topic, partition, offset, attempts, reason }, 'a message became a dead letter')
  }

  /** Pauses this partition while the service's own database is away: that is nobody's fault and no try. */
  async function untilDatabaseAnswers(
    message: ReceivedMessage,
    signal: AbortSignal,
    work: () => Promise<void>,
  ): Promise<void> {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      activeAtMs.set(`${message.topic}/${message.partition}`, performance.now())
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

  async function prune(signal: AbortSignal): Promise<void> {
    if (performance.now() - prunedAtMs < PRUNE_EVERY_MS) return
    prunedAtMs = performance.now()
    await pruneInbox(database, INBOX_RETENTION_DAYS, signal).catch((error: unknown) =>
      logger.warn({ err: error, consumer: name }, 'old inbox rows were not deleted'),
    )
  }

  return {
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
    /**
     * Hands a dead letter to the handler once more, in one transaction with the note that it was.
     * @returns false when there is no such letter of this consumer, or it was redriven before
     * @throws what the handler throws; the letter then stays as it is
     */
    async redrive(deadLetterId: number): Promise<boolean> {
      return database.transaction().execute(async (trx) => {
        const message = await takeDeadLetter(trx, name, deadLetterId)
        if (!message) return false
        const reading = readEvent(message.value)
        if (reading.kind !== 'event')
          throw new Error('The message is still not readable. Publish a corrected event instead.')
        await once(trx, reading.event)
        return true
      })
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
function reasonOf(error: unknown): string {
  const { type, code, message } = describeError(error)
  return [type, code, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}
