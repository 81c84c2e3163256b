import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ALL_COLUMNS, createVerifyViews } from '@paraph/database/verify-views'

/** What the verifier and the runbooks read. [P37] */
export const verifyViews: Migration = {
  up: (database: Kysely<unknown>) =>
    createVerifyViews(database, {
      account: 'id, status, approved_at, tier, subscription_status, period_end, version, created_at',
      account_window: ALL_COLUMNS,
      audit_chain: ALL_COLUMNS,
      audit_entry: 'id, at, actor, account_id, act, subject, audit_digest(audit_entry) as digest',
      outbox: ALL_COLUMNS,
      owner_mail: { without: ['address', 'data'] },
      tier: ALL_COLUMNS,
      usage: ALL_COLUMNS,
      usage_commit: ALL_COLUMNS,
      usage_month: ALL_COLUMNS,
    }),
}
