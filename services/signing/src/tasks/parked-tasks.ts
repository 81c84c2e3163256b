// Parks evidence tasks that keep failing, so that the contract's later tasks go on. A parked task is listed and redriven as a dead letter.
// [D30, D49, F33]
import { isDatabaseBusy, isDatabaseUnavailable } from '@paraph/database/database-failure'
import { reasonOf } from '@paraph/messaging/event-outcomes'
import { storeDeadLetter, takeDeadLetter } from '@paraph/messaging/inbox'
import { sql, type Kysely } from 'kysely'
import type { SigningDatabase } from '../database.js'

/** The consumer of these dead letters. */
export const PARKED = 'evidence'

/**
 * With the pauses between them, these failures take at least a quarter of an hour: longer than the end of a contract waits for a code
 * that is being sent.
 */
const FAILURES_MAX = 40

interface FailedTask {
  id: number
  contractId: string
  type: string
  data: unknown
}

/** Counts a failure of the task itself; an outage of the database does not count. @returns true when the task is parked now */
export async function recordFailure(
  database: Kysely<SigningDatabase>,
  { id, contractId, type, data }: FailedTask,
  error: unknown,
): Promise<boolean> {
  if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) return false
  return database.transaction().execute(async (trx) => {
    const { rows } = await sql<{ parkedAt: Date | null }>`
      update evidence_task
         set failures = failures + 1, parked_at = case when failures + 1 >= ${FAILURES_MAX} then clock_timestamp() end
       where id = ${id} and done_at is null and parked_at is null returning parked_at as "parkedAt"`.execute(trx)
    const parkedAt = rows[0]?.parkedAt
    if (!parkedAt) return false
    const place = { topic: type, partition: 0, offset: String(id), key: contractId, publishedAt: parkedAt }
    const message = { ...place, headers: {}, value: JSON.stringify(data) }
    await storeDeadLetter(trx, PARKED, message, reasonOf(error), FAILURES_MAX)
    return true
  })
}

/**
 * Performs the task of a dead letter again.
 * @param performTask performs an open task by its id; does nothing for a task that is done
 * @returns false when there is no such dead letter, or it was redriven before
 * @throws the error of the task; the dead letter is then unchanged
 */
export async function redriveParked(
  database: Kysely<SigningDatabase>,
  deadLetterId: number,
  performTask: (taskId: number) => Promise<void>,
): Promise<boolean> {
  const { rows } = await sql<{ taskId: number }>`
    select message_offset as "taskId" from dead_letter
     where id = ${deadLetterId} and consumer = ${PARKED} and redriven_at is null`.execute(database)
  if (!rows[0]) return false
  await performTask(rows[0].taskId)
  return (await database.transaction().execute((trx) => takeDeadLetter(trx, PARKED, deadLetterId))) !== undefined
}
