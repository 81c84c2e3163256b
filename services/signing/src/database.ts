// The types of the signing service's tables. migrations/ defines the tables.
import type { ColumnType, Generated } from 'kysely'
import type { CodeTables } from '@paraph/codes/code-tables'
import type { LogoType } from '@paraph/protocol/brand'
import type { EntryType } from './chain/entry.js'

/** The reason of a report. [P8] */
export type ReportReason = 'unknown_sender' | 'impersonation' | 'asks_for_money' | 'other'

type Fixed<T> = ColumnType<T, T, never>

export type AttemptState = 'submitted' | 'accepted' | 'refused'

export interface SigningDatabase extends CodeTables {
  /** One row for each session and party to which the text was shown. [D31] */
  text_shown: { session_id: Fixed<string>; party_index: Fixed<number> }
  /** Mutable state beside the append-only chain, for recovery after a crash. [D41] */
  sign_attempt: {
    id: Fixed<string>
    contract_id: Fixed<string>
    party_index: Fixed<number>
    session_id: Fixed<string>
    state: AttemptState
    typed_name: Fixed<string>
    submitted_at: Fixed<Date>
    /** When the sweep of unfinished attempts last queried the contract service about the attempt. */
    asked_at: ColumnType<Date | null, undefined, Date>
    finished_at: Date | null
    signed_at: Date | null
  }
  evidence_chain: {
    contract_id: Fixed<string>
    seq: number
    /** Lower-case hex SHA-256 of the newest line. */
    hash: string
    /** `at` of the newest line. */
    newest_at: ColumnType<Date | null, undefined, Date>
    closed_at: Date | null
  }
  /** Append-only: the service's role lacks update and delete, and a trigger refuses both for the owner role too. [D30] */
  evidence_entry: {
    contract_id: Fixed<string>
    seq: Fixed<number>
    type: Fixed<EntryType>
    /** The canonical JSON line, without its newline. */
    line: Fixed<string>
  }
  /** The disclosures. An erasure deletes them, and the chain still verifies. [D30, D43] */
  evidence_opening: {
    contract_id: Fixed<string>
    seq: Fixed<number>
    path: Fixed<string>
    salt: Fixed<string>
    value: Fixed<string>
  }
  /** Tasks queued for events and codes. The loop that performs them calls other services; the event consumer does not. [D49] */
  evidence_task: {
    id: Generated<number>
    contract_id: Fixed<string>
    type: Fixed<string>
    data: ColumnType<Record<string, unknown>, string, never>
    attempts: ColumnType<number, number | undefined, number>
    created_at: Generated<Date>
    run_after: ColumnType<Date, Date | undefined, Date>
    done_at: Date | null
    /** Trace context of the event that queued the task. [D51] */
    traceparent: Fixed<string | null>
    /** The attempts that failed without an outage. */
    failures: Generated<number>
    /** When the task failed too often. It waits for an operator then, and no other task waits for it. */
    parked_at: ColumnType<Date | null, undefined, Date>
  }
  /** One row for each completed contract, due until its evidence is sealed. */
  seal_task: {
    contract_id: Fixed<string>
    attempts: ColumnType<number, number | undefined, number>
    last_reason: string | null
    created_at: Generated<Date>
    run_after: ColumnType<Date, Date | undefined, Date>
    claimed_until: Date | null
    done_at: Date | null
    traceparent: Fixed<string | null>
  }
  /** Append-only, like the chain. Only the place of the bytes may change: the row, or the object store. [P43] */
  sealed_evidence: {
    contract_id: Fixed<string>
    /** RFC 7638 thumbprint. */
    key_id: Fixed<string>
    /** Null while the bytes are in the object store. */
    jws: string | null
    sealed_at: Generated<Date>
    /** Lower-case hex. */
    jws_sha256: Fixed<string>
    jws_bytes: Fixed<number>
    /** The object with the bytes; null while they are in the row. */
    object_key: string | null
  }
  /** Immutable in the same way; an erasure deletes it. [D43] */
  sealed_copy: {
    contract_id: Fixed<string>
    pdf: Buffer | null
    pdf_sha256: Fixed<string>
    pdf_bytes: Fixed<number>
    object_key: string | null
  }
  /** Objects of the object store to delete, unless a commit before `reserved_until` refers to them (object-deletion.ts). [P43] */
  object_deletion: {
    object_key: Fixed<string>
    reserved_until: Date | null
    attempts: Generated<number>
    created_at: Generated<Date>
    run_after: Generated<Date>
    claimed_until: Date | null
    done_at: Date | null
    traceparent: Fixed<string | null>
  }
  /** Erased contracts: no personal data of them may be stored again. [D43] */
  erasure: { contract_id: Fixed<string>; erased_at: Fixed<Date> }
  /** The pictures to which `account_brand` refers. [D59] */
  brand_logo: { sha256: Fixed<string>; type: Fixed<LogoType>; bytes: Fixed<Buffer> }
  /** Reports to the operator from people who have a share link. */
  report: {
    id: Fixed<string>
    contract_id: Fixed<string>
    reason: Fixed<ReportReason>
    message: Fixed<string>
    /** HMAC of the client's address, for the daily limit; null afterwards. */
    client_hmac: ColumnType<Buffer | null, Buffer, null>
    created_at: Generated<Date>
    /** Of the contract. */
    account_id: Fixed<string>
    /** When an operator handled the report, who, and with which note; null while it is open. [D75] */
    handled_at: ColumnType<Date | null, never, Date>
    handled_by: ColumnType<string | null, never, string>
    note: ColumnType<string | null, never, string>
  }
}
