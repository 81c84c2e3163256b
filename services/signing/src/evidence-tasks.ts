// What contract events leave in the evidence: the consumer only notes a task, the worker does it, per contract in order. [D30, D49]
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/service/back-off'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append, countAccepted, openChain } from './evidence-chain.js'
import { settle, settleRest } from './sign.js'

type Trx = Transaction<SigningDatabase>

const POLL_MS = 1_000
const RETRY_MAX_MS = 60_000

type ContractEvent = Extract<ReceivedEvent, { type: `contract.${string}` }>

/** The consumer's handler: one row, in the transaction of the inbox row. */
export async function noteTask(trx: Trx, event: ContractEvent): Promise<void> {
  await trx
    .insertInto('evidence_task')
    .values({ contract_id: event.data.contractId, type: event.type, data: JSON.stringify(event.data) })
    .execute()
}

interface Task {
  id: number
  contract_id: string
  type: string
  data: Record<string, unknown>
  attempts: number
}

/** The loop that does the tasks; `doNext` is one round of it. */
export function createEvidenceTasks({
  database,
  contract,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  logger: Logger
}) {
  /**
   * Does the oldest due task of some contract. The facts are asked before the transaction: it holds no connection while it
   * waits for somebody. @returns false when nothing is due, or another worker has it in hand
   */
  async function doNext(): Promise<boolean> {
    const task = await find()
    if (!task) return false
    try {
      const facts = await contract.ceremony.byId.query({ contractId: task.contract_id })
      return await database.transaction().execute(async (trx) => {
        if (!(await claim(trx, task))) return false
        if (facts) await perform(trx, task, facts)
        await trx
          .updateTable('evidence_task')
          .set({ done_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', task.id)
          .execute()
        return true
      })
    } catch (error) {
      logger.warn(
        { err: error, taskId: task.id, type: task.type, attempts: task.attempts + 1 },
        'an evidence task failed; it is tried again',
      )
      await putOff(task)
      return true
    }
  }

  /** Only the oldest open task of a contract: its entries keep the order of the events. */
  async function find(): Promise<Task | undefined> {
    const { rows } = await sql<Task>`
      select id, contract_id, type, data, attempts from evidence_task t
       where done_at is null and run_after <= clock_timestamp()
         and not exists (select 1 from evidence_task e where e.contract_id = t.contract_id and e.done_at is null and e.id < t.id)
       order by id limit 1`.execute(database)
    return rows[0]
  }

  async function claim(trx: Trx, { id }: Task): Promise<boolean> {
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

  async function perform(trx: Trx, { contract_id: contractId, type, data }: Task, facts: ContractFacts): Promise<void> {
    await openChain(trx, facts)
    switch (type) {
      case 'contract.created':
        return
      case 'contract.party_signed':
        await settle(trx, String(data['attemptId']), { kind: 'accepted', signedAt: new Date(String(data['signedAt'])) })
        return
      case 'contract.completed':
        // Every party_signed of the contract was done before: order per key, oldest task first.
        if ((await countAccepted(trx, contractId)) !== facts.parties.length)
          throw new Error('the chain does not hold every signature yet')
        await settleRest(trx, contractId, 'signed')
        await append(trx, contractId, 'contract.completed', {
          total: facts.parties.length,
          completedAt: String(data['completedAt']),
        })
        return
      case 'contract.expired':
        await settleRest(trx, contractId, 'expired')
        await append(trx, contractId, 'contract.expired', { at: String(data['at']) })
        return
      case 'contract.cancelled':
        await settleRest(trx, contractId, 'cancelled')
        // The reason stays out of the evidence. [D39]
        await append(trx, contractId, 'contract.cancelled', { at: String(data['at']), actor: String(data['actor']) })
        return
      default:
        throw new Error('a task of a type that nobody notes')
    }
  }

  async function putOff(task: Task): Promise<void> {
    const waitMs = backOffMs(task.attempts + 1, 500, RETRY_MAX_MS, Math.random())
    await sql`
      update evidence_task set attempts = attempts + 1, run_after = clock_timestamp() + make_interval(secs => ${waitMs / 1_000})
       where id = ${task.id} and done_at is null`.execute(database)
  }

  const trouble = 'the evidence worker cannot go on at the moment; it tries again'
  const loop = createLoop({ work: doNext, pauseMs: POLL_MS, trouble, logger })
  return { ...loop, doNext }
}
