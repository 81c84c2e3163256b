// The queue of evidence tasks: changes that must enter a chain, inserted in the transaction that made them. [D30, D49]
// Owns the table and the order of tasks. Does not own the entries that a task writes (evidence-tasks.ts).
import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
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
export interface EvidenceTask extends QueuedTask {
  id: number
  contractId: string
  type: string
  data: unknown
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
export const readTask = ({ type, data }: EvidenceTask): TaskContent => taskSchema.parse({ type, data })

/** Of a contract's events only the oldest is due, so that its entries keep their order. */
export const EVIDENCE_TASKS: TaskTable = {
  table: 'evidence_task',
  due: sql`
    done_at is null and run_after <= clock_timestamp()
    and (type in ${CODE_TASKS} or not exists (
          select 1 from evidence_task e
           where e.contract_id = evidence_task.contract_id and e.done_at is null and e.type not in ${CODE_TASKS}
             and e.id < evidence_task.id))`,
  order: sql`id`,
  batch: 1,
  columns: sql`id, contract_id as "contractId", type, data, attempts + 1 as attempts, ${QUEUED_COLUMNS}`,
  retry: { firstMs: 500, maxMs: 60_000, set: () => sql`attempts = attempts + 1` },
}

/** Marks the task as done and locks it until the commit. @returns false when another worker holds it or it is done */
export async function claim(trx: Trx, { id }: EvidenceTask): Promise<boolean> {
  const { rows } = await sql`
    update evidence_task set done_at = clock_timestamp()
     where id = (select id from evidence_task where id = ${id} and done_at is null for update skip locked)
    returning id`.execute(trx)
  return rows.length > 0
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
