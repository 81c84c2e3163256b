// The contracts of a range with the data that decide their state.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { Range } from './range.js'

export interface ContractRow {
  id: string
  accountId: string
  contractNumber: string
  contentSha256: string
  status: string
  version: number
  createdAt: Date
  expiresAt: Date
  changedAt: Date
  completedAt: Date | null
  cancelledAt: Date | null
  /** Since then its text and names are erased. [D43] */
  erasedAt: Date | null
  /** The database's clock at the read. */
  now: Date
  partyCount: number
  /** The parties' addresses in their order; never in a result. */
  emails: string[]
  signatures: { partyIndex: number; attemptId: string; signedAt: Date }[]
}

export const FINAL_STATUSES: readonly string[] = ['signed', 'expired', 'cancelled']

export async function readContracts(look: ReadOnlySession, { from, to }: Range): Promise<Map<string, ContractRow>> {
  const rows = await look.query<
    Omit<ContractRow, 'signatures'> & { signatures: { partyIndex: number; attemptId: string; signedAt: string }[] }
  >(
    `select c.id, c.account_id as "accountId", c.contract_number as "contractNumber",
            encode(c.content_sha256, 'hex') as "contentSha256", c.status, c.version, c.created_at as "createdAt",
            c.expires_at as "expiresAt", c.changed_at as "changedAt", c.completed_at as "completedAt",
            c.cancelled_at as "cancelledAt", c.erased_at as "erasedAt", clock_timestamp() as now,
            (select count(*)::int from party p where p.contract_id = c.id) as "partyCount",
            array(select p.email from party p where p.contract_id = c.id order by p.party_index) as emails,
            (select coalesce(json_agg(json_build_object(
               'partyIndex', s.party_index, 'attemptId', s.attempt_id, 'signedAt', s.signed_at)), '[]')
               from signature s where s.contract_id = c.id) as signatures
       from contract c where c.id between $1 and $2`,
    [from, to],
  )
  return new Map(
    rows.map((row) => {
      const signatures = row.signatures.map((each) => ({ ...each, signedAt: new Date(each.signedAt) }))
      return [row.id, { ...row, signatures }]
    }),
  )
}
