// The evidence chain of each contract: rows that are only ever added, each bound to the one before. [D30]
// Owns: opening, appending, closing. Everything happens in the caller's transaction, under the chain's row lock.
import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { GENESIS, Personal, writeLine, type EntryData, type EntryType } from './evidence.js'
import type { ChainOpening } from './openings.js'

type Trx = Transaction<SigningDatabase>

/** Entries that end a chain. What happens after them is not part of it. */
const CLOSING: ReadonlySet<EntryType> = new Set(['contract.completed', 'contract.expired', 'contract.cancelled'])

/**
 * Opens the chain with `contract.created` where it is not open yet: by whichever comes first, the event's worker or the
 * first code (the bus may be down).
 */
export async function openChain(trx: Trx, facts: ContractFacts): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('evidence_chain')
    .values({ contract_id: facts.contractId, seq: 0, hash: GENESIS })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return
  await append(trx, facts.contractId, 'contract.created', {
    contractId: facts.contractId,
    contractNumber: facts.contractNumber,
    contractType: facts.contractType,
    environment: facts.environment,
    contentSha256: facts.contentSha256,
    createdAt: facts.createdAt,
    expiresAt: facts.expiresAt,
    parties: facts.parties.map((party) => ({
      role: new Personal(party.role),
      legalName: new Personal(party.legalName),
      email: new Personal(party.email),
    })),
  })
}

/** Takes the chain's lock until the commit: whoever adds an entry waits. After locks on attempts, never before. */
export async function lockChain(trx: Trx, contractId: string): Promise<void> {
  await trx
    .selectFrom('evidence_chain')
    .select('contract_id')
    .where('contract_id', '=', contractId)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Adds one entry, dated by the database's clock after the chain's lock is held, and never before the entry that it follows: times
 * grow with `seq`, also where the clock was set back.
 * @returns its `seq`; undefined when the chain is closed or was never opened, and then nothing is added
 */
export async function append(
  trx: Trx,
  contractId: string,
  type: EntryType,
  data: EntryData,
): Promise<number | undefined> {
  const chain = await trx
    .selectFrom('evidence_chain')
    .select(['seq', 'hash', 'newest_at', 'closed_at'])
    .where('contract_id', '=', contractId)
    .forUpdate()
    .executeTakeFirst()
  if (!chain || chain.closed_at) return undefined
  const now = await readClock(trx)
  const at = chain.newest_at && chain.newest_at > now ? chain.newest_at : now
  const seq = chain.seq + 1
  const { line, hash, openings } = writeLine({ seq, type, at, data }, chain.hash, () => randomBytes(16).toString('hex'))
  await trx.insertInto('evidence_entry').values({ contract_id: contractId, seq, type, line }).execute()
  if (openings.length > 0) {
    await trx
      .insertInto('evidence_opening')
      .values(openings.map((opening) => ({ contract_id: contractId, seq, ...opening })))
      .execute()
  }
  await trx
    .updateTable('evidence_chain')
    .set({ seq, hash, newest_at: at, ...(CLOSING.has(type) ? { closed_at: at } : {}) })
    .where('contract_id', '=', contractId)
    .execute()
  return seq
}

/** How many signatures the chain holds as accepted. */
export async function countAccepted(trx: Trx, contractId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('evidence_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('contract_id', '=', contractId)
    .where('type', '=', 'signature.accepted')
    .executeTakeFirstOrThrow()
  return count
}

/** The lines of a chain, in order. */
export async function readLines(database: Kysely<SigningDatabase>, contractId: string): Promise<string[]> {
  const rows = await database
    .selectFrom('evidence_entry')
    .select('line')
    .where('contract_id', '=', contractId)
    .orderBy('seq')
    .execute()
  return rows.map(({ line }) => line)
}

/** What opens its commitments; nothing after an erasure. */
export const readOpenings = (database: Kysely<SigningDatabase>, contractId: string): Promise<ChainOpening[]> =>
  database
    .selectFrom('evidence_opening')
    .select(['seq', 'path', 'salt', 'value'])
    .where('contract_id', '=', contractId)
    .execute()
