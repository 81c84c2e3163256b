// Records the outcomes of the messages of a consumer: handled events and dead letters. [D49, H7, F11]
// Owns: the counts, and that an outage of the service's own database blocks the partition and does not count as an attempt.
import { describeError, type Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import { isDatabaseBusy, isDatabaseUnavailable } from '@paraph/database/database-failure'
import { failPoint } from '@paraph/testing/fail-point'
import type { ReceivedMessage } from './event-bus.js'
import type { EventMessage, ReceivedEvent } from './event-reader.js'
import { storeDeadLetter } from './inbox.js'

/** Name of a count → its outcome in the metric. */
const OUTCOMES = {
  handled: 'handled',
  duplicates: 'duplicate',
  failures: 'failed',
  deadLetters: 'dead_letter',
} as const

export interface EventOutcomesDeps<Tables> {
  /** Name of the consumer group. */
  name: string
  database: Kysely<Tables>
  /** Called with the events of each commit, duplicates included, to wake those who wait for their rows. Must not throw. */
  afterCommit?: (events: readonly ReceivedEvent[]) => void
  logger: Logger
  /** Called whenever work on a message begins or is tried again, so that waiting does not look like a stall. */
  onActivity: (message: ReceivedMessage) => void
}

export function createEventOutcomes<Tables>(deps: EventOutcomesDeps<Tables>) {
  const { name, database, logger } = deps
  const counts: Record<keyof typeof OUTCOMES, number> = { handled: 0, duplicates: 0, failures: 0, deadLetters: 0 }
  const group = { 'messaging.consumer.group.name': name }

  function record(what: keyof typeof OUTCOMES, events = 1): void {
    counts[what] += events
    if (events > 0) count('paraph.consumer.events', { ...group, 'paraph.outcome': OUTCOMES[what] }, events)
  }

  const placeOf = ({ topic, partition, offset }: ReceivedMessage) => ({ consumer: name, topic, partition, offset })

  /**
   * Repeats `work` with back-off for as long as the database is unavailable or too busy for it.
   * @throws the reason of `signal` when it aborts; any other error of `work`
   */
  async function untilDatabaseAnswers<T>(message: ReceivedMessage, signal: AbortSignal, work: () => Promise<T>) {
    for (let tries = 1; ; tries++) {
      signal.throwIfAborted()
      deps.onActivity(message)
      try {
        return await work()
      } catch (error) {
        const isPassing = error instanceof DatabaseUnavailable || isDatabaseUnavailable(error) || isDatabaseBusy(error)
        if (!isPassing) throw error
        if (tries === 1)
          logger.warn({ ...placeOf(message), err: error }, 'database unavailable; the consumer waits and retries')
      }
      await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
    }
  }

  /**
   * Commits `work`, which handles `events`, and counts them.
   * @returns undefined when it is committed, otherwise the error of the handler
   */
  async function commit(
    events: readonly EventMessage[],
    signal: AbortSignal,
    work: (trx: Transaction<Tables>) => Promise<{ handled: number; duplicates: number }>,
  ): Promise<{ error: unknown } | undefined> {
    const { message } = elementAt(events, 0)
    const outcome = await untilDatabaseAnswers(message, signal, () => runTransaction(database, work))
    if ('error' in outcome) return outcome
    // The inbox row is committed, and the offset on the bus is not: a kill here causes a duplicate delivery.
    failPoint('consume.committed')
    record('handled', outcome.result.handled)
    record('duplicates', outcome.result.duplicates)
    measure('paraph.consumer.delay', (Date.now() - message.publishedAt.getTime()) / 1_000, group)
    deps.afterCommit?.(events.map(({ reading }) => reading.event))
    return undefined
  }

  /** Stores a message as a dead letter. @param reason without personal data */
  async function bury(message: ReceivedMessage, reason: string, attempts: number, signal: AbortSignal): Promise<void> {
    await untilDatabaseAnswers(message, signal, () => storeDeadLetter(database, name, message, reason, attempts))
    record('deadLetters')
    logger.error(
      { ...placeOf(message), attempts, reason },
      'stored a message as a dead letter; redrive it when its cause is fixed',
    )
  }

  return { counts, record, placeOf, commit, bury }
}

class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause })
  }
}

/** @throws DatabaseUnavailable when `work` failed because the database does not answer; any other failure is returned */
async function runTransaction<Tables, T>(
  database: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<{ result: T } | { error: unknown }> {
  try {
    return { result: await database.transaction().execute(work) }
  } catch (error) {
    if (isDatabaseUnavailable(error) || !(await answers(database))) throw new DatabaseUnavailable(error)
    return { error }
  }
}

const answers = (database: QueryExecutorProvider): Promise<boolean> =>
  sql`select 1`.execute(database).then(
    () => true,
    () => false,
  )

/** The storable parts of an error: its class, code and message, but not a message of a database or SMTP server. */
export function reasonOf(error: unknown): string {
  const { type, code, message } = describeError(error)
  return [type, code, message].filter((part) => typeof part === 'string' || typeof part === 'number').join(': ')
}
