import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ALL_COLUMNS, createVerifyViews } from '@paraph/database/verify-views'

/** What the verifier and the runbooks read. [P37] */
export const verifyViews: Migration = {
  up: (database: Kysely<unknown>) =>
    createVerifyViews(database, {
      account_hold: ALL_COLUMNS,
      contract_mail: ALL_COLUMNS,
      dead_letter: ALL_COLUMNS,
      delivery: { without: ['sealed', 'sealed_key_id'] },
      inbox: ALL_COLUMNS,
      outbox: ALL_COLUMNS,
      smtp_circuit: ALL_COLUMNS,
    }),
}
