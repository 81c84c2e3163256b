// A contract as it is read: one statement, so that status, parties and signatures are of one instant.
import { sql, type Kysely } from 'kysely'
import type { Environment, MailLanguage } from '@paraph/protocol/caller'
import type { ContractStatus, ContractType } from '@paraph/protocol/contract'
import type { Actor } from './contract.js'
import type { ContractDatabase } from './database.js'

/** One contract with all that a reader may need but its text, at one instant of the database's clock. */
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
  /** From then on text, names and addresses are gone. [D43] */
  erasedAt: Date | null
  parties: { role: string; legalName: string; email: string; signedAt: Date | null }[]
  /** The database's clock when this was read. */
  readAt: Date
}

interface Row {
  id: string
  account_id: string
  environment: Environment
  contract_number: string
  contract_type: ContractType
  status: ContractStatus
  sender_name: string
  account_name: string
  mail_language: MailLanguage
  time_zone: string
  reply_address: string | null
  content_sha256: Buffer
  content_bytes: number
  metadata: Record<string, string>
  share_token_sealed: Buffer | null
  share_token_key_id: string
  created_at: Date
  expires_at: Date
  changed_at: Date
  version: number
  completed_at: Date | null
  cancelled_at: Date | null
  cancelled_by: Actor | null
  cancel_reason: string | null
  erased_at: Date | null
  parties: { role: string; legalName: string; email: string; signedAt: string | null }[]
  read_at: Date
}

/** One statement, so that status, parties and signatures are of one instant. The text is not read here: it is up to 50 KB. */
export async function readContract(
  database: Kysely<ContractDatabase>,
  where: ReturnType<typeof sql>,
): Promise<ContractRecord | undefined> {
  const { rows } = await sql<Row>`
    select c.id, c.account_id, c.environment, c.contract_number, c.contract_type, c.status, c.sender_name, c.account_name,
           c.mail_language, c.time_zone, c.reply_address, c.content_sha256, octet_length(c.content) as content_bytes, c.metadata, c.share_token_sealed, c.share_token_key_id,
           c.created_at, c.expires_at, c.changed_at, c.version, c.completed_at, c.cancelled_at, c.cancelled_by, c.cancel_reason, c.erased_at, clock_timestamp() as read_at,
           (select json_agg(json_build_object('role', p.role, 'legalName', p.legal_name, 'email', p.email, 'signedAt', s.signed_at)
                            order by p.party_index)
              from party p left join signature s using (contract_id, party_index)
             where p.contract_id = c.id) as parties
      from contract c
     where ${where}`.execute(database)
  const row = rows[0]
  if (!row) return undefined
  return {
    id: row.id,
    accountId: row.account_id,
    environment: row.environment,
    contractNumber: row.contract_number,
    contractType: row.contract_type,
    status: row.status,
    senderName: row.sender_name,
    accountName: row.account_name,
    mailLanguage: row.mail_language,
    timeZone: row.time_zone,
    replyAddress: row.reply_address,
    contentSha256: row.content_sha256,
    contentBytes: row.content_bytes,
    metadata: row.metadata,
    shareToken: row.share_token_sealed && { keyId: row.share_token_key_id, bytes: row.share_token_sealed },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    changedAt: row.changed_at,
    version: row.version,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    cancelledBy: row.cancelled_by,
    cancelReason: row.cancel_reason,
    erasedAt: row.erased_at,
    parties: row.parties.map((party) => ({
      ...party,
      signedAt: party.signedAt === null ? null : new Date(party.signedAt),
    })),
    readAt: row.read_at,
  }
}
