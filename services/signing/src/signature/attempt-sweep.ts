// Finishes attempts that stayed submitted because the answer of the contract service was lost. [D41]
import { sql, type Kysely } from 'kysely'
import { settleAll } from '@paraph/background/settle-all'
import { failPoint } from '@paraph/testing/fail-point'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import type { ContractClient } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { finishAttempt, type AttemptOutcome } from './finish-attempt.js'

const BATCH = 50
const EVERY_MS = 2_000

export interface SignSweepDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  /** How long an attempt stays submitted before the contract service is queried about it. */
  unsettledAfterSeconds: number
  logger: Logger
}

/** The loop that finishes them; `sweep` is one round of it. */
export function createSignSweep({ database, contract, unsettledAfterSeconds, logger }: SignSweepDeps) {
  /** @returns true when more may be due */
  async function sweep(): Promise<boolean> {
    // A queried attempt moves to the back, so that one that keeps failing does not block the others.
    const { rows } = await sql<{ id: string; contractId: string }>`
      update sign_attempt set asked_at = clock_timestamp()
       where id in (select id from sign_attempt
                     where state = 'submitted'
                       and submitted_at < clock_timestamp() - make_interval(secs => ${unsettledAfterSeconds})
                     order by asked_at nulls first limit ${BATCH} for update skip locked)
      returning id, contract_id as "contractId"`.execute(database)
    const finished = await settleAll(
      rows,
      (row) => inOwnTrace({ name: 'settle attempt' }, () => finish(row)),
      (error, { id }) => logger.warn({ err: error, attemptId: id }, 'could not finish a sign attempt; retrying later'),
    )
    return finished === BATCH
  }

  /** Finishes one attempt with the contract service's outcome. The call also bars an attempt that never arrived there. */
  async function finish({ id, contractId }: { id: string; contractId: string }): Promise<void> {
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
  }

  const loop = createLoop({
    work: sweep,
    pauseMs: EVERY_MS,
    trouble: 'could not read unfinished sign attempts; retrying',
    logger,
  })
  return { ...loop, sweep }
}
