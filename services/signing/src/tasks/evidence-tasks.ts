// Performs the tasks that write contract events and sent codes into the evidence; the event consumer only queues tasks. [D30, D49]
// Owns each task's entries, and the rule that a chain is closed only after every earlier entry was appended.
import { type Kysely, sql, type Transaction } from 'kysely'
import { endCodes } from '@paraph/codes/one-time-code'
import { failPoint } from '@paraph/testing/fail-point'
import { createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import { type ContractClient, type ContractView, partiesOf } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { eraseContract } from '../chain/erasure.js'
import { append, lockChain, openChain } from '../chain/chain-store.js'
import { type EntryData, Personal } from '../chain/entry.js'
import { queueSeal } from '../sealing/queue.js'
import { finishAttempt, finishOpenAttempts, hasPendingAttempt } from '../signature/finish-attempt.js'
import { appendDecline } from '../decline/decline.js'
import { queueSimulatedParties } from '../simulator/queue-simulated.js'
import { PARKED, recordFailure, redriveParked } from './parked-tasks.js'
import { z } from 'zod'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import { elementAt } from '@paraph/protocol/element-at'
import { EVENT_DATA } from '@paraph/protocol/events'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { currentTraceparent } from '@paraph/telemetry/trace-context'

type Trx = Transaction<SigningDatabase>

interface EvidenceTasksDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  /** Called when a chain may have been closed. */
  notifySealing?: () => void
  /** Called when parties that sign by themselves may have been queued. */
  notifySimulator?: () => void
  logger: Logger
}

/** The loop that performs evidence tasks, and `redrive` for parked ones. */
export function createEvidenceTasks({ database, contract, notifySealing, notifySimulator, logger }: EvidenceTasksDeps) {
  /** Queries before the transaction, so that no database connection is held during the call. */
  const readView = ({ contractId }: EvidenceTask) => contract.ceremony.byId.query({ contractId })

  /** @returns false when another worker has locked the task, or the task is done */
  async function performTask(task: EvidenceTask, view: ContractView | null): Promise<boolean> {
    failPoint('evidence.asked')
    const isDone = await database.transaction().execute(async (trx) => {
      if (!(await claim(trx, task))) return false
      failPoint('evidence.marked')
      const content = taskSchema.parse(task)
      const { id: taskId, type } = task
      if (view && isConfirmed(content, view)) await perform(trx, content, view)
      else logger.error({ taskId, type }, 'ignored an event that contradicts the state in the contract service')
      failPoint('evidence.performed')
      return true
    })
    failPoint('evidence.committed')
    if (task.type === 'contract.completed') notifySealing?.()
    if (task.type === 'contract.created' && view?.environment === 'sandbox') notifySimulator?.()
    return isDone
  }

  /** An error of the contract service does not count: it says nothing about the task. */
  async function performOrPark(task: EvidenceTask): Promise<boolean> {
    const view = await readView(task)
    try {
      return await performTask(task, view)
    } catch (error) {
      if (!(await recordFailure(database, task, error))) throw error
      const { id: taskId, type } = task
      logger.error({ err: error, taskId, type }, 'parked an evidence task; redrive it when its cause is fixed')
      return true
    }
  }

  async function performParked(taskId: number): Promise<void> {
    const { rows } = await sql<EvidenceTask>`
      select ${EVIDENCE_TASKS.columns} from evidence_task where id = ${taskId} and done_at is null`.execute(database)
    const task = rows[0]
    if (task && !(await performTask(task, await readView(task)))) throw new Error('the task is being performed')
  }

  const queue = createTaskQueue<EvidenceTask>({
    database,
    queue: EVIDENCE_TASKS,
    span: 'enter evidence',
    subjectOf: ({ contractId }) => contractId,
    perform: performOrPark,
    onFailure: (error, { id: taskId, type, attempts }, waitMs) =>
      logger.warn({ err: error, taskId, type, attempts, retryInMs: waitMs }, 'evidence task failed; retrying'),
    failureMessage: 'could not read or reschedule evidence tasks; retrying',
    logger,
  })
  return {
    ...queue,
    /** The dead letters of parked tasks, like those of a consumer. */
    parked: { name: PARKED, redrive: (deadLetterId: number) => redriveParked(database, deadLetterId, performParked) },
  }
}

/**
 * Whether the contract service confirms the event. Anyone who can write to the bus could forge an event, and after a restore the bus may
 * still hold events of lost contracts (docs/how-to/operators/backup-restore.md). But a signature, an end and an erasure cannot be undone in the evidence. The
 * contract service commits a change before it publishes the event, so that it confirms every true event.
 */
