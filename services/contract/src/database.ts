// The tables of the contract service, as queries see them. Their law is in migrations/.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ContractStatus, ContractType } from '@paraph/protocol/contract'
import type { Environment, MailLanguage } from '@paraph/protocol/caller'
import type { Actor } from './contract.js'

/** Set at creation, never changed: the type says so. */
type Fixed<T> = ColumnType<T, T, never>
/** Fixed, but for what erasure leaves in its place. [D43] */
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
  content: FixedUntilErased<string, ''>
  content_sha256: Fixed<Buffer>
  /** `json`, not `jsonb`: the client gets its pairs back as JSON.parse orders them, not sorted. */
  metadata: JSONColumnType<Record<string, string>, string, '{}'>
  share_token_sha256: Fixed<Buffer>
  /** Null from 24 h after `expires_at` on. [D46] */
  share_token_sealed: ColumnType<Buffer | null, Buffer, null>
  share_token_key_id: Fixed<string>
  request_id: Fixed<string>
  /** Aggregate version = sequence of its last event. [D48] */
  version: number
  created_at: Fixed<Date>
  expires_at: Fixed<Date>
  changed_at: Date
  completed_at: Date | null
  cancelled_at: Date | null
  cancelled_by: Actor | null
  cancel_reason: string | null
  erased_at: ColumnType<Date | null, undefined, Date>
}

export interface PartyTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  role: Fixed<string>
  legal_name: Fixed<string>
  email: Fixed<string>
}

export interface SignatureTable {
  contract_id: Fixed<string>
  party_index: Fixed<number>
  attempt_id: Fixed<string>
  signed_at: Fixed<Date>
}

/** Attempts that were given up: a late sign with such an id cannot land. [D41] */
export interface SignTombstoneTable {
  attempt_id: Fixed<string>
  contract_id: Fixed<string>
  made_at: Generated<Date>
}

export interface IdempotencyTable {
  account_id: Fixed<string>
  environment: Fixed<Environment>
  key_sha256: Fixed<Buffer>
  body_sha256: Buffer
  contract_id: string
  created_at: Date
}

export interface ContractDatabase {
  contract: ContractTable
  party: PartyTable
  signature: SignatureTable
  sign_tombstone: SignTombstoneTable
  idempotency: IdempotencyTable
}
