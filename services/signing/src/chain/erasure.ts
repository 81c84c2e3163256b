// Erases the personal data of one contract: the disclosures, the PDF, the rows of the ceremony. [D43]
// The chain, its signature and every hash stay and still verify.
import { sql, type Transaction } from 'kysely'
import { elementAt } from '@paraph/protocol/element-at'
import { TABLES_OF_SCOPE } from '@paraph/codes/code-tables'
import type { SigningDatabase } from '../database.js'
import { deleteObject, deleteReservedPdfs } from '../documents/object-deletion.js'
import { lockChain } from './chain-store.js'

type Trx = Transaction<SigningDatabase>

/** Thrown instead of storing personal data of an erased contract. */
export class ContractErased extends Error {
  override name = 'ContractErased'
}

/**
 * Call first in a transaction that stores personal data of a contract. Waits for an erasure under way, and blocks a new one until the
 * transaction ends. The lock is shared: such transactions do not block each other.
 * @throws ContractErased when the contract was erased
 */
export async function delayErasure(trx: Trx, contractId: string): Promise<void> {
  const { rows } = await sql<{ isErased: boolean }>`select delay_erasure(${contractId}) as "isErased"`.execute(trx)
  if (elementAt(rows, 0).isErased) throw new ContractErased()
}

/** Idempotent. A sealing of the same contract waits for the chain's lock and then finds the contract erased. */
export async function eraseContract(trx: Trx, contractId: string, at: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`erasure ${contractId}`}, 0))`.execute(trx)
  await lockChain(trx, contractId)
  await sql`insert into erasure (contract_id, erased_at) values (${contractId}, ${at}) on conflict do nothing`.execute(
    trx,
  )
  await deleteCopy(trx, contractId)
  await trx.deleteFrom('evidence_opening').where('contract_id', '=', contractId).execute()
  // Rows of `text_shown` are deleted with their session.
  for (const table of TABLES_OF_SCOPE) await trx.deleteFrom(table).where('scope', '=', contractId).execute()
  await sql`update sign_attempt set typed_name = '' where contract_id = ${contractId}`.execute(trx)
  await sql`delete from decline where contract_id = ${contractId}`.execute(trx)
  // The note of an operator may name people too; `left` keeps the null of an open report.
  await sql`update report set message = '', note = left(note, 0) where contract_id = ${contractId}`.execute(trx)
}

/** Deletes the signed PDF. In the object store it is deleted by a task, soon after the commit. [P43] */
async function deleteCopy(trx: Trx, contractId: string): Promise<void> {
  const copy = await trx
    .deleteFrom('sealed_copy')
    .where('contract_id', '=', contractId)
    .returning('object_key as objectKey')
    .executeTakeFirst()
  if (copy?.objectKey) await deleteObject(trx, copy.objectKey)
  await deleteReservedPdfs(trx, contractId)
}

/** Whether the contract is erased. Call under the chain's lock or the lock of `delayErasure`. */
export async function isErased(trx: Trx, contractId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from erasure where contract_id = ${contractId}`.execute(trx)
  return rows.length > 0
}
