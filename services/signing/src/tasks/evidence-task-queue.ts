// The rows of evidence tasks: what waits to enter a chain, noted in the commit that made it true. [D30, D49]
// Owns: the table, and in which order tasks are due. Does not own: what a task leaves in a chain (evidence-tasks.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import { z } from 'zod'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { EVENT_DATA } from '@paraph/protocol/events'
import { failPoint } from '@paraph/service/fail-point'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { SigningDatabase } from './database.js'

type Trx = Transaction<SigningDatabase>
type ContractEvent = Extract<ReceivedEvent, { type: `contract.${string}` }>

const instant = z.iso.datetime({ precision: 3 })

/** Checked again when it is read: an entry can never be taken back. */
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

/** A row, its content unread. */
export interface Task {
  id: number
  contractId: string
  type: string
  data: unknown
  attempts: number
  ageMs: number
  traceparent: string | null
}

/** Due as they come, whatever event of their contract is due; the end of the chain waits for them. */
const CODE_TASKS = sql`('code.sent', 'code.locked')`

/** The consumer's handler for contract events: one row, in the transaction of the inbox row. */
export async function noteTask(trx: Trx, { type, data }: ContractEvent): Promise<void> {
  await note(trx, data.contractId, { type, data } as TaskContent)
  failPoint('evidence.noted')
}

/** Notes that notification has taken a code, in the transaction that wipes it. The mailbox stays in the code's own row. */
export const noteCodeSent = (trx: Trx, { contractId, codeId }: { contractId: string; codeId: string }): Promise<void> =>
  note(trx, contractId, { type: 'code.sent', data: { codeId } })

/**
 * Notes that an address has had 100 wrong codes, party or not: who is no party never reaches the chain, or anybody could fill it,
 * but that is found out by the worker, where nobody waits and can time it. The mailbox stays in the challenge's own row. [D16]
 */
export const noteCodeLocked = (
  trx: Trx,
  { contractId, challengeId, lockedAt }: { contractId: string; challengeId: string; lockedAt: Date },
): Promise<void> =>
  note(trx, contractId, { type: 'code.locked', data: { challengeId, lockedAt: lockedAt.toISOString() } })

async function note(trx: Trx, contractId: string, { type, data }: TaskContent): Promise<void> {
  await trx
    .insertInto('evidence_task')
    .values({ contract_id: contractId, type, data: JSON.stringify(data), traceparent: currentTraceparent() ?? null })
    .execute()
}

/** What a task says. @throws ZodError when it is not what its type promises */
export const readTask = ({ type, data }: Task): TaskContent => taskSchema.parse({ type, data })

/** The oldest task that is due. Of a contract's events only the oldest: its entries keep their order. */
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

/** True when nobody else has it in hand; it is this transaction's until the commit. */
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

/** In the transaction that claimed it. */
export async function markDone(trx: Trx, { id }: Task): Promise<void> {
  await trx
    .updateTable('evidence_task')
    .set({ done_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** Due again after `waitMs`, one attempt more. */
export async function putOff(database: Kysely<SigningDatabase>, { id }: Task, waitMs: number): Promise<void> {
  await sql`
    update evidence_task set attempts = attempts + 1, run_after = clock_timestamp() + make_interval(secs => ${waitMs / 1_000})
     where id = ${id} and done_at is null`.execute(database)
}

/** True while a party's code was not pushed yet, or its sending or locking is not in the chain yet. */
export async function isCodeUntold(trx: Trx, contractId: string): Promise<boolean> {
  // One statement: a code is settled and its task noted in one commit, so one of the two is seen until it is in the chain.
  const { rows } = await sql`
    select 1 from code_send where scope = ${contractId} and recipient is not null and settled_at is null
    union all
    select 1 from evidence_task where contract_id = ${contractId} and type in ${CODE_TASKS} and done_at is null
    limit 1`.execute(trx)
  return rows.length > 0
}
