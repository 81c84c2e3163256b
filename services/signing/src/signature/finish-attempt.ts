// How an attempt ends: accepted or refused, once, with its entry in the chain. [D30, D41]
// Owns: the compare-and-set that reply, event and sweeper all come to. Does not own: who asks the contract service (sign.ts).
import type { inferRouterOutputs } from '@trpc/server'
import { sql, type Transaction } from 'kysely'
import type { RpcRouter as ContractRouter } from '@paraph/contract/rpc-router'
import type { SigningDatabase } from './database.js'
import { append } from './evidence-chain.js'

type Trx = Transaction<SigningDatabase>

/** Why the contract service did not record a signature. */
type SignRefusal = Extract<inferRouterOutputs<ContractRouter>['ceremony']['sign'], { outcome: 'refused' }>['reason']

/** How an attempt ends. */
export type Settlement = { kind: 'accepted'; signedAt: Date } | { kind: 'refused'; reason: SignRefusal }

/**
 * Settles a submitted attempt, once: reply, event and sweeper all come here, and the first wins by compare-and-set.
 * An attempt that is settled already, or unknown, is left as it is.
 */
export async function settle(trx: Trx, attemptId: string, outcome: Settlement): Promise<void> {
  const accepted = outcome.kind === 'accepted'
  const attempt = await trx
    .updateTable('sign_attempt')
    .set({
      state: accepted ? 'accepted' : 'refused',
      settled_at: sql<Date>`clock_timestamp()`,
      signed_at: accepted ? outcome.signedAt : null,
    })
    .where('id', '=', attemptId)
    .where('state', '=', 'submitted')
    .returning(['contract_id', 'party_index'])
    .executeTakeFirst()
  if (!attempt) return
  const { contract_id, party_index } = attempt
  if (accepted) {
    const signedAt = outcome.signedAt.toISOString()
    await append(trx, contract_id, 'signature.accepted', { partyIndex: party_index, attemptId, signedAt })
  } else {
    await append(trx, contract_id, 'signature.refused', { partyIndex: party_index, attemptId, reason: outcome.reason })
  }
}

/** Ends the attempts of a contract that is final: none of them can land any more. Before its chain is closed. */
export async function settleRest(
  trx: Trx,
  contractId: string,
  reason: 'signed' | 'expired' | 'cancelled',
): Promise<void> {
  const attempts = await trx
    .selectFrom('sign_attempt')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('state', '=', 'submitted')
    // All of them before the chain's lock, which whoever settles one of them takes second.
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id } of attempts) await settle(trx, id, { kind: 'refused', reason })
}

/** True while an attempt for this contract was submitted and has no end. */
export async function isAnyOnItsWay(trx: Trx, contractId: string): Promise<boolean> {
  const attempt = await trx
    .selectFrom('sign_attempt')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('state', '=', 'submitted')
    .executeTakeFirst()
  return attempt !== undefined
}
