// The numbered migrations, in the order they apply. Until the first release 0001 may change, and the data folder is removed after
// such an update; from then on a name that has landed is never edited.
import type { Migration } from 'kysely/migration'
import { accountTables } from './migrations/0001-accounts.js'
import { consoleTables } from './migrations/0002-console.js'

export const migrations: Record<string, Migration> = {
  '0001_accounts': accountTables,
  '0002_console': consoleTables,
}
