// The numbered migrations, in the order they apply. Until the first release 0001 may change, and the data folder is removed after
// such an update; from then on a name that has landed is never edited.
import type { Migration } from 'kysely/migration'
import { deliveryTables } from './migrations/0001-delivery.js'

export const migrations: Record<string, Migration> = {
  '0001_delivery': deliveryTables,
}
