// The tables of the signing service, as queries see them. Their law is in migrations/.
import type { ColumnType, Generated } from 'kysely'
import type { CodeTables } from '@paraph/codes/code-tables'
import type { EntryType } from './evidence.js'
import type { ReportReason } from './report.js'

type Fixed<T> = ColumnType<T, T, never>

/** Which text was shown to which party in which session: once each. [D31] */
export interface TextShownTable {
  session_id: Fixed<string>
  party_index: Fixed<number>
}

export type AttemptState = 'submitted' | 'accepted' | 'refused'

/** Mutable, beside the chain; makes every crash recoverable. [D41] */
export interface SignAttemptTable {
  id: Fixed<string>
  contract_id: Fixed<string>
  party_index: Fixed<number>
  session_id: Fixed<string>
  state: AttemptState
  typed_name: Fixed<string>
  submitted_at: Fixed<Date>
  /** When the contract service was last asked about it, for want of an answer. */
  asked_at: ColumnType<Date | null, undefined, Date>
  settled_at: Date | null
  signed_at: Date | null
}

export interface EvidenceChainTable {
  contract_id: Fixed<string>
  seq: number
  /** Lower-case hex SHA-256 of the newest line. */
  hash: string
  /** `at` of the newest line. */
  newest_at: ColumnType<Date | null, undefined, Date>
  closed_at: Date | null
}

/** Append-only: the database refuses update and delete, to the service by its role and to the owner by a trigger. [D30] */
export interface EvidenceEntryTable {
  contract_id: Fixed<string>
  seq: Fixed<number>
  type: Fixed<EntryType>
  /** The canonical JSON line, without its newline. */
  line: Fixed<string>
}

/** What opens a commitment; erasure may delete it, and the chain still verifies. [D30, D43] */
export interface EvidenceOpeningTable {
  contract_id: Fixed<string>
  seq: Fixed<number>
  path: Fixed<string>
  salt: Fixed<string>
  value: Fixed<string>
}

/** Work that an event or a sent code left: calls to others happen in the worker, not in the consumer. [D49] */
export interface EvidenceTaskTable {
  id: Generated<number>
  contract_id: Fixed<string>
  type: Fixed<string>
  data: ColumnType<Record<string, unknown>, string, never>
  attempts: ColumnType<number, number | undefined, number>
  created_at: Generated<Date>
  run_after: ColumnType<Date, Date | undefined, Date>
  done_at: Date | null
  /** Of what made it due. [D51] */
  traceparent: Fixed<string | null>
}

/** A closed chain of a contract that everyone has signed, until its evidence is sealed. */
export interface SealTaskTable {
  contract_id: Fixed<string>
  attempts: ColumnType<number, number | undefined, number>
  last_reason: string | null
  created_at: Generated<Date>
  run_after: ColumnType<Date, Date | undefined, Date>
  claimed_until: Date | null
  done_at: Date | null
  traceparent: Fixed<string | null>
}

/** Append-only, like the chain. */
export interface SealedEvidenceTable {
  contract_id: Fixed<string>
  /** RFC 7638 thumbprint. */
  key_id: Fixed<string>
  jws: Fixed<string>
  sealed_at: Generated<Date>
}

/** Never changed; erasure deletes it. [D43] */
export interface SealedCopyTable {
  contract_id: Fixed<string>
  pdf: Fixed<Buffer>
  pdf_sha256: Fixed<string>
}

/** Contracts whose text, names and addresses are gone: nothing personal of them may come back. [D43] */
export interface ErasureTable {
  contract_id: Fixed<string>
  erased_at: Fixed<Date>
}

/** What whoever holds a link told the operator. */
export interface ReportTable {
  id: Fixed<string>
  contract_id: Fixed<string>
  reason: Fixed<ReportReason>
  message: Fixed<string>
  /** HMAC of the client's address, for the count per day; null when that is over. */
  client_hmac: ColumnType<Buffer | null, Buffer, null>
  created_at: Generated<Date>
}

export interface SigningDatabase extends CodeTables {
  text_shown: TextShownTable
  sign_attempt: SignAttemptTable
  evidence_chain: EvidenceChainTable
  evidence_entry: EvidenceEntryTable
  evidence_opening: EvidenceOpeningTable
  evidence_task: EvidenceTaskTable
  seal_task: SealTaskTable
  sealed_evidence: SealedEvidenceTable
  sealed_copy: SealedCopyTable
  erasure: ErasureTable
  report: ReportTable
}
