// The tables of the notification service, as queries see them. Their law is in migrations/.
import type { Environment } from '@paraph/protocol/caller'
import type { ColumnType, Generated } from 'kysely'

/** Set at creation, never changed: the type says so. */
type Fixed<T> = ColumnType<T, T, never>

/** The kinds of mail to parties. [D24] */
export type MailKind = 'invitation' | 'code' | 'completed' | 'cancelled' | 'expired'

/** Mails to owners: a one-time code, which is waited for, and everything else. [D24] */
export type OwnerKind = 'owner_code' | 'owner_mail'

/** A one-time code: somebody waits for it, and it lapses after minutes. */
export const isCode = (kind: MailKind | OwnerKind): boolean => kind === 'code' || kind === 'owner_code'

/** `due` until settled; the others are final. `failed`: refused for good, or given up after 48 h. `lapsed`: a code too old to send. */
export type DeliveryState = 'due' | 'accepted' | 'failed' | 'skipped' | 'lapsed'

interface DeliveryTable {
  id: ColumnType<number, never, never>
  /** Null for a mail to an owner. */
  contract_id: Fixed<string | null>
  /** Null for a code, which goes out whatever the account's state, and for a mail to an owner. [D37] */
  account_id: Fixed<string | null>
  party_index: Fixed<number | null>
  kind: Fixed<MailKind | OwnerKind>
  /** Grows when a person asks for a new mail, never on a retry. [D24] */
  send_number: Fixed<number>
  /** Id of the push that made the row, which makes the push idempotent. [D42] */
  request_id: Fixed<string | null>
  state: ColumnType<DeliveryState, never, DeliveryState>
  /** Lower goes first: codes are waited for. */
  priority: Fixed<number>
  due_at: Generated<Date>
  lapses_at: Fixed<Date>
  claim: string | null
  claimed_until: Date | null
  attempts: Generated<number>
  /** Why it ended, without personal data: `smtp 550`, `contract signed`. */
  outcome: string | null
  /** A code, or all of a mail to an owner, by AES-256-GCM under CODE_KEYS; null from the end of the delivery on. [D42] */
  sealed: Buffer | null
  sealed_key_id: string | null
  traceparent: Fixed<string | null>
  created_at: ColumnType<Date, never, never>
  settled_at: Date | null
  /** An event has told how it ended. */
  is_told: Generated<boolean>
}

/** What events tell of a contract's mails: whose they are, and the number of the last one. [D48] */
interface ContractMailTable {
  contract_id: Fixed<string>
  /** Null until `contract.created` has come. */
  account_id: string | null
  environment: Environment | null
  sequence: Generated<number>
  /** Told before `contract.created` came, as a dead letter that is handed back does. [F10] */
  ended: 'cancelled' | 'expired' | null
}

/** When a relay that is away may be asked next, and by whom; two rows, for all replicas. [F6] */
interface RelayCircuitTable {
  lane: Fixed<Lane>
  /** In a row; 0 when the relay answered last. */
  failures: number
  probe_at: Date
}

/** `codes` may ask more often: a person is waiting. */
export type Lane = 'codes' | 'others'

export interface NotificationDatabase {
  delivery: DeliveryTable
  contract_mail: ContractMailTable
  relay_circuit: RelayCircuitTable
}