function isConfirmed({ type, data }: TaskContent, { status, erasedAt, parties }: ContractView): boolean {
  switch (type) {
    case 'contract.party_signed':
      return parties[data.partyIndex]?.signedAt != null
    case 'contract.party_declined': {
      // A signature since then has taken the decline back, and a corrected address made it another's.
      const { signedAt = null, declinedAt = null, addressNumber = 0 } = parties[data.partyIndex] ?? {}
      return declinedAt !== null || signedAt !== null || addressNumber > 0
    }
    case 'contract.party_readdressed':
      return (parties[data.partyIndex]?.addressNumber ?? 0) >= data.addressNumber
    case 'contract.completed':
    case 'contract.expired':
    case 'contract.cancelled':
      return status === STATUS_AFTER[type]
    case 'contract.erased':
      return erasedAt !== null
    default:
      return true
  }
}

const STATUS_AFTER = {
  'contract.completed': 'signed',
  'contract.expired': 'expired',
  'contract.cancelled': 'cancelled',
} as const

async function perform(trx: Trx, { type, data }: TaskContent, view: ContractView): Promise<void> {
  const { contractId, parties } = view
  if (type === 'contract.erased') {
    // Only after all code tasks of the contract: an open task needs the rows that the erasure deletes.
    await assertCodesRecorded(trx, contractId)
    return eraseContract(trx, contractId, new Date(data.at))
  }
  // Before `openChain`, because wrong codes for the address of a stranger must not open the chain.
  if (type === 'code.locked') return appendCodeLocked(trx, view, data)
  // Before `openChain`, because a correct code locks the codes before the chain too.
  if (type === 'contract.party_readdressed') await endFormerMailboxes(trx, view)
  await openChain(trx, view)
  switch (type) {
    case 'contract.created':
      return queueSimulatedParties(trx, view)
    case 'contract.party_signed': {
      // The contract service's time, because an event can be forged.
      const { signedAt } = elementAt(parties, data.partyIndex)
      return finishAttempt(trx, data, { kind: 'accepted', signedAt: new Date(signedAt!) })
    }
    case 'contract.party_declined':
      return appendDecline(trx, data)
    case 'contract.party_readdressed':
      // `openChain` has appended the entry.
      return
    case 'code.sent':
      return appendCodeSent(trx, contractId, data)
    case 'contract.completed':
      await close(trx, view, type, { total: parties.length, completedAt: data.completedAt })
      return queueSeal(trx, contractId)
    case 'contract.expired':
      return close(trx, view, type, { at: data.at })
    case 'contract.cancelled':
      // The reason stays out of the evidence. [D39]
      return close(trx, view, type, { at: data.at, actor: data.actor })
  }
}

/** Appends the last entry of a chain, after all other entries and after every attempt is finished. */
async function close(trx: Trx, view: ContractView, type: keyof typeof STATUS_AFTER, data: EntryData): Promise<void> {
  const { contractId } = view
  await assertSignaturesRecorded(trx, view)
  await assertCodesRecorded(trx, contractId)
  await finishOpenAttempts(trx, contractId, STATUS_AFTER[type])
  // A transaction that submits an attempt holds this lock. With the lock, this transaction excludes further submissions.
  await lockChain(trx, contractId)
  if (await hasPendingAttempt(trx, contractId))
    throw new Error('cannot close the chain: an attempt was submitted meanwhile')
  await append(trx, contractId, type, data)
}

/** Ends the codes and sessions of mailboxes that no party has any more. They could do nothing since the correction. [D61] */
async function endFormerMailboxes(trx: Trx, { contractId, parties, readdresses }: ContractView): Promise<void> {
  const current = new Set(parties.map(({ email }) => mailboxOf(email)))
  for (const mailbox of new Set(readdresses.map(({ oldEmail }) => mailboxOf(oldEmail)))) {
    if (current.has(mailbox)) continue
    await endCodes(trx, contractId, mailbox, 'superseded')
    await sql`
      update mailbox_session set ended_at = clock_timestamp()
       where scope = ${contractId} and mailbox = ${mailbox} and ended_at is null`.execute(trx)
  }
}

/** Records that a party's address received 100 wrong codes, so that its codes became longer; ignores strangers. */
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

/** Records that a code was sent and when, with only a commitment to the mailbox. */
async function appendCodeSent(trx: Trx, contractId: string, { codeId }: { codeId: string }): Promise<void> {
  const { mailbox, finished_at } = await trx
    .selectFrom('code_send')
    .select(['mailbox', 'finished_at'])
    .where('id', '=', codeId)
    .executeTakeFirstOrThrow()
  const sentAt = finished_at!.toISOString()
  await append(trx, contractId, 'code.sent', { codeId, sentAt, mailbox: new Personal(mailbox) })
}

/** @throws Error unless the chain contains every signature of the contract service: nothing can be appended to a closed chain */
async function assertSignaturesRecorded(trx: Trx, { contractId, parties }: ContractView): Promise<void> {
  const { rows } = await sql`
    select 1 from evidence_entry where contract_id = ${contractId} and type = 'signature.accepted'`.execute(trx)
  if (rows.length !== parties.filter(({ signedAt }) => signedAt !== null).length)
    throw new Error('the chain lacks a signature that the contract service has')
}

type ContractEvent = Extract<ReceivedEvent, { type: `contract.${string}` }>

const instant = z.iso.datetime({ precision: 3 })

