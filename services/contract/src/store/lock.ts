// Locks the rows of contracts, which serializes sign, cancel and expire. Reads the clock after the lock. [D20]
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Principal } from '@paraph/protocol/principal'
import type { Contract } from '../domain/contract.js'
import type { ContractDatabase } from '../database.js'
import { isOfPresentAddress } from './contract-record.js'

type Trx = Transaction<ContractDatabase>

/** A contract whose row is locked until the transaction ends. */
export interface LockedContract extends Pick<Principal, 'accountId' | 'environment'> {
  id: string
  contract: Contract
  contentSha256: Buffer
  /** Whether the attempt that the caller named was given up, so that it may not sign any more. [D41] */
  isGivenUp: boolean
  /** The database's clock, read under the lock. */
  now: Date
}

/** A signature as JSON contains it. */
type StoredSignature = Omit<Contract['signatures'][number], 'signedAt'> & { signedAt: string }

/**
 * Locks and reads one contract. Waits for a transaction that has locked the row. Undefined for an unknown id.
 * @param attemptId for `isGivenUp`
 */
export async function lockContract(trx: Trx, id: string, attemptId?: string): Promise<LockedContract | undefined> {
  const rows = await trx.selectFrom('contract').select('id').where('id', '=', id).forUpdate().execute()
  return (await readState(trx, rows, attemptId))[0]
}

/** Locks and reads due open contracts, at most `count`, soonest first. Skips locked rows, which a later call finds if still due. */
export async function lockDue(trx: Trx, count: number): Promise<LockedContract[]> {
  return readState(trx, await selectDue(trx, count).forUpdate().skipLocked().execute())
}

/** Reads only due rows, however many contracts are open: the partial index `contract_due` has the open contracts in this order. */
export const selectDue = (database: Kysely<ContractDatabase>, count: number) =>
  database
    .selectFrom('contract')
    .select('id')
    .where('status', 'in', ['pending_signature', 'partially_signed'])
    // now(), because clock_timestamp() changes during the statement and so cannot use an index.
    .where('expires_at', '<=', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(count)

/** A second statement after the lock, because its snapshot and its clock must not be older than the lock. [D20] */
async function readState(
  trx: Trx,
  locked: readonly { id: string }[],
  attemptId: string | null = null,
): Promise<LockedContract[]> {
  if (locked.length === 0) return []
  type Row = Omit<LockedContract, 'contract'> & Omit<Contract, 'signatures'> & { signatures: StoredSignature[] }
  const { rows } = await sql<Row>`
    select c.id, c.account_id as "accountId", c.environment, clock_timestamp() as now, c.content_sha256 as "contentSha256",
           exists(select from sign_tombstone where attempt_id = ${attemptId}) as "isGivenUp",
           c.status, c.expires_at as "expiresAt", c.erased_at is not null as "isErased",
           c.held_at is not null as "isHeld", c.erase_due_at as "eraseDueAt", c.changed_at as "changedAt", c.version,
           c.cancels_on_decline as "cancelsOnDecline",
           array(select party_index from decline d where contract_id = c.id and ${isOfPresentAddress}) as declined,
           array(select party_index from readdress where contract_id = c.id) as readdressed,
           (select count(*)::int from party where contract_id = c.id) as "partyCount",
           (select coalesce(json_agg(json_build_object('partyIndex', party_index, 'attemptId', attempt_id, 'signedAt', signed_at)), '[]')
              from signature where contract_id = c.id) as signatures
      from contract c where c.id = any(${locked.map(({ id }) => id)}::text[]) order by c.expires_at`.execute(trx)
  return rows.map(({ id, accountId, environment, now, contentSha256, isGivenUp, signatures, ...state }) => ({
    id,
    accountId,
    environment,
    now,
    contentSha256,
    isGivenUp,
    contract: {
      ...state,
      signatures: signatures.map((signature) => ({ ...signature, signedAt: new Date(signature.signedAt) })),
    },
  }))
}
