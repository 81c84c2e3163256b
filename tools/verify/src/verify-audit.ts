// Verifies the audit log alone, offline: from the rows of the gateway's database. [P35, I15]
import { openReadOnlySession } from '@paraph/database/read-only-session'
import type { Violation } from './check.js'
import { readAuditChain } from './checks/audit.js'

/** A gateway chains an entry within seconds; an outage may delay it. */
const WITHIN_SECONDS = 60

export interface AuditReport {
  /** Number and hash of the newest row of the chain. */
  sequence: number
  hash: string
  /** Up to 1,000. */
  violations: Violation[]
  /** Number of the row with the hash that the caller kept; null if there is none. Undefined without such a hash. */
  known?: number | null
}

/** @param known a hash from an earlier report @throws the error of pg when the database cannot be read */
export async function verifyAudit(url: string, known?: string): Promise<AuditReport> {
  const session = await openReadOnlySession(url, 'paraph verify')
  try {
    await session.beginSnapshot()
    const scope = { since: undefined, contractId: undefined, withinSeconds: WITHIN_SECONDS }
    const { found, sequence, hash } = await readAuditChain(session, scope)
    const report = { sequence, hash, violations: found.violations }
    if (known === undefined) return report
    const query = 'select sequence from audit_chain where hash = $1'
    const [row] = await session.query<{ sequence: number }>(query, [known.toLowerCase()])
    return { ...report, known: row?.sequence ?? null }
  } finally {
    await session.close()
  }
}