/** Validates a task again when it is performed, because an entry cannot be removed. */
const taskSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('contract.created'), data: EVENT_DATA['contract.created'] }),
  z.object({ type: z.literal('contract.party_signed'), data: EVENT_DATA['contract.party_signed'] }),
  z.object({ type: z.literal('contract.party_declined'), data: EVENT_DATA['contract.party_declined'] }),
  z.object({ type: z.literal('contract.party_readdressed'), data: EVENT_DATA['contract.party_readdressed'] }),
  z.object({ type: z.literal('contract.completed'), data: EVENT_DATA['contract.completed'] }),
  z.object({ type: z.literal('contract.expired'), data: EVENT_DATA['contract.expired'] }),
  z.object({ type: z.literal('contract.cancelled'), data: EVENT_DATA['contract.cancelled'] }),
  z.object({ type: z.literal('contract.erased'), data: EVENT_DATA['contract.erased'] }),
  z.object({ type: z.literal('code.sent'), data: z.object({ codeId: z.uuid() }) }),
  z.object({ type: z.literal('code.locked'), data: z.object({ challengeId: z.string(), lockedAt: instant }) }),
])
type TaskContent = z.infer<typeof taskSchema>

/** A row whose content is not parsed yet. */
interface EvidenceTask extends QueuedTask {
  id: number
  contractId: string
  type: string
  data: unknown
}

/** These tasks are due in any order, independent of the contract's events. A chain is closed only after they are done. */
const CODE_TASKS = sql`('code.sent', 'code.locked')`
/** No other task waits for an opening either: each opens the chain if it does not exist. */
const INDEPENDENT_TASKS = sql`('contract.created', 'code.sent', 'code.locked')`

/** Queues a contract event in the transaction of the inbox row. */
export async function queueTask(trx: Trx, { type, data }: ContractEvent): Promise<void> {
  await insertTask(trx, data.contractId, { type, data } as TaskContent)
  failPoint('evidence.recorded')
}

/** Queues the entry of a code that the notification service accepted, in the transaction that wipes the code. Copies no mailbox. */
export const queueCodeSent = (trx: Trx, contractId: string, codeId: string) =>
  insertTask(trx, contractId, { type: 'code.sent', data: { codeId } })

/**
 * Queues the entry that an address received 100 wrong codes. Queues it for strangers too, so that the response time does not reveal a
 * party; the task then appends nothing. Copies no mailbox: the task reads it from the row of the challenge. [D16]
 */
export const queueCodeLocked = (trx: Trx, contractId: string, challengeId: string, lockedAt: Date) =>
  insertTask(trx, contractId, { type: 'code.locked', data: { challengeId, lockedAt: lockedAt.toISOString() } })

async function insertTask(trx: Trx, contractId: string, { type, data }: TaskContent): Promise<void> {
  const traceparent = currentTraceparent() ?? null
  const row = { contract_id: contractId, type, data: JSON.stringify(data), traceparent }
  await trx.insertInto('evidence_task').values(row).execute()
}

/**
 * Of a contract's open events, only the oldest is due, so that the entries keep the order of the events. Openings come last: a burst of
 * new contracts must not delay the seals of signed ones. [P22]
 */
export const EVIDENCE_TASKS: TaskTable = {
  table: 'evidence_task',
  due: sql`
    done_at is null and parked_at is null
    and (type in ${INDEPENDENT_TASKS} or not exists (
          select 1 from evidence_task e
           where e.contract_id = evidence_task.contract_id and e.done_at is null and e.parked_at is null and e.type not in ${INDEPENDENT_TASKS}
             and e.id < evidence_task.id))`,
  order: sql`(type = 'contract.created'), id`,
  batch: 1,
  columns: sql`id, contract_id as "contractId", type, data, attempts + 1 as attempts, ${QUEUED_COLUMNS}`,
  retry: { firstMs: 500, maxMs: 60_000, set: () => sql`attempts = attempts + 1` },
}

/** Marks the task as done and locks it until the commit. @returns false when another worker has locked it or it is done */
async function claim(trx: Trx, { id }: EvidenceTask): Promise<boolean> {
  const { rows } = await sql`
    update evidence_task set done_at = clock_timestamp()
     where id = (select id from evidence_task where id = ${id} and done_at is null for update skip locked)
    returning id`.execute(trx)
  return rows.length > 0
}

/** @throws Error while a code of the contract is not pushed yet, or its sending or locking is not in the chain yet */
async function assertCodesRecorded(trx: Trx, contractId: string): Promise<void> {
  // One statement: a code and its task change in one commit, so that one of the two is visible until the entry is in the chain.
  const { rows } = await sql`
    select 1 from code_send where scope = ${contractId} and recipient is not null and finished_at is null
    union all
    select 1 from evidence_task where contract_id = ${contractId} and type in ${CODE_TASKS} and done_at is null
    limit 1`.execute(trx)
  if (rows.length > 0) throw new Error('a code was sent or is being sent, and the chain does not record it yet')
}
