// Queues of tasks in tables: seals, evidence tasks, one-time codes, owner mails, unfinished signatures. [D30, D41, D42]
// Owns: the claim with its lease, the retry of a failed task, its trace, and the loop. Does not own: inserting and finishing a row; callers
// do both in their own transactions. Evidence tasks have no lease: one transaction performs a task, and its row lock is the claim, so a
// task is free immediately when its process is killed. Deliveries of mails have a queue of their own, because the number of concurrent
// mails is limited.
import { backOffMs } from '@paraph/background/back-off'
import { createLoop } from '@paraph/background/loop'
import { settleAll } from '@paraph/background/settle-all'
import { pollPauseMs } from '@paraph/background/wake-up'
import { isOver } from '@paraph/database/clock'
import { PLANNED_EACH_TIME } from '@paraph/database/prepared-statements'
import type { Logger } from '@paraph/telemetry/logger'
import { markFailed } from '@paraph/telemetry/trace-context'
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import { continueTrace } from './trace.js'

/** A table of tasks. Names and conditions are our own SQL, never input. */
export interface TaskTable {
  table: string
  key?: 'id' | 'contract_id' | 'object_key'
  /** `column`: the end of a claim, after which any process may claim the row again; `set`: further assignments of a claim. */
  lease?: { column: string; seconds: number; set?: RawBuilder<unknown> }
  /** The condition of open rows. An index has this condition, and `order` as its column. */
  due: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** The maximum number of tasks of one claim, which run concurrently. */
  batch: number
  columns: RawBuilder<unknown>
  /**
   * The back-off of a failed task, in the column `run_after`, whose end is a condition of due rows. Without it, the task waits for the end of
   * its lease. The column is not rounded to milliseconds: a new row could be due only after the next claim.
   */
  retry?: { firstMs: number; maxMs: number; set: (error: unknown) => RawBuilder<unknown> }
}

/** The data that a row carries from the transaction that queued it. */
export interface QueuedTask {
  traceparent: string | null
  ageMs: number
  /** The number of attempts, including this one; for a table with `retry`. */
  attempts?: number
}

/** The columns of `QueuedTask`. */
export const QUEUED_COLUMNS = sql`traceparent, (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs"`

/** The statement that claims due tasks. Concurrent claims share the rows: each skips those that another one locks. */
export function claimTasks<Task>({ table, key = 'id', lease, due, retry, order, batch, columns }: TaskTable) {
  const isDue = retry ? sql`${due} and ${isOver(sql.id('run_after'), retry.maxMs / 1_000)}` : due
  // The condition of evidence tasks compares rows with each other, so its plan must fit their number.
  if (!lease)
    return sql<Task>`
      select ${columns} from ${sql.id(table)} where ${isDue} order by ${order} limit ${batch} ${PLANNED_EACH_TIME}`
  const until = sql.id(lease.column)
  // Twice the length, so that a small step of the clock ends no lease.
  const isFree = sql`(${until} is null or ${isOver(until, 2 * lease.seconds)})`
  const set = lease.set ? sql`, ${lease.set}` : sql``
  // `any(array(...))` runs the subquery once, whatever the plan.
  return sql<Task>`
    update ${sql.id(table)} set ${until} = clock_timestamp() + make_interval(secs => ${lease.seconds})${set}
     where ${sql.id(key)} = any(array(
             select ${sql.id(key)} from ${sql.id(table)} where ${isDue} and ${isFree}
              order by ${order} limit ${batch} for update skip locked))
    returning ${columns}`
}

export interface TaskQueueDeps<Task> {
  database: QueryExecutorProvider
  queue: TaskTable
  span: string
  /** Runs before each claim. */
  prepare?: () => Promise<void>
  subjectOf?: ((task: Task) => string) | undefined
  /** @returns false when another process has the task */
  perform: (task: Task) => Promise<unknown>
  /** Called for each failed task. Without `retry`, not called if every task of a claim failed: then the loop backs off. */
  onFailure: (error: unknown, task: Task, waitMs: number) => void
  /** The log line when rounds begin to fail. */
  failureMessage: string
  logger: Logger
}

/** The loop that performs due tasks; `next` is one round of it. */
export function createTaskQueue<Task extends QueuedTask & { id: string | number }>(deps: TaskQueueDeps<Task>) {
  const { database, queue, span, subjectOf, perform, onFailure } = deps
  const { retry } = queue

  /** @returns true when more tasks may be due @throws the first error when every task failed */
  async function next(): Promise<boolean> {
    await deps.prepare?.()
    const { rows } = await claimTasks<Task>(queue).execute(database)
    let performed = 0
    const count = async (task: Task) => {
      if ((await performTraced(task)) !== false) performed += 1
    }
    await settleAll(rows, count, (error, task) => onFailure(error, task, 1_000 * (queue.lease?.seconds ?? 0)))
    return performed === queue.batch
  }

  const performTraced = (task: Task): Promise<unknown> => {
    const { traceparent, ageMs, attempts = 1 } = task
    const attributes = subjectOf ? { 'paraph.subject': subjectOf(task) } : {}
    return continueTrace({ name: span, attributes, traceparent, ageMs }, async () => {
      try {
        return await perform(task)
      } catch (error) {
        if (!retry) throw error
        markFailed()
        const waitMs = backOffMs(attempts, retry.firstMs, retry.maxMs, Math.random())
        onFailure(error, task, waitMs)
        await sql`
          update ${sql.id(queue.table)}
             set run_after = clock_timestamp() + make_interval(secs => ${waitMs / 1_000}), ${retry.set(error)}
           where ${sql.id(queue.key ?? 'id')} = ${task.id} and done_at is null`.execute(database)
      }
    })
  }

  return { ...createLoop({ ...deps, pauseMs: pollPauseMs, name: queue.table, work: next }), next }
}
