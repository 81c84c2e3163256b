// Stores a corrected address: the new one of the party, the old one beside it, and what else followed from the address. [D61]
import { sql, type Transaction } from 'kysely'
import type { ContractDatabase } from '../database.js'
import type { ContractEvent } from '../domain/contract.js'
import { addWords } from './contract-words.js'
import { forgetDelivery } from './deliveries.js'

/**
 * Runs under the contract's row lock. The old address still finds the contract, until an erasure.
 * @param version of the contract after the event
 */
export async function storeReaddress(
  trx: Transaction<ContractDatabase>,
  id: string,
  { partyIndex, addressNumber, at }: ContractEvent & { type: 'party_readdressed' },
  { email, version }: { email: string | undefined; version: number },
): Promise<void> {
  if (email === undefined) throw new Error('a correction needs an address')
  await sql`select readdress_party(${id}, ${partyIndex}, ${addressNumber}, ${email}, ${at}, ${version})`.execute(trx)
  await addWords(trx, id, email)
  await forgetDelivery(trx, id, partyIndex)
}
