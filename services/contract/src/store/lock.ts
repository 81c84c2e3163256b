// What a decision is made on: contracts under the row lock that decides sign, cancel and expire, and a clock read after it. [D20]
import { sql, type Transaction } from 'kysely'
import type { Environment } from '@paraph/protocol/caller'
import type { ContractStatus } from '@paraph/protocol/contract'
import type { Contract } from './contract.js'
import type { ContractDatabase } from './database.js'

type Trx = Transaction<ContractDatabase>

/** A contract that is this transaction's until it ends. */
export interface LockedContract {
  id: string
  accountId: string
  environment: Environment
  contract: Contract
  /** The database's clock, read when the lock was held. */
  now: Date
}

interface LockedRow {
  id: string
  account_id: string
  environment: Environment
  status: ContractStatus
  expires_at: Date
  erased_at: Date | null
  version: number
}

const COLUMNS = ['id', 'account_id', 'environment', 'status', 'expires_at', 'erased_at', 'version'] as const

/** Waits for whoever holds it. Undefined for an unknown id. */
export async function lockContract(trx: Trx, id: string): Promise<LockedContract | undefined> {
  const rows = await trx.selectFrom('contract').select(COLUMNS).where('id', '=', id).forUpdate().execute()
  return (await readFacts(trx, rows))[0]
}

/** Open contracts whose time is over, at most `count`, soonest first. Waits for nobody: who is being decided on comes up again. */
export async function lockDue(trx: Trx, count: number): Promise<LockedContract[]> {
  return readFacts(trx, await selectDue(trx, count).execute())
}

/** Only what is due is read, however many contracts are open: the index holds nothing but open ones, in this order. */
export const selectDue = (trx: Trx, count: number) =>
  trx
    .selectFrom('contract')
    .select(COLUMNS)
    .where('status', 'in', ['pending_signature', 'partially_signed'])
    // now(): an index serves only what stays the same during the statement, and clock_timestamp() does not.
    .where('expires_at', '<=', sql<Date>`now()`)
    .orderBy('expires_at')
    .limit(count)
    .forUpdate()
    .skipLocked()

/** A statement of its own after the lock: what it reads, the clock too, must not be from before the wait. [D20] */
async function readFacts(trx: Trx, locked: readonly LockedRow[]): Promise<LockedContract[]> {
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
  const factsOf = new Map(rows.map((row) => [row.id, row]))
  return locked.map((row) => {
    const { now, party_count, signatures } = factsOf.get(row.id)!
    return {
      ...{ id: row.id, accountId: row.account_id, environment: row.environment, now },
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
