// The rows of the evidence chain of each contract: append-only, each line contains the hash of the line before. [D30]
// Opens, appends and closes under the chain's row lock. Does not own the SQL that writes a line (migrations/0001-ceremony.ts).
import { randomBytes } from 'node:crypto'
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { GENESIS, Personal, writeData, type EntryData, type EntryType } from './entry.js'
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
  const { contractId, contractNumber, contractType, environment, contentSha256, createdAt, expiresAt } = view
  const parties = view.parties.map(({ role, legalName }, index) => ({
    role: new Personal(role),
    legalName: new Personal(legalName),
    email: new Personal(addressAfter(view, index, 0)),
  }))
  const contract = { contractId, contractNumber, contractType, environment, contentSha256, createdAt, expiresAt }
  const created = appendSql(contractId, [{ type: 'contract.created', data: { ...contract, parties } }])
  await sql`
    with opened as (
      insert into evidence_chain (contract_id, seq, hash) values (${contractId}, 0, ${GENESIS}) on conflict do nothing returning 1)
    select ${created} from opened`.execute(trx)
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

export interface NewEntry {
  type: EntryType
  data: EntryData
}

/** Appends one entry, as `appendSql` does. @returns its `seq`, or undefined */
export async function append(
  trx: Trx,
  contractId: string,
  type: EntryType,
  data: EntryData,
): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number | null }>`select ${appendSql(contractId, [{ type, data }])} as seq`.execute(
    trx,
  )
  return elementAt(rows, 0).seq ?? undefined
}

/**
 * The expression that appends entries, dated by the database's clock under the chain's lock. Its value is the last `seq`; null, with nothing
 * appended, when the chain is closed or was never opened.
 */
export function appendSql(contractId: string, entries: readonly NewEntry[]): RawBuilder<number | null> {
  const written = entries.map(({ data }) => writeData(data, newSalt))
  const openings = written.flatMap(({ disclosures }, index) =>
    disclosures.map((each) => ({ ...each, place: index + 1 })),
  )
  return sql`append_to_chain(${contractId}, ${entries.map(({ type }) => type)}::text[], ${written.map(({ json }) => json)}::text[],
    ${entries.some(({ type }) => CLOSING.has(type))}, ${openings.map(({ place }) => place)}::int[],
    ${openings.map(({ path }) => path)}::text[], ${openings.map(({ salt }) => salt)}::text[],
    ${openings.map(({ value }) => value)}::text[])`
}

const newSalt = (): string => randomBytes(16).toString('hex')

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
