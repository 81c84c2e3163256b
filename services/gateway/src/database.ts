// The tables of the gateway, as queries see them. Their law is in migrations/.
import type { ColumnType, Generated } from 'kysely'
import type { Environment, MailLanguage, Scope } from '@paraph/protocol/caller'
import type { EndpointLabel, StatusView } from '@paraph/protocol/account-views'

/** Set at creation, never changed: the type says so. */
type Fixed<T> = ColumnType<T, T, never>
/** Filled by the database. */
type Stamped = ColumnType<Date, never, never>

export type AccountStatus = 'active' | 'suspended'
export type SubscriptionStatus = StatusView['subscription']['status']

interface TierTable {
  name: Fixed<string>
  requests_per_minute: number
  monthly_quota: number
  sandbox_requests_per_minute: number
  sandbox_monthly_quota: number
}

interface AccountTable {
  id: Fixed<string>
  name: string
  email: string
  tier: string
  status: Generated<AccountStatus>
  subscription_status: Generated<SubscriptionStatus>
  language: Generated<MailLanguage>
  time_zone: Generated<string>
  reply_address: string | null
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

interface UsageMonthTable {
  account_id: Fixed<string>
  environment: Fixed<Environment>
  month: Fixed<string>
  billable: Generated<number>
  /** id → [epoch seconds at which it lapses, places left]. */
  reservations: Generated<Record<string, [number, number]>>
}

interface UsageCommitTable {
  instance: Fixed<string>
  sequence: number
  committed_at: Generated<Date>
}

export interface GatewayDatabase {
  tier: TierTable
  account: AccountTable
  api_key: ApiKeyTable
  usage: UsageTable
  usage_month: UsageMonthTable
  usage_commit: UsageCommitTable
}
