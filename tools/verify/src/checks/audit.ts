// Checks I15: every entry of the audit log is in its hash chain, and no row of either was changed, removed or put in between. [P35]
// Recomputes each hash from the entry. Cannot detect: rows missing at the end of both tables, and a chain written anew; a hash kept outside
// the database shows both (`paraph audit verify --known`).
import { AUDIT_GENESIS, auditColumns, auditHash, type AuditRow } from '@paraph/database/audit-chain'
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import { add, listBroken, record, violationsOf, type Found, type Scope, type TableCheck } from '../check.js'

export const auditIsChained: TableCheck = {
  invariants: ['I15'],
  compares: 'the entries of the audit log with its hash chain',
  parts: [{ reads: ['gateway'], check: async ({ gateway }, scope) => (await readAuditChain(gateway, scope)).found }],
}

type ChainRow = AuditRow & { sequence: number; previous: string; hash: string }

/** Walks the chain from `since`. Within a snapshot. @returns also the newest row; number 0 without rows */
export async function readAuditChain(session: ReadOnlySession, { since, withinSeconds }: Scope) {
  const found: Found = { counts: { 'audit entries': 0 }, violations: [] }
  let [sequence, hash] = [0, AUDIT_GENESIS]
  let isFirst = true
  const rows = session.stream<ChainRow>(
    `select ${auditColumns('e.digest')}, c.sequence, c.previous, c.hash
       from audit_chain c left join audit_entry e on e.id = c.entry_id
      where $1::timestamptz is null
         or c.sequence >= (select min(f.sequence) from audit_chain f join audit_entry a on a.id = f.entry_id where a.at >= $1)
      order by c.sequence`,
    [since],
  )
  for await (const row of rows) {
    // The walk from an instant on takes the hash before it as given.
    if (isFirst && since !== undefined) [sequence, hash] = [row.sequence - 1, row.previous]
    isFirst = false
    // Without an entry every column of it is null, despite its type.
    const isIntact = (row.id as number | null) !== null && auditHash(row, row.sequence, row.previous) === row.hash
    const faults = violationsOf(`audit_chain ${row.sequence}`, [
      [row.sequence !== sequence + 1, 'I15', 'broken', 'follows a gap in the audit chain'],
      [row.previous !== hash, 'I15', 'broken', 'does not hold the hash of the row before in the audit chain'],
      [!isIntact, 'I15', 'broken', 'does not match its entry of the audit log'],
    ])
    record(found, ...faults)
    ;({ sequence, hash } = row)
    found.counts['audit entries'] = (found.counts['audit entries'] ?? 0) + 1
  }
  const unchained = await listBroken(
    session,
    'I15',
    'is not in the audit chain',
    `select 'audit_entry ' || e.id as subject from audit_entry e
      where e.at < now() - make_interval(secs => $1) and not exists (select from audit_chain c where c.entry_id = e.id)`,
    [withinSeconds],
    'late',
  )
  add(found, unchained)
  return { found, sequence, hash }
}
