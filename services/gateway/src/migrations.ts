// The migrations in their order. Until the first release, a migration may be edited, and everybody then deletes the data folder. After
// the first release, a published migration never changes.
import type { Migration } from 'kysely/migration'
import { accountTables } from './migrations/0001-accounts.js'
import { consoleTables } from './migrations/0002-console.js'
import { verifyViews } from './migrations/0003-verify-views.js'

export const migrations: Record<string, Migration> = {
  '0001_accounts': accountTables,
  '0002_console': consoleTables,
  '0003_verify_views': verifyViews,
}
