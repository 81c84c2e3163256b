// Finishes attempts that stayed submitted because the answer of the contract service was lost. [D41]
import { sql, type Kysely } from 'kysely'
import { failPoint } from '@paraph/testing/fail-point'
import { createTaskQueue, type QueuedTask } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { finishAttempt, type AttemptOutcome } from './finish-attempt.js'

interface UnfinishedAttempt extends QueuedTask {
  id: string
  contractId: string
}

export interface SignSweepDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  /** How long an attempt stays submitted before the contract service is queried about it. */
  unsettledAfterSeconds: number
  logger: Logger
}

/** The loop that finishes them. */
export const createSignSweep = ({ database, contract, unsettledAfterSeconds, logger }: SignSweepDeps) =>
  createTaskQueue<UnfinishedAttempt>({
    database,
    queue: {
      table: 'sign_attempt',
      // A queried attempt moves to the back, so that one that keeps failing does not block the others.
      lease: { column: 'asked_at', seconds: 0 },
      due: sql`state = 'submitted' and submitted_at < clock_timestamp() - make_interval(secs => ${unsettledAfterSeconds})`,
      order: sql`asked_at nulls first`,
      batch: 50,
      columns: sql`id, contract_id as "contractId", null as traceparent, 0 as "ageMs"`,
    },
    span: 'settle attempt',
    /** The call also bars an attempt that never arrived at the contract service. */
    perform: async ({ id, contractId }) => {
      const answer = await contract.ceremony.settleSignature.mutate({ contractId, attemptId: id })
      failPoint('sweep.answered')
      const outcome: AttemptOutcome =
        answer.outcome === 'recorded'
          ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
          : { kind: 'refused', reason: 'given_up' }
      await database.transaction().execute(async (trx) => {
        await finishAttempt(trx, id, outcome)
        failPoint('sweep.settling')
      })
      failPoint('sweep.settled')
    },
    onFailure: (error, { id }) =>
      logger.warn({ err: error, attemptId: id }, 'could not finish a sign attempt; retrying later'),
    pauseMs: 2_000,
    trouble: 'could not read unfinished sign attempts; retrying',
    logger,
  })
