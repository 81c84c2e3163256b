// The tables of the contract service as types for queries. The migrations define the tables.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ContractStatus, ContractType, Delivery } from '@paraph/protocol/contract'
import type { Environment } from '@paraph/protocol/environment'
import type { MailLanguage } from '@paraph/protocol/principal'
import type { Actor } from './domain/contract.js'

/** Set at creation; the type forbids an update. */
type Fixed<T> = ColumnType<T, T, never>
/** Fixed, except that erasure replaces the value. [D43] */
type FixedUntilErased<T, Erased> = ColumnType<T, T, Erased>

export interface ContractTable {
  id: Fixed<string>
  account_id: Fixed<string>
  environment: Fixed<Environment>
  contract_number: Fixed<string>
  contract_type: Fixed<ContractType>
  status: ContractStatus
  sender_name: FixedUntilErased<string, 'erased'>
  account_name: Fixed<string>
  mail_language: Fixed<MailLanguage>
  time_zone: Fixed<string>
  reply_address: FixedUntilErased<string | null, null>
  /** Whether a party that declines cancels the contract. [D57] */
  cancels_on_decline: Fixed<boolean>
  /** Whether parties are reminded before the contract expires. [D58] */
  reminds_parties: Fixed<boolean>
  content: FixedUntilErased<string, ''>
  content_sha256: Fixed<Buffer>
  /** `json`, because `jsonb` would sort the pairs. The client gets the pairs back in the order of JSON.parse. */
  metadata: JSONColumnType<Record<string, string>, string, '{}'>
  share_token_sha256: Fixed<Buffer>
  /** Null from 31 days after `created_at`. [D46] */
  share_token_sealed: ColumnType<Buffer | null, Buffer, null>
  share_token_key_id: Fixed<string>
  request_id: Fixed<string>
  /** Aggregate version: the sequence of the contract's last event. [D48] */
  version: number
  created_at: Fixed<Date>
  /** Changes when an owner expires a sandbox contract. [D63] */
  expires_at: Date
  changed_at: Date
  completed_at: Date | null
  cancelled_at: Date | null
  cancelled_by: Actor | null
  cancel_reason: string | null
  /** When text, names and addresses were erased. [D43] */
  erased_at: ColumnType<Date | null, undefined, Date>
  /** When an owner's request erases the contract. After that erasure, it stays until the audit log has the erasure. [P32] */
  erase_due_at: ColumnType<Date | null, undefined, Date | null>
  /** The mailbox of the owner who made the request. */
  erase_requested_by: ColumnType<string | null, undefined, string | null>
  /** Since when an operator keeps the contract, and why; owners do not see the reason. */
  held_at: ColumnType<Date | null, undefined, Date | null>
  hold_reason: ColumnType<string | null, undefined, string | null>
  /** Party index → where its invitation stands, if not `pending`, and the number of the event that said so. [D52] */
  deliveries: JSONColumnType<Record<number, [Delivery, number]>, undefined, never>
  /** How often `deliveries` has changed, and when it changed last. */
  delivery_changes: ColumnType<number, undefined, never>
  delivery_at: ColumnType<Date | null, undefined, never>
  /** Whether `deliveries` has an invitation that is delayed or refused. [D71] */
  has_delivery_problem: ColumnType<boolean, undefined, never>
  /** Whether a party has declined and not signed since. [D71] */
  has_decline: ColumnType<boolean, undefined, boolean>
}

/** A word by which the owner finds the contract. [D71] */
interface ContractWordTable {
  account_id: Fixed<string>
  environment: Fixed<Environment>
  word: Fixed<string>
  /** Of the contract, for the order of the list. */
  expires_at: Date
  contract_id: Fixed<string>
}

interface PartyTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  role: Fixed<string>
  legal_name: Fixed<string>
  email: Fixed<string>
}

interface SignatureTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  attempt_id: Fixed<string>
  signed_at: Fixed<Date>
}

interface DeclineTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  address_number: Fixed<number>
  decline_id: Fixed<string>
  declined_at: Fixed<Date>
}

/** Only the function `readdress_party` adds rows. [D61] */
interface ReaddressTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  number: Fixed<number>
  old_email: Fixed<string>
  readdressed_at: Fixed<Date>
  version: Fixed<number>
}

/** Attempts that were given up. A late sign with the id of such an attempt is refused. [D41] */
interface SignTombstoneTable {
  attempt_id: Fixed<string>
  contract_id: Fixed<string>
  made_at: Generated<Date>
}

interface IdempotencyTable {
  account_id: Fixed<string>
  environment: Fixed<Environment>
  key_sha256: Fixed<Buffer>
  body_sha256: Buffer
  contract_id: string
  created_at: Date
}

export interface ContractDatabase {
  contract: ContractTable
  contract_word: ContractWordTable
  party: PartyTable
  signature: SignatureTable
  decline: DeclineTable
  readdress: ReaddressTable
  sign_tombstone: SignTombstoneTable
  idempotency: IdempotencyTable
}
