// The numbered migrations, in order. Before the first release, 0001 may change; delete the data folder after such a change. After the
// first release, never edit a merged migration.
import type { Migration } from 'kysely/migration'
import { ceremonyTables } from './migrations/0001-ceremony.js'
import { sealingTables } from './migrations/0002-sealing.js'
import { verifyViews } from './migrations/0003-verify-views.js'

export const migrations: Record<string, Migration> = {
  '0001_ceremony': ceremonyTables,
  '0002_sealing': sealingTables,
  '0003_verify_views': verifyViews,
}
