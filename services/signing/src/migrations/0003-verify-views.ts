import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ALL_COLUMNS, createVerifyViews } from '@paraph/database/verify-views'

/** What the verifier and the runbooks read. [P37] */
export const verifyViews: Migration = {
  up: (database: Kysely<unknown>) =>
    createVerifyViews(database, {
      account_hold: ALL_COLUMNS,
      code_send: { without: ['mailbox', 'code_sealed'] },
      dead_letter: ALL_COLUMNS,
      erasure: ALL_COLUMNS,
      evidence_chain: ALL_COLUMNS,
      // Lines hold commitments in place of personal values. [D30]
      evidence_entry: ALL_COLUMNS,
      evidence_opening: `contract_id, seq, path, encode(sha256(convert_to(salt || ':' || value, 'UTF8')), 'hex') as commitment`,
      evidence_task: { without: ['data'] },
      inbox: ALL_COLUMNS,
      object_deletion: ALL_COLUMNS,
      one_time_code: { without: ['mailbox', 'code_hmac'] },
      outbox: ALL_COLUMNS,
      seal_task: ALL_COLUMNS,
      sealed_copy: { without: ['pdf'] },
      sealed_evidence: { without: ['jws'] },
      sign_attempt: { without: ['typed_name'] },
    }),
}
