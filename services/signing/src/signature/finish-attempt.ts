// Finishes each sign attempt once and records its outcome in the chain. A sweep finishes attempts whose answer was lost. [D30, D41]
// Owns the compare-and-set that the answer, the event and the sweep share. Does not own the call that signs (sign.ts).
import type { inferRouterOutputs } from '@trpc/server'
import { isOver } from '@paraph/database/clock'
import { type Kysely, type QueryExecutorProvider, sql, type Transaction } from 'kysely'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import type { SigningDatabase } from '../database.js'
import { appendSql, type NewEntry } from '../chain/chain-store.js'
import { failPoint } from '@paraph/testing/fail-point'
import { createTaskQueue, type QueuedTask } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from '../clients/contract.js'

type Trx = Transaction<SigningDatabase>

/** The reason why the contract service did not record a signature. */
type SignRefusal = Extract<inferRouterOutputs<ContractRouter>['ceremony']['sign'], { outcome: 'refused' }>['reason']

/** The outcome of an attempt. */
export type AttemptOutcome = { kind: 'accepted'; signedAt: Date } | { kind: 'refused'; reason: SignRefusal }

/** Identifies an attempt. An event names all three: an id of another party's attempt finishes nothing. */
interface AttemptOfParty {
  contractId: string
  partyIndex: number
  attemptId: string
}

/**
 * Finishes a submitted attempt once. The answer, the event and the sweep all lead to a call; the first call wins by compare-and-set.
 * Leaves a finished or unknown attempt unchanged.
 */
export async function finishAttempt(
  executor: QueryExecutorProvider,
  { contractId, partyIndex, attemptId }: AttemptOfParty,
  outcome: AttemptOutcome,
): Promise<void> {
  const signedAt = outcome.kind === 'accepted' ? outcome.signedAt : null
  const entry: NewEntry =
    outcome.kind === 'accepted'
      ? { type: 'signature.accepted', data: { partyIndex, attemptId, signedAt: outcome.signedAt.toISOString() } }
      : { type: 'signature.refused', data: { partyIndex, attemptId, reason: outcome.reason } }
  await sql`
    with attempt as (
      update sign_attempt set state = ${outcome.kind}, finished_at = clock_timestamp(), signed_at = ${signedAt}
       where id = ${attemptId} and contract_id = ${contractId} and party_index = ${partyIndex} and state = 'submitted' returning 1)
    select ${appendSql(contractId, [entry])} from attempt`.execute(executor)
}

/** Refuses the open attempts of an ended contract, which can no longer be recorded. Call before the contract's chain is closed. */
export async function finishOpenAttempts(
  trx: Trx,
  contractId: string,
  reason: 'signed' | 'expired' | 'cancelled',
): Promise<void> {
  const attempts = await trx
    .selectFrom('sign_attempt')
    .select(['id as attemptId', 'party_index as partyIndex'])
    .where(({ and }) => and({ contract_id: contractId, state: 'submitted' }))
    // Locks all attempts before the chain, in the same order as a transaction that finishes one.
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const attempt of attempts) await finishAttempt(trx, { contractId, ...attempt }, { kind: 'refused', reason })
}

/** True while an attempt for this contract is submitted and not finished. */
export async function hasPendingAttempt(trx: Trx, contractId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sign_attempt where contract_id = ${contractId} and state = 'submitted' limit 1`.execute(trx)
  return rows.length > 0
}

interface UnfinishedAttempt extends QueuedTask {
  id: string
  contractId: string
  partyIndex: number
}

interface SignSweepDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  /** How long an attempt stays submitted before the sweep queries the contract service about it. */
  unfinishedAfterSeconds: number
  logger: Logger
}

/** The loop that finishes attempts which stayed submitted because the answer of the contract service was lost. [D41] */
export const createSignSweep = ({ database, contract, unfinishedAfterSeconds, logger }: SignSweepDeps) =>
  createTaskQueue<UnfinishedAttempt>({
    database,
    queue: {
      table: 'sign_attempt',
      // A queried attempt moves to the end of the order, so that a failing attempt does not block other attempts.
      lease: { column: 'asked_at', seconds: 0 },
      due: sql`state = 'submitted' and ${isOver(sql`submitted_at + make_interval(secs => ${unfinishedAfterSeconds})`, 2 * unfinishedAfterSeconds)}`,
      order: sql`asked_at nulls first`,
      batch: 50,
      columns: sql`id, contract_id as "contractId", party_index as "partyIndex", null as traceparent, 0 as "ageMs"`,
    },
    span: 'finish attempt',
    /** The call also makes the contract service refuse an attempt that arrives later. */
    perform: async ({ id, contractId, partyIndex }) => {
      const answer = await contract.ceremony.finishSignature.mutate({ contractId, attemptId: id })
      failPoint('sweep.answered')
      const outcome: AttemptOutcome =
        answer.outcome === 'recorded'
          ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
          : { kind: 'refused', reason: 'given_up' }
      await finishAttempt(database, { contractId, partyIndex, attemptId: id }, outcome)
      failPoint('sweep.finished')
    },
    onFailure: (error, { id }) =>
      logger.warn({ err: error, attemptId: id }, 'could not finish a sign attempt; retrying later'),
    failureMessage: 'could not read unfinished sign attempts; retrying',
    logger,
  })
