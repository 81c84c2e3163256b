// Keeps an outage of the service's own database apart from an event that cannot be handled. [D49, H7]
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import { isDatabaseUnavailable } from '@paraph/database/database-failure'

class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database does not answer.', { cause })
  }
}

/** @throws DatabaseUnavailable when `work` failed because the database does not answer; any other failure is returned */
export async function runTransaction<Tables, T>(
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

export interface OutageOptions {
  signal: AbortSignal
  /** Called before each try. */
  onTry: () => void
  /** Called once per outage. */
  onUnavailable: (error: unknown) => void
}

/**
 * Repeats `work` with back-off for as long as the database is unavailable.
 * @throws the reason of `signal` when it aborts; any other error of `work`
 */
export async function untilDatabaseAnswers<T>(
  { signal, onTry, onUnavailable }: OutageOptions,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    onTry()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) && !isDatabaseUnavailable(error)) throw error
      if (tries === 1) onUnavailable(error)
    }
    await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
  }
}

const answers = <Tables>(database: Kysely<Tables>): Promise<boolean> =>
  sql`select 1`.execute(database).then(
    () => true,
    () => false,
  )
