// The hash chain over the rows of the audit log: the canonical line of an entry, and its hash. PURE. [P35, RFC 8785]
// Shared by the gateway, which chains entries, and by the verifier, which recomputes the hashes.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** `previous` of the first row. */
export const AUDIT_GENESIS = '0'.repeat(64)

/** An entry without personal data: `digest` covers the mailbox, the name and the facts, so that a verifier need not read them. */
export interface AuditRow {
  id: number
  at: Date
  actor: string
  accountId: string | null
  act: string
  subject: string | null
  /** Lower-case hex SHA-256, computed by the function `audit_digest` of the database. */
  digest: string
}

/** Columns of an `AuditRow` of a table or view with the columns of `audit_entry`. @param digest SQL for the digest */
export const auditColumns = (digest: string): string =>
  `e.id, e.at, e.actor, e.account_id as "accountId", e.act, e.subject, ${digest} as digest`

/** Lower-case hex SHA-256 of the canonical JSON of an entry with its number in the chain and the hash of the row before. */
export function auditHash(
  { id, at, actor, accountId, act, subject, digest }: AuditRow,
  sequence: number,
  previous: string,
): string {
  const fields = { id, at: at.toISOString(), actor, accountId, act, subject, digest, sequence, previous }
  return createHash('sha256')
    .update(canonicalize(fields) ?? '', 'utf8')
    .digest('hex')
}
