// Expires due contracts once a second, in batches. A batch of two hundred takes as many statements as one contract. [D20, F23]
// `decide` decides on each contract. Readers do not depend on this sweep, because they derive the status from the clock (`statusAt`).
import { sql, type Kysely, type Transaction } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { Logger } from '@paraph/telemetry/logger'
import { failPoint } from '@paraph/testing/fail-point'
import { decide, evolve, type Contract, type ContractEvent } from '../domain/contract.js'
import { lockDue, selectDue, type LockedContract } from './lock.js'
import { outboxRowOf } from '../domain/events.js'
import { recordTransition } from '../metrics.js'
import type { ContractDatabase } from '../database.js'

const PAUSE_MS = 1_000
/** Rows that a transaction locks. Nobody can sign these contracts any longer; their readers wait for the commit (contract-store.ts). */
const BATCH = 200

interface ExpirySweepDeps {
  database: Kysely<ContractDatabase>
  /** Called after a commit, with the ids of the contracts that it changed. */
  onChanged: (ids: readonly string[]) => void
  logger: Logger
}

/** Any number of replicas may run this sweep. */
export function createExpirySweep({ database, onChanged, logger }: ExpirySweepDeps) {
  return createLoop({
    name: 'contract expiry',
    async work() {
      const expired = await expireDue(database, BATCH, onChanged)
      if (expired > 0) logger.info({ count: expired }, 'contracts expired')
      return expired === BATCH
    },
    pauseMs: PAUSE_MS,
    failureMessage: 'could not expire due contracts; retrying',
    logger,
  })
}

interface Expiry {
  locked: LockedContract
  event: ContractEvent
  after: Contract
}

/**
 * Expires due open contracts, at most `count`, soonest first, in one transaction. Concurrent calls share the work without waiting for
 * each other.
 * @param onChanged called after the commit, with the ids of the expired contracts
 * @returns the number of expired contracts; if it equals `count`, more may be due
 */
export async function expireDue(
  database: Kysely<ContractDatabase>,
  count: number,
  onChanged: ExpirySweepDeps['onChanged'] = () => undefined,
): Promise<number> {
  // Most rounds end here, without a transaction.
  if ((await selectDue(database, 1).execute()).length === 0) return 0
  const expired = await database.transaction().execute(async (trx) => {
    const due = await lockDue(trx, count)
    if (due.length === 0) return []
    failPoint('expire.locked')
    const expiries = due.flatMap(decideExpiry)
    await store(trx, expiries)
    failPoint('expire.stored')
    return expiries
  })
  if (expired.length === 0) return 0
  failPoint('expire.committed')
  onChanged(expired.map(({ locked }) => locked.id))
  for (const { locked, after } of expired) recordTransition(locked.environment, locked.contract.status, after.status)
  return expired.length
}

function decideExpiry(locked: LockedContract): Expiry[] {
  const decision = decide(locked.contract, { type: 'expire' }, locked.now)
  if ('refusal' in decision) return []
  return decision.events.map((event) => ({ locked, event, after: evolve(locked.contract, event) }))
}

async function store(trx: Transaction<ContractDatabase>, expiries: readonly Expiry[]): Promise<void> {
  await sql`
    update contract c set status = e.status, version = e.version, changed_at = e.at
      from unnest(${expiries.map(({ locked }) => locked.id)}::text[], ${expiries.map(({ after }) => after.status)}::text[],
                  ${expiries.map(({ after }) => after.version)}::int[], ${expiries.map(({ event }) => event.at.toISOString())}::timestamptz[])
        as e(id, status, version, at)
     where c.id = e.id`.execute(trx)
  await appendToOutbox(
    trx,
    ...expiries.map(({ event, after, locked: { id, accountId, environment } }) =>
      outboxRowOf(event, after.version, { contractId: id, accountId, environment }),
    ),
  )
}
