// The rows of `contract_word`, by which an owner finds a contract. Written with the contract, erased with its names. [D71, D43]
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { CreateContract } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/principal'
import { wordsOf } from '../domain/search-words.js'
import type { ContractDatabase } from '../database.js'

type SearchedContract = Pick<CreateContract, 'parties' | 'metadata'> & { contractNumber: string; senderName: string }

/** The words of number, names, addresses, sender and metadata, in this order, of which the last are dropped if there are too many. */
export const wordsOfContract = ({ contractNumber, parties, senderName, metadata = {} }: SearchedContract): string[] =>
  wordsOf([
    contractNumber,
    ...parties.flatMap(({ legalName, email }) => [legalName, email]),
    senderName,
    ...Object.entries(metadata).flat(),
  ])

interface WordsOwner extends Pick<Principal, 'accountId' | 'environment'> {
  contractId: string
  expiresAt: Date
}

/** The statement that adds the words of a new contract. */
export const wordInsert = (owner: WordsOwner, words: readonly string[]): RawBuilder<unknown> => sql`
  insert into contract_word (account_id, environment, word, expires_at, contract_id)
  select ${owner.accountId}, ${owner.environment}, word, ${owner.expiresAt}::timestamptz, ${owner.contractId}
    from unnest(${[...words]}::text[]) as word`

/** Adds the words of a text that an existing contract has since. */
export const addWords = (trx: Transaction<ContractDatabase>, id: string, text: string) =>
  sql`insert into contract_word (account_id, environment, word, expires_at, contract_id)
      select account_id, environment, word, expires_at, id from contract, unnest(${wordsOf([text])}::text[]) as word
       where id = ${id} on conflict do nothing`.execute(trx)

/** Deletes the words of a contract, except those of its number, which stays. [D43] */
export async function eraseWords(trx: Transaction<ContractDatabase>, id: string): Promise<void> {
  const { contract_number: number } = await trx
    .selectFrom('contract')
    .select('contract_number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await sql`delete from contract_word where contract_id = ${id} and word <> all(${wordsOf([number])}::text[])`.execute(
    trx,
  )
}
