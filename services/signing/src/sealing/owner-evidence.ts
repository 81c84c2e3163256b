// The evidence as the owner of a contract reads it: the history, the file so far and its disclosures. [D30, D39]
// Does not own: the check of the owner (rpc-router.ts), the chain itself (chain/chain-store.ts).
import { sql, type Kysely } from 'kysely'
import { mailboxOf } from '@paraph/protocol/text-rules'
import type { SigningDatabase } from '../database.js'
import { readLines, readDisclosures } from '../chain/chain-store.js'
import { sha256Hex } from '../chain/entry.js'
import { writeDisclosures } from '../chain/disclosures.js'
import { readCopies } from './queue.js'
import type { DeclineReason } from '../decline/decline.js'
import type { Documents } from '../documents/documents.js'

type Database = Kysely<SigningDatabase>

/** A party that an entry names; its role is null after an erasure. [D43] */
interface NamedParty {
  index: number
  role: string | null
}

/** `unsigned`: the lines so far, JSON with an LF after each. Only a completed contract's chain is ever signed. */
type EvidenceFile = { state: 'sealed' | 'unsigned'; isClosed: boolean; fileName: string; text: string }

/**
 * At most `limit` entries, newest first: the entries before `beforeSeq`, or the newest. `hashStart` is the beginning of the line's hash.
 * `parties` is one party, or all parties that share the mailbox of the entry; empty for a mailbox without a disclosure. `decline`: why a
 * party declined, in words too unless they were erased. [D57]
 */
export async function readHistory(
  database: Database,
  contractId: string,
  { beforeSeq, limit }: { beforeSeq?: number | undefined; limit: number },
) {
  let query = database
    .selectFrom('evidence_entry')
    .select(['seq', 'type', 'line'])
    .where('contract_id', '=', contractId)
    .orderBy('seq', 'desc')
    .limit(limit + 1)
  if (beforeSeq !== undefined) query = query.where('seq', '<', beforeSeq)
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const seqs = page.map(({ seq }) => seq)
  const { partiesOf, noteOf } = await openEntries(database, contractId, seqs)
  return {
    entries: page.map(({ seq, type, line }) => {
      const { at, data } = JSON.parse(line) as { at: string; data: { partyIndex?: number; reason?: DeclineReason } }
      const parties = partiesOf(seq, data.partyIndex)
      const decline = type === 'party.declined' ? { reason: data.reason ?? 'other', note: noteOf(seq) } : null
      return { seq, type, at, hashStart: sha256Hex(line).slice(0, 8), parties, decline }
    }),
    hasOlder: rows.length > limit,
    isClosed: await isClosed(database, contractId),
    copies: await readCopies(database, contractId),
  }
}

/** Finds the parties that an entry names, by its party index or by the mailbox that the entry commits to, and the note of a decline. */
async function openEntries(database: Database, contractId: string, seqs: number[]) {
  const { rows } = await sql<{ seq: number; path: string; value: string }>`
    select seq, path, value from evidence_opening
     where contract_id = ${contractId}
       and (seq = 1 and path ~ '^parties\\.\\d+\\.(role|email)$' or seq = any(${seqs}::int[]) and path in ('mailbox', 'note'))`.execute(
    database,
  )
  const opened = new Map(rows.map(({ seq, path, value }) => [`${seq} ${path}`, value]))
  // A path such as `parties.3.email` contains the party's index.
  const emails = rows.filter(({ path }) => path.endsWith('.email'))
  const indexesOf = (mailbox: string): number[] =>
    emails.filter(({ value }) => mailboxOf(value) === mailbox).map(({ path }) => Number(path.split('.')[1]))
  const named = (index: number): NamedParty => ({ index, role: opened.get(`1 parties.${index}.role`) ?? null })
  const noteOf = (seq: number): string | null => opened.get(`${seq} note`) ?? null
  const partiesOf = (seq: number, partyIndex: number | undefined): NamedParty[] => {
    if (partyIndex !== undefined) return [named(partyIndex)]
    const mailbox = opened.get(`${seq} mailbox`)
    if (mailbox === undefined) return []
    return indexesOf(mailboxOf(mailbox))
      .toSorted((left, right) => left - right)
      .map(named)
  }
  return { partiesOf, noteOf }
}

/** The signed chain, or its lines until it is signed; undefined before the first event of the contract. */
export async function readEvidenceFile(
  database: Database,
  documents: Pick<Documents, 'readJws'>,
  contractId: string,
): Promise<EvidenceFile | undefined> {
  const jws = await documents.readJws(contractId)
  if (jws !== undefined) return { state: 'sealed', isClosed: true, fileName: 'evidence.jws', text: `${jws}\n` }
  const lines = await readLines(database, contractId)
  if (lines.length === 0) return undefined
  const text = lines.map((line) => `${line}\n`).join('')
  return { state: 'unsigned', isClosed: await isClosed(database, contractId), fileName: 'evidence-so-far.jsonl', text }
}

/** All disclosures of the chain: the owner may read every one. Undefined when there are none, as after an erasure. [D30, D43] */
export async function readOwnersDisclosures(database: Database, contractId: string): Promise<string | undefined> {
  const disclosures = await readDisclosures(database, contractId)
  return disclosures.length === 0 ? undefined : writeDisclosures(disclosures)
}

async function isClosed(database: Database, contractId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from evidence_chain where contract_id = ${contractId} and closed_at is not null`.execute(database)
  return rows.length > 0
}
