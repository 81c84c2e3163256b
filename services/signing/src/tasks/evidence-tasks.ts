// Writes contract events and sent codes into the evidence; consumers only queue the tasks. [D30, D49]
// Owns each task's entries, and the rule that a chain is closed only when every earlier entry is in it.
import type { Kysely, Transaction } from 'kysely'
import { failPoint } from '@paraph/testing/fail-point'
import { createTaskQueue } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from '../clients/contract.js'
import { partiesOf, type ContractView } from '../clients/contract-view.js'
import type { SigningDatabase } from '../database.js'
import { eraseContract } from '../chain/erasure.js'
import { append, countAccepted, lockChain, openChain } from '../chain/chain-store.js'
import {
  claim,
  EVIDENCE_TASKS,
  hasUnrecordedCode,
  readTask,
  type EvidenceTask,
  type TaskContent,
} from './evidence-task-queue.js'
import { Personal, type EntryData, type EntryType } from '../chain/entry.js'
import { queueSeal } from '../sealing/queue.js'
import { finishAttempt, finishOpenAttempts, hasPendingAttempt } from '../signature/finish-attempt.js'

type Trx = Transaction<SigningDatabase>

export interface EvidenceTasksDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  /** Called when a chain may have been closed. */
  notifySealing?: () => void
  logger: Logger
}

/** The loop that performs the tasks. */
export function createEvidenceTasks({
  database,
  contract,
  notifySealing = () => undefined,
  logger,
}: EvidenceTasksDeps) {
  /** @returns false when another worker holds the task */
  async function performTask(task: EvidenceTask): Promise<boolean> {
    // Read before the transaction, so that no database connection is held during the call.
    const view = await contract.ceremony.byId.query({ contractId: task.contractId })
    failPoint('evidence.asked')
    const isDone = await database.transaction().execute(async (trx) => {
      if (!(await claim(trx, task))) return false
      failPoint('evidence.marked')
      const content = readTask(task)
      if (view && isConfirmed(content, view)) await perform(trx, content, view)
      else
        logger.error(
          { taskId: task.id, type: task.type },
          'an event contradicts the contract service; the evidence ignores it',
        )
      failPoint('evidence.performed')
      return true
    })
    failPoint('evidence.committed')
    if (task.type === 'contract.completed') notifySealing()
    return isDone
  }

  return createTaskQueue<EvidenceTask>({
    database,
    queue: EVIDENCE_TASKS,
    span: 'enter evidence',
    subjectOf: ({ contractId }) => contractId,
    perform: performTask,
    onFailure: (error, { id: taskId, type, attempts }, waitMs) =>
      logger.warn(
        { err: error, taskId, type, attempts },
        `could not perform an evidence task; retrying in ${Math.round(waitMs)} ms`,
      ),
    trouble: 'could not read or reschedule evidence tasks; retrying',
    logger,
  })
}

/**
 * Whether the contract service confirms the event. Anyone who can write to the bus could forge one, and a bus that outlives a restore
 * keeps events of lost contracts (docs/backup.md); but a signature, an end and an erasure cannot be undone here. The contract service
 * commits a true event before it publishes it.
 */
function isConfirmed({ type, data }: TaskContent, { status, erasedAt, parties }: ContractView): boolean {
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

async function perform(trx: Trx, { type, data }: TaskContent, view: ContractView): Promise<void> {
  const { contractId, parties } = view
  if (type === 'contract.erased') return erase(trx, contractId, new Date(data.at))
  // The address of a stranger does not open the chain.
  if (type === 'code.locked') return appendCodeLocked(trx, view, data)
  await openChain(trx, view)
  switch (type) {
    case 'contract.created':
      return
    case 'contract.party_signed':
      return finishAttempt(trx, data.attemptId, { kind: 'accepted', signedAt: new Date(data.signedAt) })
    case 'code.sent':
      return appendCodeSent(trx, contractId, data)
    case 'contract.completed':
      await close(trx, view, 'signed', type, { total: parties.length, completedAt: data.completedAt })
      return queueSeal(trx, contractId)
    case 'contract.expired':
      return close(trx, view, 'expired', type, { at: data.at })
    case 'contract.cancelled':
      // The reason stays out of the evidence. [D39]
      return close(trx, view, 'cancelled', type, { at: data.at, actor: data.actor })
  }
}

/** Erases after all other tasks of the contract: a task that is still open may need the rows. */
async function erase(trx: Trx, contractId: string, at: Date): Promise<void> {
  await assertCodesRecorded(trx, contractId)
  await eraseContract(trx, contractId, at)
}

/** Appends the last entry of a chain, after every earlier entry and the end of every attempt. */
async function close(
  trx: Trx,
  view: ContractView,
  reason: 'signed' | 'expired' | 'cancelled',
  type: EntryType,
  data: EntryData,
): Promise<void> {
  await assertSignaturesRecorded(trx, view)
  await assertCodesRecorded(trx, view.contractId)
  await finishOpenAttempts(trx, view.contractId, reason)
  // A submission under way holds this lock; after it, no submission can append.
  await lockChain(trx, view.contractId)
  if (await hasPendingAttempt(trx, view.contractId))
    throw new Error('cannot close the chain: an attempt was submitted meanwhile')
  await append(trx, view.contractId, type, data)
}

/** Records each time that the codes of a party became longer; ignores strangers. */
async function appendCodeLocked(
  trx: Trx,
  view: ContractView,
  { challengeId, lockedAt }: { challengeId: string; lockedAt: string },
): Promise<void> {
  const challenge = await trx.selectFrom('challenge').select('mailbox').where('id', '=', challengeId).executeTakeFirst()
  if (!challenge || partiesOf(view, challenge.mailbox).length === 0) return
  await openChain(trx, view)
  await append(trx, view.contractId, 'code.locked', { lockedAt, mailbox: new Personal(challenge.mailbox) })
}

/** Records that and when a code was sent, with only a commitment to the mailbox. */
async function appendCodeSent(trx: Trx, contractId: string, { codeId }: { codeId: string }): Promise<void> {
  const { mailbox, settled_at } = await trx
    .selectFrom('code_send')
    .select(['mailbox', 'settled_at'])
    .where('id', '=', codeId)
    .executeTakeFirstOrThrow()
  const sentAt = settled_at!.toISOString()
  await append(trx, contractId, 'code.sent', { codeId, sentAt, mailbox: new Personal(mailbox) })
}

/** @throws Error unless the chain holds every signature that the contract service has: a closed chain accepts none */
async function assertSignaturesRecorded(trx: Trx, { contractId, parties }: ContractView): Promise<void> {
  const signed = parties.filter(({ signedAt }) => signedAt !== null).length
  if ((await countAccepted(trx, contractId)) !== signed)
    throw new Error('the chain lacks a signature that the contract service has')
}

/** @throws Error while a code that was sent is not in the chain yet */
async function assertCodesRecorded(trx: Trx, contractId: string): Promise<void> {
  if (await hasUnrecordedCode(trx, contractId))
    throw new Error('a code was sent or is being sent, and the chain does not record it yet')
}
