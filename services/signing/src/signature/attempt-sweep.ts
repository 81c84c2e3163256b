// Asks about attempts that were submitted and never answered. [D41]
import { sql, type Kysely } from 'kysely'
import { allAtOnce } from '@paraph/service/at-once'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { inOwnTrace } from '@paraph/telemetry/trace-context'
import type { ContractClient } from './contract-client.js'
import type { SigningDatabase } from './database.js'
import { settle, type Settlement } from './settlement.js'

const BATCH = 50
const EVERY_MS = 2_000

/**
 * The loop that asks; `sweep` is one round of it.
 * @param unsettledAfterSeconds how long a submitted attempt waits for its answer before it is asked about
 */
export function createSignSweep({
  database,
  contract,
  unsettledAfterSeconds,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  unsettledAfterSeconds: number
  logger: Logger
}) {
  /** @returns true when more may wait */
  async function sweep(): Promise<boolean> {
    // Who was asked about goes to the back: attempts that cannot be settled hold up nobody.
    const { rows } = await sql<{ id: string; contractId: string }>`
      update sign_attempt set asked_at = clock_timestamp()
       where id in (select id from sign_attempt
                     where state = 'submitted'
                       and submitted_at < clock_timestamp() - make_interval(secs => ${unsettledAfterSeconds})
                     order by asked_at nulls first limit ${BATCH} for update skip locked)
      returning id, contract_id as "contractId"`.execute(database)
    const asked = (row: (typeof rows)[number]) => inOwnTrace({ name: 'settle attempt' }, () => ask(row))
    const settled = await allAtOnce(rows, asked, (error, { id }) =>
      logger.warn({ err: error, attemptId: id }, 'an attempt cannot be settled yet; it is tried again'),
    )
    return settled === BATCH
  }

  /** Settles one attempt by what the contract service says of it; an attempt it has not heard of can no longer land. */
  async function ask({ id, contractId }: { id: string; contractId: string }): Promise<void> {
    const answer = await contract.ceremony.settleSignature.mutate({ contractId, attemptId: id })
    failPoint('sweep.answered')
    const outcome: Settlement =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: 'given_up' }
    await database.transaction().execute(async (trx) => {
      await settle(trx, id, outcome)
      failPoint('sweep.settling')
    })
    failPoint('sweep.settled')
  }

  const loop = createLoop({
    work: sweep,
    pauseMs: EVERY_MS,
    trouble: 'signatures cannot be settled at the moment; it is tried again',
    logger,
  })
  return { ...loop, sweep }
}
