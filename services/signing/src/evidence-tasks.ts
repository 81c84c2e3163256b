// What contract events leave in the evidence: the consumer only notes a task, the worker does it, per contract in order. [D30, D49]
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/messaging/back-off'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { createWakeUp } from '@paraph/messaging/wake-up'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { SigningDatabase } from './database.js'
import { append, countAccepted, openChain } from './evidence-chain.js'
import { settle, type Signing } from './sign.js'

type Trx = Transaction<SigningDatabase>

const POLL_MS = 1_000
const RETRY_MAX_MS = 60_000

/** The consumer's handler: one row, in the transaction of the inbox row. */
export async function noteTask(trx: Trx, event: ReceivedEvent): Promise<void> {
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

export function createEvidenceTasks({
  database,
  contract,
  signing,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  signing: Signing
  logger: Logger
}) {
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  let tickedAtMs = performance.now()

  /**
   * Does the oldest due task of some contract, holding its row; a crash gives it back. @returns false when nothing is due.
   * A failure is noted in a statement of its own, for the transaction that failed is rolled back.
   */
  async function doNext(): Promise<boolean> {
    let task: Task | undefined
    try {
      return await database.transaction().execute(async (trx) => {
        task = await claim(trx)
        if (!task) return false
        await perform(trx, task)
        await trx
          .updateTable('evidence_task')
          .set({ done_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', task.id)
          .execute()
        return true
      })
    } catch (error) {
      if (!task) throw error
      logger.warn(
        { err: error, taskId: task.id, type: task.type, attempts: task.attempts + 1 },
        'an evidence task failed; it is tried again',
      )
      await putOff(task)
      return true
    }
  }

  /** Only the oldest open task of a contract: its entries keep the order of the events. */
  async function claim(trx: Trx): Promise<Task | undefined> {
    const { rows } = await sql<Task>`
      select id, contract_id, type, data, attempts from evidence_task t
       where done_at is null and run_after <= clock_timestamp()
         and not exists (select 1 from evidence_task e where e.contract_id = t.contract_id and e.done_at is null and e.id < t.id)
       order by id limit 1 for update skip locked`.execute(trx)
    return rows[0]
  }

  async function perform(trx: Trx, { contract_id: contractId, type, data }: Task): Promise<void> {
    const facts = await contract.ceremony.byId.query({ contractId })
    if (!facts) return
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
        await append(trx, contractId, 'contract.completed', {
          total: facts.parties.length,
          completedAt: String(data['completedAt']),
        })
        return
      case 'contract.expired':
        await append(trx, contractId, 'contract.expired', { at: String(data['at']) })
        return
      case 'contract.cancelled':
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

  async function run(): Promise<void> {
    let sweptAtMs = -Infinity
    while (!stopping.signal.aborted) {
      tickedAtMs = performance.now()
      let busy = false
      try {
        busy = await doNext()
        if (performance.now() - sweptAtMs > 2_000) {
          await signing.sweep()
          sweptAtMs = performance.now()
        }
      } catch (error) {
        logger.warn({ err: error }, 'the evidence worker cannot go on at the moment; it tries again')
        busy = false
      }
      if (!busy) await wakeUp.wait(POLL_MS, stopping.signal)
    }
  }

  let running: Promise<void> | undefined
  return {
    doNext,
    wake: wakeUp.wake,
    start: () => void (running = run()),
    stop: async () => {
      stopping.abort()
      wakeUp.wake()
      await running
    },
    tickAgeMs: () => performance.now() - tickedAtMs,
  }
}

export type EvidenceTasks = ReturnType<typeof createEvidenceTasks>
