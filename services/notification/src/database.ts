// The types of the notification service's tables; migrations/ defines the tables.
import type { Environment } from '@paraph/protocol/environment'
import type { ColumnType, Generated } from 'kysely'

/** A column that is set at creation and never updated. */
type Fixed<T> = ColumnType<T, T, never>

/** The kinds of mail to parties. [D24] */
export type MailKind = 'invitation' | 'code' | 'completed' | 'cancelled' | 'expired'

/** Mails to owners: one-time codes, and all others. [D24] */
export type OwnerKind = 'owner_code' | 'owner_mail'

/** True for a one-time code: a person waits for it, and it expires within minutes. */
export const isCode = (kind: MailKind | OwnerKind): boolean => kind === 'code' || kind === 'owner_code'

/** `due` until the end; the others are final. `failed`: rejected, or given up after 48 h. `lapsed`: an expired code. */
export type DeliveryState = 'due' | 'accepted' | 'failed' | 'skipped' | 'lapsed'

interface DeliveryTable {
  id: ColumnType<number, never, never>
  /** Null for a mail to an owner. */
  contract_id: Fixed<string | null>
  /** Null for a code, which a suspension does not stop, and for a mail to an owner. [D37] */
  account_id: Fixed<string | null>
  party_index: Fixed<number | null>
  kind: Fixed<MailKind | OwnerKind>
  /** Grows when a person asks for a new mail, never on a retry. [D24] */
  send_number: Fixed<number>
  /** Id of the push that added the row; makes the push idempotent. [D42] */
  request_id: Fixed<string | null>
  state: ColumnType<DeliveryState, never, DeliveryState>
  /** PRIORITY_CODE or PRIORITY_OTHER; lower is sent first. */
  priority: Fixed<number>
  due_at: Generated<Date>
  lapses_at: Fixed<Date>
  claim: string | null
  claimed_until: Date | null
  attempts: Generated<number>
  /** Why it ended, without personal data: `smtp 550`, `contract signed`. */
  outcome: string | null
  /** A code, or a whole mail to an owner, under AES-256-GCM with CODE_KEYS; null after the end of the delivery. [D42] */
  sealed: Buffer | null
  sealed_key_id: string | null
  traceparent: Fixed<string | null>
  created_at: ColumnType<Date, never, never>
  settled_at: Date | null
  /** True once an event has published the end. */
  is_told: Generated<boolean>
}

/** The owner of a contract, and the sequence number of the last event about its mails. [D48] */
interface ContractMailTable {
  contract_id: Fixed<string>
  /** Null until `contract.created` is consumed. */
  account_id: string | null
  environment: Environment | null
  sequence: Generated<number>
  /** An end that was consumed before `contract.created`, as after a redrive. [F10] */
  ended: 'cancelled' | 'expired' | null
}

/** When each lane may next probe an unavailable SMTP server; two rows that all replicas share. [F6] */
interface RelayCircuitTable {
  lane: Fixed<Lane>
  /** Consecutive failures; 0 after a success. */
  failures: number
  probe_at: Date
}

/** `codes` probe more often, because a person is waiting. */
export type Lane = 'codes' | 'others'

/** Values of `priority`. */
export const PRIORITY_CODE = 0
export const PRIORITY_OTHER = 1

/** How long a mail is tried; codes expire earlier. [D49] */
export const TRY_HOURS = 48

/** A party of a contract, or an owner, whom only the sealed mail names. */
export type Addressee =
  { kind: MailKind; contractId: string; partyIndex: number } | { kind: OwnerKind; contractId: null; partyIndex: null }

/** A delivery that only this worker may send until its claim ends. */
export type ClaimedDelivery = Addressee & {
  id: number
  claim: string
  sendNumber: number
  /** Including this one. */
  attempts: number
  /** Time left to send it. */
  lapsesInMs: number
  ageMs: number
  /** Why the last attempt was rescheduled. */
  lastReason: string | null
  traceparent: string | null
  /** The code, or the mail to an owner, as ciphertext under `sealedKeyId`, bound to `requestId`; null for other mails. */
  sealed: Buffer | null
  sealedKeyId: string | null
  requestId: string | null
}

export interface NotificationDatabase {
  delivery: DeliveryTable
  contract_mail: ContractMailTable
  relay_circuit: RelayCircuitTable
}
