// Reads one contract as a record of one instant.
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import type { MailLanguage } from '@paraph/protocol/principal'
import type { ContractStatus, ContractType } from '@paraph/protocol/contract'
import type { Actor } from '../domain/contract.js'
import type { ContractDatabase } from '../database.js'

/** A contract without its text, at one instant of the database's clock. */
export interface ContractRecord {
  id: string
  accountId: string
  environment: Environment
  contractNumber: string
  contractType: ContractType
  status: ContractStatus
  senderName: string
  accountName: string
  mailLanguage: MailLanguage
  timeZone: string
  replyAddress: string | null
  contentSha256: Buffer
  /** Bytes of UTF-8. */
  contentBytes: number
  metadata: Record<string, string>
  shareToken: { keyId: string; bytes: Buffer } | null
  createdAt: Date
  expiresAt: Date
  changedAt: Date
  /** Aggregate version: one more per event. [D48] */
  version: number
  completedAt: Date | null
  cancelledAt: Date | null
  cancelledBy: Actor | null
  cancelReason: string | null
  /** When text, names and addresses were erased. [D43] */
  erasedAt: Date | null
  parties: { role: string; legalName: string; email: string; signedAt: Date | null }[]
  /** The database's clock at the read. */
  readAt: Date
}

type Row = Omit<ContractRecord, 'shareToken' | 'parties'> & {
  sealedShareToken: Buffer | null
  shareTokenKeyId: string
  parties: { role: string; legalName: string; email: string; signedAt: string | null }[]
}

/** One statement, so that status, parties and signatures are of one instant. Leaves out the text, which has up to 50 KB. */
export async function readContract(
  database: Kysely<ContractDatabase>,
  where: ReturnType<typeof sql>,
): Promise<ContractRecord | undefined> {
  const { rows } = await sql<Row>`
    select c.id, c.account_id as "accountId", c.environment, c.contract_number as "contractNumber",
           c.contract_type as "contractType", c.status, c.sender_name as "senderName", c.account_name as "accountName",
           c.mail_language as "mailLanguage", c.time_zone as "timeZone", c.reply_address as "replyAddress",
           c.content_sha256 as "contentSha256", octet_length(c.content) as "contentBytes", c.metadata,
           c.share_token_sealed as "sealedShareToken", c.share_token_key_id as "shareTokenKeyId",
           c.created_at as "createdAt", c.expires_at as "expiresAt", c.changed_at as "changedAt", c.version,
           c.completed_at as "completedAt", c.cancelled_at as "cancelledAt", c.cancelled_by as "cancelledBy",
           c.cancel_reason as "cancelReason", c.erased_at as "erasedAt", clock_timestamp() as "readAt",
           (select json_agg(json_build_object('role', p.role, 'legalName', p.legal_name, 'email', p.email, 'signedAt', s.signed_at)
                            order by p.party_index)
              from party p left join signature s using (contract_id, party_index)
             where p.contract_id = c.id) as parties
      from contract c
     where ${where}`.execute(database)
  const row = rows[0]
  if (!row) return undefined
  const { sealedShareToken, shareTokenKeyId, parties, ...record } = row
  return {
    ...record,
    shareToken: sealedShareToken && { keyId: shareTokenKeyId, bytes: sealedShareToken },
    parties: parties.map((party) => ({
      ...party,
      signedAt: party.signedAt === null ? null : new Date(party.signedAt),
    })),
  }
}
