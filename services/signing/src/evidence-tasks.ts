// What contract events and sent codes leave in the evidence. Who hears of them only notes a task; this does them. [D30, D49]
// Owns: each task's entries, and when a chain may be closed: when it tells everything that came before.
import type { Kysely, Transaction } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import { backOffMs } from '@paraph/service/back-off'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { markFailed } from '@paraph/telemetry/trace-context'
import type { ContractClient } from './contract-client.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { eraseContract } from './erasure.js'
import { append, countAccepted, lockChain, openChain } from './evidence-chain.js'
import {
  claim,
  findDue,
  isCodeUntold,
  markDone,
  putOff,
  readTask,
  type Task,
  type TaskContent,
} from './evidence-task-queue.js'
import { Personal, type EntryData, type EntryType } from './evidence.js'
import { noteSeal } from './seal-queue.js'
import { isAnyOnItsWay, settle, settleRest } from './settlement.js'

type Trx = Transaction<SigningDatabase>

const POLL_MS = 1_000
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 60_000

/** The loop that does the tasks; `doNext` is one round of it. @param wakeSealing called when a chain may have been closed */
export function createEvidenceTasks({
  database,
  contract,
  wakeSealing = () => undefined,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  wakeSealing?: () => void
  logger: Logger
}) {
  /**
   * Does the oldest due task of some contract. The facts are asked before the transaction: it holds no connection while it
   * waits for somebody. @returns false when nothing is due, or another worker has it in hand
   */
  async function doNext(): Promise<boolean> {
    const task = await findDue(database)
    if (!task) return false
    const { contractId, traceparent, ageMs } = task
    const attributes = { 'paraph.subject': contractId }
    return continueTrace({ name: 'enter evidence', attributes, traceparent, ageMs }, () => doTask(task))
  }

  async function doTask(task: Task): Promise<boolean> {
    try {
      const facts = await contract.ceremony.byId.query({ contractId: task.contractId })
      failPoint('evidence.asked')
      const isDone = await database.transaction().execute(async (trx) => {
        if (!(await claim(trx, task))) return false
        const content = readTask(task)
        if (facts && isTrue(content, facts)) await perform(trx, content, facts)
        else
          logger.error({ taskId: task.id, type: task.type }, 'an event is not true of its contract; it is passed over')
        failPoint('evidence.performed')
        await markDone(trx, task)
        failPoint('evidence.marked')
        return true
      })
      failPoint('evidence.committed')
      if (task.type === 'contract.completed') wakeSealing()
      return isDone
    } catch (error) {
      markFailed()
      const { id: taskId, type, attempts } = task
      logger.warn({ err: error, taskId, type, attempts: attempts + 1 }, 'an evidence task failed; it is tried again')
      await putOff(database, task, backOffMs(attempts + 1, RETRY_FIRST_MS, RETRY_MAX_MS, Math.random()))
      return true
    }
  }

  const trouble = 'the evidence worker cannot go on at the moment; it tries again'
  const loop = createLoop({ work: doNext, pauseMs: POLL_MS, trouble, logger })
  return { ...loop, doNext }
}

/**
 * Whether the contract service says the same: a signature enters the chain and an end closes it for good, an erasure deletes, and
 * whoever can write to the bus could tell of any; so does a bus that outlived a restore (docs/backup.md). A true one was committed
 * there before it was told.
 */
function isTrue({ type, data }: TaskContent, { status, erasedAt, parties }: ContractFacts): boolean {
  switch (type) {
    case 'contract.party_signed':
      return parties[data.partyIndex]?.signedAt != null
    case 'contract.completed':
      return status === 'signed'
    case 'contract.expired':
      return status === 'expired'
    case 'contract.cancelled':
      return status === 'cancelled'
    case 'contract.erased':
      return erasedAt !== null
    default:
      return true
  }
}

async function perform(trx: Trx, { type, data }: TaskContent, facts: ContractFacts): Promise<void> {
  const { contractId, parties } = facts
  if (type === 'contract.erased') return erase(trx, contractId, new Date(data.at))
  // A stranger's address opens no chain.
  if (type === 'code.locked') return enterCodeLocked(trx, facts, data)
  await openChain(trx, facts)
  switch (type) {
    case 'contract.created':
      return
    case 'contract.party_signed':
      return settle(trx, data.attemptId, { kind: 'accepted', signedAt: new Date(data.signedAt) })
    case 'code.sent':
      return enterCodeSent(trx, contractId, data)
    case 'contract.completed':
      await close(trx, facts, 'signed', type, { total: parties.length, completedAt: data.completedAt })
      return noteSeal(trx, contractId)
    case 'contract.expired':
      return close(trx, facts, 'expired', type, { at: data.at })
    case 'contract.cancelled':
      // The reason stays out of the evidence. [D39]
      return close(trx, facts, 'cancelled', type, { at: data.at, actor: data.actor })
  }
}

/** After everything else of the contract: what is still to be entered may need what goes. */
async function erase(trx: Trx, contractId: string, at: Date): Promise<void> {
  if (await isCodeUntold(trx, contractId)) throw new Error('a code is on its way whose sending belongs into the chain')
  await eraseContract(trx, contractId, at)
}

/** The last entry of a chain: only when it tells everything that came before, the end of every attempt included. */
async function close(
  trx: Trx,
  facts: ContractFacts,
  reason: 'signed' | 'expired' | 'cancelled',
  type: EntryType,
  data: EntryData,
): Promise<void> {
  await assertTold(trx, facts)
  await settleRest(trx, facts.contractId, reason)
  // An attempt that was being submitted meanwhile holds the chain; from here on none can enter it.
  await lockChain(trx, facts.contractId)
  if (await isAnyOnItsWay(trx, facts.contractId))
    throw new Error('an attempt was submitted while the chain was closing')
  await append(trx, facts.contractId, type, data)
}

/** Once for each time that a party's codes became longer. A stranger's leave nothing. */
async function enterCodeLocked(
  trx: Trx,
  facts: ContractFacts,
  { challengeId, lockedAt }: { challengeId: string; lockedAt: string },
): Promise<void> {
  const challenge = await trx.selectFrom('challenge').select('mailbox').where('id', '=', challengeId).executeTakeFirst()
  if (!challenge || partiesOf(facts, challenge.mailbox).length === 0) return
  await openChain(trx, facts)
  await append(trx, facts.contractId, 'code.locked', { lockedAt, mailbox: new Personal(challenge.mailbox) })
}

/** That a code was sent and when, not to whom. */
async function enterCodeSent(trx: Trx, contractId: string, { codeId }: { codeId: string }): Promise<void> {
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
  if (await isCodeUntold(trx, contractId)) throw new Error('a code is on its way whose sending belongs into the chain')
}
