// The numbered migrations, in order. Until the first release 0001 may change, and the data folder is deleted after such an update;
// after it a landed migration is never edited.
import type { Migration } from 'kysely/migration'
import { ceremonyTables } from './migrations/0001-ceremony.js'
import { sealingTables } from './migrations/0002-sealing.js'

export const migrations: Record<string, Migration> = { '0001_ceremony': ceremonyTables, '0002_sealing': sealingTables }
