// The numbered migrations in the order they apply. 0001 may change until the first release, after which the data folder must be
// deleted; later, a released migration is never edited.
import type { Migration } from 'kysely/migration'
import { contractTables } from './migrations/0001-contract.js'

export const migrations: Record<string, Migration> = { '0001_contract': contractTables }
