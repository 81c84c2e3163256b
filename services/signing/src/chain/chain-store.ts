// The rows of the evidence chain of each contract: append-only, each line contains the hash of the line before. [D30]
// Opens, appends and closes in the caller's transaction, under the chain's row lock.
import { randomBytes } from 'node:crypto'
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely'
import type { ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { GENESIS, Personal, writeLine, type EntryData, type EntryType } from './entry.js'
import type { ChainDisclosure } from './disclosures.js'

type Trx = Transaction<SigningDatabase>

/** Entries that close a chain. */
const CLOSING: ReadonlySet<EntryType> = new Set(['contract.completed', 'contract.expired', 'contract.cancelled'])

/**
 * Opens the chain with `contract.created` unless it exists, and appends the corrected addresses that it lacks. Both evidence tasks and
 * every verified code do so, because the bus may delay the events: a mailbox is in the chain before its code.
 */
export async function openChain(trx: Trx, view: ContractView): Promise<void> {
  await openNewChain(trx, view)
  if (view.readdresses.length > 0) await appendReaddresses(trx, view)
}

async function openNewChain(trx: Trx, view: ContractView): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('evidence_chain')
    .values({ contract_id: view.contractId, seq: 0, hash: GENESIS })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return
  const { contractId, contractNumber, contractType, environment, contentSha256, createdAt, expiresAt } = view
  const parties = view.parties.map(({ role, legalName }, index) => ({
    role: new Personal(role),
    legalName: new Personal(legalName),
    email: new Personal(addressAfter(view, index, 0)),
  }))
  const contract = { contractId, contractNumber, contractType, environment, contentSha256, createdAt, expiresAt }
  await append(trx, contractId, 'contract.created', { ...contract, parties })
}

/** Appends an entry for each corrected address that the chain does not have, with commitments to the old and the new address. [D61] */
async function appendReaddresses(trx: Trx, view: ContractView): Promise<void> {
  const { contractId } = view
  await lockChain(trx, contractId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from evidence_entry where contract_id = ${contractId} and type = 'party.readdressed'`.execute(
    trx,
  )
  for (const [index, { partyIndex, oldEmail, at }] of view.readdresses.entries()) {
    if (index < elementAt(rows, 0).count) continue
    const email = addressAfter(view, partyIndex, index + 1)
    await append(trx, contractId, 'party.readdressed', {
      partyIndex,
      readdressedAt: at,
      actor: 'owner',
      oldEmail: new Personal(oldEmail),
      email: new Personal(email),
    })
  }
}

/** The address of a party after the first `count` corrections of the contract. Its next correction has it as the old one. */
const addressAfter = ({ parties, readdresses }: ContractView, partyIndex: number, count: number): string =>
  readdresses.slice(count).find((next) => next.partyIndex === partyIndex)?.oldEmail ??
  elementAt(parties, partyIndex).email

/** Locks the chain until the commit, so that no other transaction appends. To avoid deadlocks, lock attempts before the chain. */
export async function lockChain(trx: Trx, contractId: string): Promise<void> {
  await sql`select 1 from evidence_chain where contract_id = ${contractId} for update`.execute(trx)
}

/** Appends one entry, as `appendAll` does. @returns its `seq`, or undefined */
export const append = (trx: Trx, contractId: string, type: EntryType, data: EntryData): Promise<number | undefined> =>
  appendAll(trx, contractId, [{ type, data }])

/**
 * Appends entries, dated by the database's clock under the chain's lock. Times never decrease with `seq`, even when the clock is set
 * back.
 * @returns the last `seq`; undefined, with nothing appended, when the chain is closed or was never opened
 */
export async function appendAll(
  trx: Trx,
  contractId: string,
  entries: readonly { type: EntryType; data: EntryData }[],
): Promise<number | undefined> {
  const chain = await lockWithClock(trx, contractId)
  if (!chain || chain.closed_at) return undefined
  const at = chain.newest_at && chain.newest_at > chain.now ? chain.newest_at : chain.now
  let { seq, hash } = chain
  const written = entries.map(({ type, data }) => {
    seq += 1
    const { line, disclosures, ...own } = writeLine({ seq, type, at, data }, hash, newSalt)
    hash = own.hash
    return { seq, type, line, disclosures: disclosures.map((disclosure) => ({ seq, ...disclosure })) }
  })
  const closedAt = entries.some(({ type }) => CLOSING.has(type)) ? at : null
  await writeEntries(trx, contractId, written, { seq, hash, newest_at: at, closed_at: closedAt })
  return seq
}

const newSalt = (): string => randomBytes(16).toString('hex')

/** Locks and reads the chain, then reads the clock: Postgres evaluates it for the locked row. */
async function lockWithClock(trx: Trx, contractId: string) {
  type Locked = Pick<Selectable<SigningDatabase['evidence_chain']>, 'seq' | 'hash' | 'newest_at' | 'closed_at'>
  const { rows } = await sql<Locked & { now: Date }>`
    with chain as materialized (
      select seq, hash, newest_at, closed_at from evidence_chain where contract_id = ${contractId} for update)
    select *, date_trunc('milliseconds', clock_timestamp()) as now from chain`.execute(trx)
  return rows[0]
}

type Written = { seq: number; type: EntryType; line: string; disclosures: ChainDisclosure[] }

async function writeEntries(
  trx: Trx,
  contractId: string,
  written: readonly Written[],
  { seq, hash, newest_at, closed_at }: { seq: number; hash: string; newest_at: Date; closed_at: Date | null },
): Promise<void> {
  const openings = written.flatMap(({ disclosures }) => disclosures)
  await sql`
    with entry as (
      insert into evidence_entry (contract_id, seq, type, line)
      select ${contractId}, * from unnest(${written.map((each) => each.seq)}::int[],
                                          ${written.map(({ type }) => type)}::text[],
                                          ${written.map(({ line }) => line)}::text[])),
    opening as (
      insert into evidence_opening (contract_id, seq, path, salt, value)
      select ${contractId}, * from unnest(${openings.map((each) => each.seq)}::int[],
                                          ${openings.map(({ path }) => path)}::text[],
                                          ${openings.map(({ salt }) => salt)}::text[],
                                          ${openings.map(({ value }) => value)}::text[]))
    update evidence_chain set seq = ${seq}, hash = ${hash}, newest_at = ${newest_at}, closed_at = ${closed_at}
     where contract_id = ${contractId}`.execute(trx)
}

/** The lines of a chain, in order. */
export async function readLines(database: Kysely<SigningDatabase>, contractId: string): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from evidence_entry where contract_id = ${contractId} order by seq`.execute(database)
  return rows.map(({ line }) => line)
}

/** The disclosures of the commitments of a contract's chain; none after an erasure. */
export const readDisclosures = (database: Kysely<SigningDatabase>, contractId: string): Promise<ChainDisclosure[]> =>
  database
    .selectFrom('evidence_opening')
    .select(['seq', 'path', 'salt', 'value'])
    .where('contract_id', '=', contractId)
    .execute()
