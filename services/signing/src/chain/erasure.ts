// Erases what is personal of one contract here: what opens the commitments, the PDF, what the ceremony kept. [D43]
// The chain, its signature and every hash stay, and still verify.
import { sql, type Transaction } from 'kysely'
import { TABLES_OF_SCOPE } from '@paraph/codes/code-tables'
import type { SigningDatabase } from './database.js'
import { lockChain } from './evidence-chain.js'

type Trx = Transaction<SigningDatabase>

/** Rows that go with the contract; what they were for is over. `text_shown` goes with its session. */
const GOES = ['evidence_opening', 'sealed_copy'] as const

/** Met by whoever was about to keep something of a contract that was erased a moment ago. */
export class ContractErased extends Error {
  override name = 'ContractErased'
}

/**
 * At the beginning of a transaction that keeps something personal of a contract: from here to its end no erasure begins, and one that
 * is under way ends first. Any number may hold it at once.
 * @throws ContractErased where there is nothing to be kept any more
 */
export async function holdOffErasure(trx: Trx, contractId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`erasure ${contractId}`}, 0))`.execute(trx)
  if (await isErased(trx, contractId)) throw new ContractErased()
}

/** Once is enough; again it changes nothing. Whoever seals the contract meanwhile waits for the chain, and finds it erased. */
export async function eraseContract(trx: Trx, contractId: string, at: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`erasure ${contractId}`}, 0))`.execute(trx)
  await lockChain(trx, contractId)
  await trx
    .insertInto('erasure')
    .values({ contract_id: contractId, erased_at: at })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .execute()
  for (const table of GOES) await trx.deleteFrom(table).where('contract_id', '=', contractId).execute()
  for (const table of TABLES_OF_SCOPE) await trx.deleteFrom(table).where('scope', '=', contractId).execute()
  await sql`update sign_attempt set typed_name = '' where contract_id = ${contractId}`.execute(trx)
  await sql`update report set message = '' where contract_id = ${contractId}`.execute(trx)
}

/** Under the chain's lock. */
export async function isErased(trx: Trx, contractId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('erasure')
    .select('erased_at')
    .where('contract_id', '=', contractId)
    .executeTakeFirst()
  return row !== undefined
}
