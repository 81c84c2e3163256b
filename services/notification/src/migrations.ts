// The numbered migrations in the order of their application. 0001 may change until the first release; each change requires a new data
// folder. A released migration never changes.
import type { Migration } from 'kysely/migration'
import { deliveryTables } from './migrations/0001-delivery.js'
import { verifyViews } from './migrations/0002-verify-views.js'

export const migrations: Record<string, Migration> = {
  '0001_delivery': deliveryTables,
  '0002_verify_views': verifyViews,
}
