// The types of the gateway's tables for queries; migrations/ creates them.
import type { ColumnType, Generated } from 'kysely'
import type { AccountRole } from '@paraph/protocol/account-role'
import type { ContractType } from '@paraph/protocol/contract'
import type { LogoFacts } from '@paraph/protocol/brand'
import type { Environment } from '@paraph/protocol/environment'
import type { MailLanguage } from '@paraph/protocol/principal'
import type { ErrorCode } from '@paraph/protocol/errors'
import type { Scope } from '@paraph/protocol/scope'
import type { CodeTables, MailboxSessionTable } from '@paraph/codes/code-tables'
import type { EndpointLabel } from '@paraph/protocol/account-views'
import type { OwnerMailKind } from '@paraph/protocol/owner-mail'
import type { ApplicationForm, ApplicationState } from './accounts/application.js'
import type { ProviderStatus } from './billing/provider.js'

/** Set at creation and never updated. */
type Fixed<T> = ColumnType<T, T, never>
/** Filled by the database. */
type Stamped = ColumnType<Date, never, never>

export type AccountStatus = 'active' | 'suspended'
/** The stored status. `past_due` is not stored: it follows from `period_end` and the clock (subscription.ts). */
export type KeptSubscriptionStatus = 'none' | 'active' | 'trial' | 'ended'
/** The actor of an audited act: a person of the account by their role, or another; `service` is the installation itself. */
export type ActorKind = AccountRole | 'operator' | 'command_line' | 'service'

interface TierTable {
  name: Fixed<string>
  requests_per_minute: number
  monthly_quota: number
  sandbox_requests_per_minute: number
  sandbox_monthly_quota: number
  /** Null for a tier that operators can grant, but owners cannot choose. */
  monthly_price_cad: number | null
}

interface AccountTable {
  id: Fixed<string>
  /** The name that the operator approved. [D36] */
  name: string
  /** Sender name of contracts that do not state one; null: the account's name. [D23] */
  sender_name: string | null
  status: Generated<AccountStatus>
  /** When the operator approved an application or created the account. */
  approved_at: Date | null
  tier: string | null
  subscription_status: Generated<KeptSubscriptionStatus>
  /** End of the granted or paid period; null: without an end. */
  period_end: Date | null
  /** The tier that the owner chose and that is not granted yet. */
  wanted_tier: string | null
  language: Generated<MailLanguage>
  time_zone: Generated<string>
  reply_address: string | null
  /** Whether a party that declines cancels the contract. [D57] */
  cancels_on_decline: Generated<boolean>
  /** Whether parties are reminded before a contract expires. [D58] */
  reminds_parties: Generated<boolean>
  /** What owners hear of its contracts. [D70] */
  mails_refused: Generated<boolean>
  mails_declined: Generated<boolean>
  mails_completed: Generated<'daily' | 'each' | 'off'>
  mails_expired: Generated<boolean>
  /** When the next summary is due; null until the first morning is set. */
  summary_at: Date | null
  stop_at_quota: Generated<boolean>
  /** Grows by one with each event of the account. [D48] */
  version: Generated<number>
  created_at: Stamped
}

interface ApiKeyTable {
  id: Fixed<string>
  account_id: Fixed<string>
  environment: Fixed<Environment>
  name: string
  sha256: Fixed<Buffer>
  display_start: Fixed<string>
  last_four: Fixed<string>
  scopes: Fixed<Scope[]>
  created_at: Stamped
  expires_at: Date | null
  revoked_at: Date | null
  /** Written about once a minute (key-last-use). */
  last_used_at: Date | null
  /** The form that created the key, so that a second click creates no second key. */
  form_id: string | null
}

interface UsageTable {
  account_id: Fixed<string>
  environment: Fixed<Environment>
  /** UTC day. */
  day: Fixed<string>
  endpoint: Fixed<EndpointLabel>
  total: number
  billable: number
}

interface UsageCommitTable {
  instance: Fixed<string>
  sequence: number
  committed_at: Generated<Date>
}

/** One row for each logged call of an account. [D62] */
interface RequestLogTable {
  id: Generated<number>
  at: Fixed<Date>
  account_id: Fixed<string>
  environment: Fixed<Environment>
  key_id: Fixed<string>
  method: Fixed<string>
  /** The template of the path after the version. */
  route: Fixed<string>
  status: Fixed<number>
  code: Fixed<ErrorCode | null>
  duration_ms: Fixed<number>
  request_id: Fixed<string>
}

interface AccountOwnerTable {
  account_id: Fixed<string>
  /** In lower case, for comparisons. */
  mailbox: Fixed<string>
  /** The address as typed, for sending mail. */
  address: Fixed<string>
  /** [D72] */
  role: Generated<AccountRole>
  invited_by: Fixed<string | null>
  invited_at: Fixed<Date>
  /** Null until the invited mailbox accepts. */
  confirmed_at: Date | null
}

interface ApplicationTable {
  id: Fixed<string>
  account_id: Fixed<string>
  /** The applicant's proven mailbox. */
  mailbox: Fixed<string>
  company: string
  website: string
  purpose: string
  contract_types: ContractType[]
  other_parties: string
  volume: ApplicationForm['volume']
  state: Generated<ApplicationState>
  /** Grows with each change by the applicant. */
  revision: Generated<number>
  reason: string | null
  sent_at: Date
  decided_at: Date | null
  decided_by: string | null
}

