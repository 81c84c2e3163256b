// The queue of evidence tasks: changes that must enter a chain, inserted in the transaction that made them. [D30, D49]
// Owns the table and the order of tasks. Does not own the entries that a task writes (evidence-tasks.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import { z } from 'zod'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { EVENT_DATA } from '@paraph/protocol/events'
import { failPoint } from '@paraph/testing/fail-point'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { SigningDatabase } from '../database.js'

type Trx = Transaction<SigningDatabase>
type ContractEvent = Extract<ReceivedEvent, { type: `contract.${string}` }>

const instant = z.iso.datetime({ precision: 3 })

/** Checked again when a task is read, because an entry cannot be removed. */
const taskSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('contract.created'), data: EVENT_DATA['contract.created'] }),
  z.object({ type: z.literal('contract.party_signed'), data: EVENT_DATA['contract.party_signed'] }),
  z.object({ type: z.literal('contract.completed'), data: EVENT_DATA['contract.completed'] }),
  z.object({ type: z.literal('contract.expired'), data: EVENT_DATA['contract.expired'] }),
  z.object({ type: z.literal('contract.cancelled'), data: EVENT_DATA['contract.cancelled'] }),
  z.object({ type: z.literal('contract.erased'), data: EVENT_DATA['contract.erased'] }),
  z.object({ type: z.literal('code.sent'), data: z.object({ codeId: z.uuid() }) }),
  z.object({ type: z.literal('code.locked'), data: z.object({ challengeId: z.string(), lockedAt: instant }) }),
])
export type TaskContent = z.infer<typeof taskSchema>

/** A row whose content is not parsed yet. */
export interface Task {
  id: number
  contractId: string
  type: string
  data: unknown
  attempts: number
  ageMs: number
  traceparent: string | null
}

/** Due in any order, independent of the contract's events. The chain is closed only after them. */
const CODE_TASKS = sql`('code.sent', 'code.locked')`

/** Queues a contract event in the transaction of the inbox row. */
export async function queueTask(trx: Trx, { type, data }: ContractEvent): Promise<void> {
  await insertTask(trx, data.contractId, { type, data } as TaskContent)
  failPoint('evidence.noted')
}

/** Queues that notification took a code over, in the transaction that wipes it. The mailbox stays in the code's own row. */
export const queueCodeSent = (
  trx: Trx,
  { contractId, codeId }: { contractId: string; codeId: string },
): Promise<void> => insertTask(trx, contractId, { type: 'code.sent', data: { codeId } })

/**
 * Queues that an address received 100 wrong codes. Queued for any address: the worker decides whether it is a party's, so that the
 * response time does not reveal it; a stranger's never enters the chain. The mailbox stays in the challenge's own row. [D16]
 */
export const queueCodeLocked = (
  trx: Trx,
  { contractId, challengeId, lockedAt }: { contractId: string; challengeId: string; lockedAt: Date },
): Promise<void> =>
  insertTask(trx, contractId, { type: 'code.locked', data: { challengeId, lockedAt: lockedAt.toISOString() } })

async function insertTask(trx: Trx, contractId: string, { type, data }: TaskContent): Promise<void> {
  await trx
    .insertInto('evidence_task')
    .values({ contract_id: contractId, type, data: JSON.stringify(data), traceparent: currentTraceparent() ?? null })
    .execute()
}

/** The parsed content of a task. @throws ZodError when it does not match its type */
export const readTask = ({ type, data }: Task): TaskContent => taskSchema.parse({ type, data })

/** The oldest due task. Of a contract's events only the oldest is due, so that its entries keep their order. */
export async function findDue(database: Kysely<SigningDatabase>): Promise<Task | undefined> {
  const { rows } = await sql<Task>`
    select id, contract_id as "contractId", type, data, attempts, traceparent,
           (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs"
      from evidence_task t
     where done_at is null and run_after <= clock_timestamp()
       and (type in ${CODE_TASKS} or not exists (
             select 1 from evidence_task e
              where e.contract_id = t.contract_id and e.done_at is null and e.type not in ${CODE_TASKS} and e.id < t.id))
     order by id limit 1`.execute(database)
  return rows[0]
}

/** Locks the task until the commit. @returns false when another worker holds it or it is done */
export async function claim(trx: Trx, { id }: Task): Promise<boolean> {
  const row = await trx
    .selectFrom('evidence_task')
    .select('id')
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}

/** Call in the transaction that claimed the task. */
export async function markDone(trx: Trx, { id }: Task): Promise<void> {
  await trx
    .updateTable('evidence_task')
    .set({ done_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Makes the task due again after `waitMs` and counts the attempt. */
export async function rescheduleTask(database: Kysely<SigningDatabase>, { id }: Task, waitMs: number): Promise<void> {
  await sql`
    update evidence_task set attempts = attempts + 1, run_after = clock_timestamp() + make_interval(secs => ${waitMs / 1_000})
     where id = ${id} and done_at is null`.execute(database)
}

/** True while a code of the contract is not pushed yet, or its sending or locking is not in the chain yet. */
export async function hasUnrecordedCode(trx: Trx, contractId: string): Promise<boolean> {
  // One statement: a code and its task change in one commit, so that one of the two is visible until the entry is in the chain.
  const { rows } = await sql`
    select 1 from code_send where scope = ${contractId} and recipient is not null and settled_at is null
    union all
    select 1 from evidence_task where contract_id = ${contractId} and type in ${CODE_TASKS} and done_at is null
    limit 1`.execute(trx)
  return rows.length > 0
}
