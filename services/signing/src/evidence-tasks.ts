// What contract events and sent codes leave in the evidence: who hears of them only notes a task, the worker does it. [D30, D49]
// Events are done per contract in order, codes as they come; a chain is closed when it tells everything that came before.
import { sql, type Kysely, type Transaction } from 'kysely'
import { backOffMs } from '@paraph/service/back-off'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append, countAccepted, openChain } from './evidence-chain.js'
import { Personal } from './evidence.js'
import { settle, settleRest } from './settlement.js'

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
  failPoint('evidence.noted')
}

/** Notes that notification has taken a code, in the transaction that wipes it. The mailbox stays in the code's own row. */
export async function noteCodeSent(
  trx: Trx,
  { contractId, codeId }: { contractId: string; codeId: string },
): Promise<void> {
  await trx
    .insertInto('evidence_task')
    .values({ contract_id: contractId, type: 'code.sent', data: JSON.stringify({ codeId }) })
    .execute()
}

/**
 * Notes that an address has had 100 wrong codes, party or not: who is no party never reaches the chain, or anybody could fill it,
 * but that is found out here, where nobody waits and can time it. The mailbox stays in the challenge's own row. [D16]
 */
export async function noteCodeLocked(
  trx: Trx,
  { contractId, challengeId, lockedAt }: { contractId: string; challengeId: string; lockedAt: Date },
): Promise<void> {
  await trx
    .insertInto('evidence_task')
    .values({ contract_id: contractId, type: 'code.locked', data: JSON.stringify({ challengeId, lockedAt }) })
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
      failPoint('evidence.asked')
      const isDone = await database.transaction().execute(async (trx) => {
        if (!(await claim(trx, task))) return false
        if (facts) await perform(trx, task, facts)
        failPoint('evidence.performed')
        await trx
          .updateTable('evidence_task')
          .set({ done_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', task.id)
          .execute()
        failPoint('evidence.marked')
        return true
      })
      failPoint('evidence.committed')
      return isDone
    } catch (error) {
      logger.warn(
        { err: error, taskId: task.id, type: task.type, attempts: task.attempts + 1 },
        'an evidence task failed; it is tried again',
      )
      await putOff(task)
      return true
    }
  }

  /** Of a contract's events only the oldest: its entries keep their order. A sent code waits for no event; its chain's end waits for it. */
  async function find(): Promise<Task | undefined> {
    const { rows } = await sql<Task>`
      select id, contract_id, type, data, attempts from evidence_task t
       where done_at is null and run_after <= clock_timestamp()
         and (type in ('code.sent', 'code.locked') or not exists (
               select 1 from evidence_task e
                where e.contract_id = t.contract_id and e.done_at is null and e.type not in ('code.sent', 'code.locked') and e.id < t.id))
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
    if (type === 'code.locked')
      return enterCodeLocked(trx, facts, String(data['challengeId']), String(data['lockedAt']))
    await openChain(trx, facts)
    switch (type) {
      case 'contract.created':
        return
      case 'contract.party_signed':
        await settle(trx, String(data['attemptId']), { kind: 'accepted', signedAt: new Date(String(data['signedAt'])) })
        return
      case 'code.sent':
        return enterCodeSent(trx, contractId, String(data['codeId']))
      case 'contract.completed':
        await assertTold(trx, facts)
        await settleRest(trx, contractId, 'signed')
        await append(trx, contractId, 'contract.completed', {
          total: facts.parties.length,
          completedAt: String(data['completedAt']),
        })
        return
      case 'contract.expired':
        await assertTold(trx, facts)
        await settleRest(trx, contractId, 'expired')
        await append(trx, contractId, 'contract.expired', { at: String(data['at']) })
        return
      case 'contract.cancelled':
        await assertTold(trx, facts)
        await settleRest(trx, contractId, 'cancelled')
        // The reason stays out of the evidence. [D39]
        await append(trx, contractId, 'contract.cancelled', { at: String(data['at']), actor: String(data['actor']) })
        return
      default:
        throw new Error('a task of a type that nobody notes')
    }
  }

  /** Once for each time that a party's codes became longer. A stranger's leave nothing. */
  async function enterCodeLocked(trx: Trx, facts: ContractFacts, challengeId: string, lockedAt: string): Promise<void> {
    const challenge = await trx
      .selectFrom('challenge')
      .select('mailbox')
      .where('id', '=', challengeId)
      .executeTakeFirst()
    if (!challenge || partiesOf(facts, challenge.mailbox).length === 0) return
    await openChain(trx, facts)
    await append(trx, facts.contractId, 'code.locked', { lockedAt, mailbox: new Personal(challenge.mailbox) })
  }

  /** That a code was sent and when, not to whom. */
  async function enterCodeSent(trx: Trx, contractId: string, codeId: string): Promise<void> {
    const { mailbox, settled_at } = await trx
      .selectFrom('code_send')
      .select(['mailbox', 'settled_at'])
      .where('id', '=', codeId)
      .executeTakeFirstOrThrow()
    const sentAt = settled_at!.toISOString()
    await append(trx, contractId, 'code.sent', { codeId, sentAt, mailbox: new Personal(mailbox) })
  }

  /**
   * Nothing can enter a closed chain, so it must hold every signature that stands, by the contract service's word and not by the
   * order of events alone, and every code that was sent.
   * @throws Error when something is still on its way; the task is tried again
   */
  async function assertTold(trx: Trx, { contractId, parties }: ContractFacts): Promise<void> {
    const standing = parties.filter(({ signedAt }) => signedAt !== null).length
    if ((await countAccepted(trx, contractId)) !== standing) throw new Error('the chain lacks a signature that stands')
    // One statement: a code is settled and its task noted in one commit, so one of the two is seen until it is in the chain.
    const { rows } = await sql`
      select 1 from code_send where contract_id = ${contractId} and party_index is not null and settled_at is null
      union all
      select 1 from evidence_task where contract_id = ${contractId} and type in ('code.sent', 'code.locked') and done_at is null
      limit 1`.execute(trx)
    if (rows.length > 0) throw new Error('a code is on its way whose sending belongs into the chain')
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
