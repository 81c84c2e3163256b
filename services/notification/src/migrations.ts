// The numbered migrations, in order. Until the first release 0001 may change, and the data folder is deleted after such an update;
// after it a landed migration is never edited.
import type { Migration } from 'kysely/migration'
import { deliveryTables } from './migrations/0001-delivery.js'

export const migrations: Record<string, Migration> = { '0001_delivery': deliveryTables }