/** What an owner asked for, and what the operator approved. [D59] */
export interface BrandTable {
  id: Generated<number>
  account_id: Fixed<string>
  state: ColumnType<'asked' | 'approved', 'asked', 'approved'>
  accent: Fixed<string | null>
  logo: ColumnType<LogoFacts | null, string | null, never>
  bytes: Fixed<Buffer | null>
  reason: ColumnType<string | null, never, string>
  sent_at: Stamped
}

/** Append-only: the service's role may not update or delete rows, and a trigger also stops the table's owner. */
interface AuditEntryTable {
  id: Generated<number>
  at: Stamped
  actor: Fixed<ActorKind>
  /** The actor's mailbox; null for the command line and the service itself. */
  mailbox: Fixed<string | null>
  /** The name that a person on the command line states. [P36] */
  actor_name: Fixed<string | null>
  account_id: Fixed<string | null>
  act: Fixed<string>
  /** The object of the act: the id of a key, an application or a contract. */
  subject: Fixed<string | null>
  facts: ColumnType<Record<string, string | number | boolean | null>, string, never>
}

/** The hash chain over the audit log; append-only like `audit_entry`. [P35] */
interface AuditChainTable {
  /** 1, 2, 3 … without a gap, in the order of chaining. */
  sequence: Fixed<number>
  entry_id: Fixed<number>
  /** Hash of the row before. */
  previous: Fixed<string>
  hash: Fixed<string>
}

/** The queue of mails to owners. [D24] */
interface OwnerMailTable {
  id: Fixed<string>
  account_id: Fixed<string | null>
  kind: Fixed<OwnerMailKind>
  /** Wiped, like `data`, when the notification service has accepted the mail. */
  address: ColumnType<string | null, string, null>
  data: ColumnType<Record<string, string | null> | null, string, null>
  created_at: Stamped
  leased_until: ColumnType<Date | null, never, Date>
  finished_at: ColumnType<Date | null, never, Date>
  traceparent: Fixed<string | null>
  /** What happened, for a mail that a loop may queue again; no personal data. [D70] */
  cause: Fixed<string | null>
}

/** A session of the console, with the data that the account page lists. */
interface ConsoleSessionTable extends MailboxSessionTable {
  user_agent: ColumnType<string | null, never, string>
  /** The client's address, cut to /24 or /48. */
  network: ColumnType<string | null, never, string | null>
  last_seen_at: ColumnType<Date | null, never, Date>
  /** The account whose pages the session shows; the owner of several accounts chooses one of them. */
  account_id: ColumnType<string | null, never, string | null>
  proven_at: ColumnType<Date, never, Date>
  second_factor_at: ColumnType<Date | null, never, Date>
  issuer: ColumnType<'owners' | 'operators' | null, never, 'owners' | 'operators'>
  passkey_challenge: ColumnType<string | null, never, string | null>
  passkey_challenge_until: ColumnType<Date | null, never, Date | null>
}

/** A passkey of a mailbox. [D73] */
interface PasskeyTable {
  credential_id: Fixed<string>
  mailbox: Fixed<string>
  public_key: Fixed<Buffer>
  counter: number
  transports: Fixed<string[]>
  name: Fixed<string>
  created_at: Stamped
  last_used_at: ColumnType<Date | null, never, Date>
}

/** A recovery code of a mailbox, as an HMAC. [D73] */
interface RecoveryCodeTable {
  mailbox: Fixed<string>
  code_hmac: Fixed<Buffer>
  /** The id of its key in `CODE_PEPPERS`. */
  pepper_id: Fixed<string>
  used_at: ColumnType<Date | null, never, Date>
}

/** What an OpenID Connect provider gave for a session. [D73] */
interface IssuerSessionTable {
  session_id: Fixed<string>
  key_id: string
  /** Sealed; the id of the key is `key_id`. */
  tokens: Buffer
  checked_at: ColumnType<Date, never, Date>
  leased_until: ColumnType<Date | null, never, Date | null>
  failed_at: ColumnType<Date | null, never, Date | null>
}

/** A browser in which a mailbox has signed in. [P31] */
interface KnownBrowserTable {
  mailbox: Fixed<string>
  /** Of the mailbox and the cookie. */
  browser_sha256: Fixed<Buffer>
  last_used_at: Generated<Date>
}

/** What the payment provider said last about an account. [D74] */
interface BillingCustomerTable {
  account_id: Fixed<string>
  customer_id: string
  status: ProviderStatus | null
  is_open: Generated<boolean>
  cancel_at: Date | null
  unpaid_since: Date | null
  revision: Generated<number>
  checked_at: Generated<Date>
}

/** The events of the payment provider that were applied. [D74] */
interface BillingEventTable {
  id: Fixed<string>
  type: Fixed<string>
  account_id: Fixed<string>
  received_at: Stamped
}

export interface GatewayDatabase extends Omit<CodeTables, 'mailbox_session'> {
  mailbox_session: ConsoleSessionTable
  issuer_session: IssuerSessionTable
  known_browser: KnownBrowserTable
  passkey: PasskeyTable
  recovery_code: RecoveryCodeTable
  account_owner: AccountOwnerTable
  application: ApplicationTable
  account_brand: BrandTable
  audit_entry: AuditEntryTable
  audit_chain: AuditChainTable
  owner_mail: OwnerMailTable
  tier: TierTable
  account: AccountTable
  api_key: ApiKeyTable
  usage: UsageTable
  usage_commit: UsageCommitTable
  request_log: RequestLogTable
  billing_customer: BillingCustomerTable
  billing_event: BillingEventTable
}
