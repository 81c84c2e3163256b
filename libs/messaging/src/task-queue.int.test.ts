import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { claimTasks, createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from './task-queue.js'

interface Task extends QueuedTask {
  id: number
}

let clone: TestDatabase
let database: Kysely<unknown>
beforeAll(async () => {
  clone = await cloneTestDatabase('contract')
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query(`create table task (
      id integer primary key, attempts integer not null default 0, reason text, traceparent text,
      created_at timestamptz not null default clock_timestamp(), run_after timestamptz not null default clock_timestamp(),
      leased_until timestamptz, done_at timestamptz)`)
    await owner.query('create index task_waiting on task (created_at) where done_at is null')
  })
  database = createDatabase<unknown>(openPool(clone.url, { warn: () => undefined }))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})
beforeEach(async () => {
  await withClient(clone.ownerUrl, (owner) => owner.query('truncate task'))
  await sql`insert into task (id) select generate_series(1, 4)`.execute(database)
})

const LEASED: TaskTable = {
  table: 'task',
  lease: { column: 'leased_until', seconds: 30, set: sql`attempts = attempts + 1` },
  due: sql`done_at is null`,
  order: sql`created_at`,
  batch: 3,
  columns: sql`id, attempts, ${QUEUED_COLUMNS}`,
}
const RETRIED: TaskTable = {
  ...LEASED,
  batch: 1,
  retry: {
    firstMs: 60_000,
    maxMs: 60_000,
    set: (error) => sql`leased_until = null, reason = ${(error as Error).message}`,
  },
}

const finish = ({ id }: Task) => sql`update task set done_at = clock_timestamp() where id = ${id}`.execute(database)
const passed = (column: string) => setTo(column, -1)
const setTo = (column: string, seconds: number) =>
  sql`update task set ${sql.id(column)} = clock_timestamp() + make_interval(secs => ${seconds})`.execute(database)

const failures: number[] = []
const worker = (queue: TaskTable, perform: (task: Task) => Promise<unknown>) =>
  createTaskQueue<Task>({
    database,
    queue,
    span: 'test',
    perform,
    onFailure: (_error, { id }) => failures.push(id),
    failureMessage: 'a round failed',
    logger: createLogger('contract', 'silent'),
  })
beforeEach(() => void failures.splice(0))

it('the queue gives each task to one of many concurrent workers, and reports whether more may be due [F16]', async () => {
  await sql`insert into task (id) select generate_series(5, 60)`.execute(database)
  const performed: number[] = []
  const drain = async () => {
    const { next } = worker(LEASED, async (task) => {
      performed.push(task.id)
      await finish(task)
    })
    while (await next());
  }
  await Promise.all(Array.from({ length: 6 }, drain))
  await drain()
  expect(performed.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
})

it('the queue gives the tasks of a killed worker to another worker after the lease [F16]', async () => {
  const claimed = Promise.withResolvers<void>()
  const hang = () => {
    claimed.resolve()
    return new Promise(() => undefined)
  }
  void worker(LEASED, hang).next()
  await claimed.promise
  const seen: (number | undefined)[] = []
  const other = worker(LEASED, async ({ attempts }) => void seen.push(attempts))
  await other.next()
  expect(seen).toEqual([1])
  await passed('leased_until')
  await other.next()
  expect(seen.slice(1)).toContain(2)
})

it('the queue reports failed tasks, and rejects only when all tasks of a claim failed', async () => {
  const failing = (ids: number[]) =>
    worker(LEASED, async ({ id }) => {
      if (ids.includes(id)) throw new Error(`task ${id}`)
    })
  expect(await failing([2]).next()).toBe(false)
  expect(failures).toEqual([2])
  await passed('leased_until')
  await expect(failing([1, 2, 3, 4]).next()).rejects.toThrow('task')
  expect(failures).toEqual([2])
})

it('the queue reschedules a failed task with back-off and continues with the next one', async () => {
  const seen: number[] = []
  const { next } = worker(RETRIED, async (task) => {
    seen.push(task.id)
    if (task.id === 1 && task.attempts === 1) throw new Error('not yet')
    await finish(task)
  })
  while (await next());
  expect([seen, failures]).toEqual([[1, 2, 3, 4], [1]])
  const { rows } = await sql`select reason, leased_until from task where id = 1`.execute(database)
  expect(rows).toEqual([{ reason: 'not yet', leased_until: null }])
  await passed('run_after')
  await next()
  expect(seen).toEqual([1, 2, 3, 4, 1])
})

it.each([
  ['pause', 'run_after', 59, 61],
  ['lease', 'leased_until', 59, 61],
])(
  'a %s ends, when the clock was set back, instead of lasting as long as the step [F32]',
  async (_, column, within, beyond) => {
    const claim = async () => (await claimTasks<Task>(RETRIED).execute(database)).rows.length
    await setTo(column, within)
    expect(await claim()).toBe(0)
    await setTo(column, beyond)
    expect(await claim()).toBe(1)
  },
)

it('the loop pauses when another process has the task', async () => {
  const { lease: _, ...unleased } = RETRIED
  const { next } = worker(unleased, async () => false)
  expect([await next(), await next()]).toEqual([false, false])
})

it('a claim uses the index on the open rows, in its order', async () => {
  const recording = createDatabase<unknown>(openPool(clone.url, { warn: () => undefined }, { max: 1 }))
  // The planner reads and sorts a small table whatever its indexes are, unless these plans are disabled.
  await sql`select set_config(name, 'off', false) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) as name`.execute(
    recording,
  )
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${claimTasks(LEASED)}`.execute(recording)
  await recording.destroy()
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Index Scan using task_waiting')
  expect(plan).toContain('Index Scan using task_pkey')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})
