// The mail queue: its kinds, states and rows. migrations/ defines the tables; statements are SQL.

/** The kinds of mail to parties. [D24] */
export type MailKind = 'invitation' | 'code' | 'completed' | 'cancelled' | 'expired'

/** Mails to owners: one-time codes, and all others. [D24] */
export type OwnerKind = 'owner_code' | 'owner_mail'

/** True for a one-time code: a person waits for it, and it expires within minutes. */
export const isCode = (kind: MailKind | OwnerKind): boolean => kind === 'code' || kind === 'owner_code'

/** `due` until the end; the others are final. `failed`: rejected, or given up after 48 h. `lapsed`: an expired code. */
export type DeliveryState = 'due' | 'accepted' | 'failed' | 'skipped' | 'lapsed'

interface DeliveryTable {
  id: number
  /** Null for a mail to an owner. */
  contract_id: string | null
  /** Null for a code, which a suspension does not stop, and for a mail to an owner. [D37] */
  account_id: string | null
  party_index: number | null
  kind: MailKind | OwnerKind
  /** Grows when a person asks for a new mail, never on a retry. [D24] */
  send_number: number
  /** Id of the push that added the row; makes the push idempotent. [D42] */
  request_id: string | null
  state: DeliveryState
  /** PRIORITY_CODE or PRIORITY_OTHER; lower is sent first. */
  priority: number
  due_at: Date
  lapses_at: Date
  claim: string | null
  claimed_until: Date | null
  attempts: number
  /** Why it ended, without personal data: `smtp 550`, `contract signed`. */
  outcome: string | null
  /** A code, or a whole mail to an owner, under AES-256-GCM with CODE_KEYS; null after the end of the delivery. [D42] */
  sealed: Buffer | null
  sealed_key_id: string | null
  traceparent: string | null
  created_at: Date
  settled_at: Date | null
  /** True once an event has published the end. */
  is_told: boolean
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

/** For the type parameter of Kysely. The tables `contract_mail` and `relay_circuit` are used through `sql` alone. */
export interface NotificationDatabase {
  delivery: DeliveryTable
}
