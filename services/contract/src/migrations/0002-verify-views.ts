import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ALL_COLUMNS, createVerifyViews } from '@paraph/database/verify-views'

/** What the verifier and the runbooks read. [P37] */
export const verifyViews: Migration = {
  up: (database: Kysely<unknown>) =>
    createVerifyViews(database, {
      contract: `id, account_id, environment, contract_number, contract_type, status, content_sha256, request_id, version,
        deliveries, created_at, expires_at, changed_at, completed_at, cancelled_at, cancelled_by, erased_at,
        content_sha256 = sha256(convert_to(content, 'UTF8')) as fits_hash`,
      contract_word: `contract_id, account_id, environment, expires_at,
        exists (select from public.contract c where c.id = contract_id and strpos(c.contract_number, word) > 0) as is_of_number`,
      dead_letter: ALL_COLUMNS,
      decline: ALL_COLUMNS,
      idempotency: { without: ['key_sha256', 'body_sha256'] },
      inbox: ALL_COLUMNS,
      outbox: ALL_COLUMNS,
      // Equal mailboxes of one contract have equal digests. Null for an address with a domain in Unicode, which may equal one in ASCII.
      party: `contract_id, party_index, role <> 'erased' or legal_name <> 'erased' or email <> 'erased' as is_named,
        case when octet_length(email) = length(email)
          then encode(sha256(convert_to(contract_id || ':' || lower(email), 'UTF8')), 'hex') end as mailbox_digest`,
      readdress: { without: ['old_email'] },
      sign_tombstone: ALL_COLUMNS,
      signature: ALL_COLUMNS,
    }),
}
