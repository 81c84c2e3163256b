// Locks the rows of contracts: the row lock decides between sign, cancel and expire. Reads the clock after the lock. [D20]
import { sql, type Selectable, type Transaction } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { Contract } from '../domain/contract.js'
import type { ContractDatabase, ContractTable } from '../database.js'

type Trx = Transaction<ContractDatabase>

/** A contract whose row is locked until the transaction ends. */
export interface LockedContract {
  id: string
  accountId: string
  environment: Environment
  contract: Contract
  /** The database's clock, read under the lock. */
  now: Date
}

const COLUMNS = ['id', 'account_id', 'environment', 'status', 'expires_at', 'erased_at', 'version'] as const
type LockedRow = Selectable<Pick<ContractTable, (typeof COLUMNS)[number]>>

/** Waits for the transaction that holds the row. Undefined for an unknown id. */
export async function lockContract(trx: Trx, id: string): Promise<LockedContract | undefined> {
  const rows = await trx.selectFrom('contract').select(COLUMNS).where('id', '=', id).forUpdate().execute()
  return (await readState(trx, rows))[0]
}

/** Due open contracts, at most `count`, soonest first. Skips rows that are locked: a later call finds those that are still due. */
export async function lockDue(trx: Trx, count: number): Promise<LockedContract[]> {
  return readState(trx, await selectDue(trx, count).execute())
}

/** Reads due rows only, however many contracts are open: the partial index `contract_due` has the open ones in this order. */
export const selectDue = (trx: Trx, count: number) =>
  trx
    .selectFrom('contract')
    .select(COLUMNS)
    .where('status', 'in', ['pending_signature', 'partially_signed'])
    // now(), because clock_timestamp() changes during the statement and so cannot use an index.
    .where('expires_at', '<=', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(count)
    .forUpdate()
    .skipLocked()

/** A second statement after the lock: its snapshot and its clock must not be older than the wait for the lock. [D20] */
async function readState(trx: Trx, locked: readonly LockedRow[]): Promise<LockedContract[]> {
  if (locked.length === 0) return []
  const { rows } = await sql<{
    id: string
    now: Date
    party_count: number
    signatures: { partyIndex: number; attemptId: string; signedAt: string }[]
  }>`
    select c.id, clock_timestamp() as now,
           (select count(*)::int from party where contract_id = c.id) as party_count,
           (select coalesce(json_agg(json_build_object('partyIndex', party_index, 'attemptId', attempt_id, 'signedAt', signed_at)), '[]')
              from signature where contract_id = c.id) as signatures
      from unnest(${locked.map(({ id }) => id)}::text[]) as c(id)`.execute(trx)
  const stateOf = new Map(rows.map((row) => [row.id, row]))
  return locked.map((row) => {
    const { now, party_count, signatures } = stateOf.get(row.id)!
    return {
      id: row.id,
      accountId: row.account_id,
      environment: row.environment,
      now,
      contract: {
        status: row.status,
        partyCount: party_count,
        signatures: signatures.map((signature) => ({ ...signature, signedAt: new Date(signature.signedAt) })),
        expiresAt: row.expires_at,
        isErased: row.erased_at !== null,
        version: row.version,
      },
    }
  })
}
