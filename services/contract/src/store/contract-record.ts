// Reads one contract with its parties and signatures, all of one instant.
import { sql, type Kysely, type Selectable } from 'kysely'
import type { Sealed } from '@paraph/config/keyring'
import type { ContractDatabase, ContractTable } from '../database.js'

/** `sender_name` becomes `senderName`. */
type CamelCase<Column> = Column extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Column

/** The columns that a record contains in camel case: all except the text, `request_id`, the share token and what the list filters by. */
type Columns = Omit<Selectable<ContractTable>, 'content' | 'request_id' | `share_token_${string}` | `has_${string}`>
type Fields = { [Column in keyof Columns as CamelCase<Column>]: Columns[Column] }

/** A contract without its text, at one instant of the database's clock. */
export interface ContractRecord extends Fields {
  /** Length of the text in bytes of UTF-8. */
  contentBytes: number
  shareToken: Sealed | null
  parties: { role: string; legalName: string; email: string; signedAt: Date | null; declinedAt: Date | null }[]
  /** The corrections of addresses, in their order. The next one of a party has its address as `oldEmail`. [D61] */
  readdresses: { partyIndex: number; oldEmail: string; at: string }[]
  /** The database's clock at the read. */
  readAt: Date
}

type Row = Omit<ContractRecord, 'shareToken' | 'parties'> & {
  sealedShareToken: Buffer | null
  shareTokenKeyId: string
  parties: { role: string; legalName: string; email: string; signedAt: string | null; declinedAt: string | null }[]
}

/** True for a row `d` of a party whose address was not corrected since it declined. [D61] */
export const isOfPresentAddress = sql`not exists (
  select from readdress r where r.contract_id = d.contract_id and r.party_index = d.party_index and r.number > d.address_number)`

/**
 * Reads with one statement, so that status, parties and signatures are of one instant. Omits the text, which has up to 50 KB. Looks for
 * declines only where the contract says that it has one: few do, and this is the statement of every GET.
 */
export async function readContract(
  database: Kysely<ContractDatabase>,
  where: ReturnType<typeof sql>,
): Promise<ContractRecord | undefined> {
  const { rows } = await sql<Row>`
    select c.id, c.account_id as "accountId", c.environment, c.contract_number as "contractNumber",
           c.contract_type as "contractType", c.status, c.sender_name as "senderName", c.account_name as "accountName",
           c.mail_language as "mailLanguage", c.time_zone as "timeZone", c.reply_address as "replyAddress",
           c.cancels_on_decline as "cancelsOnDecline", c.reminds_parties as "remindsParties",
           c.content_sha256 as "contentSha256", octet_length(c.content) as "contentBytes", c.metadata,
           c.share_token_sealed as "sealedShareToken", c.share_token_key_id as "shareTokenKeyId",
           c.created_at as "createdAt", c.expires_at as "expiresAt", c.changed_at as "changedAt", c.version,
           c.completed_at as "completedAt", c.cancelled_at as "cancelledAt", c.cancelled_by as "cancelledBy",
           c.cancel_reason as "cancelReason", c.erased_at as "erasedAt",
           c.erase_due_at as "eraseDueAt", c.erase_requested_by as "eraseRequestedBy", c.held_at as "heldAt",
           c.hold_reason as "holdReason", c.deliveries, c.delivery_changes as "deliveryChanges",
           c.delivery_at as "deliveryAt", clock_timestamp() as "readAt",
           (select json_agg(json_build_object('role', p.role, 'legalName', p.legal_name, 'email', p.email, 'signedAt', s.signed_at,
                                              'declinedAt', case when c.has_decline then (select declined_at from decline d
                  where d.contract_id = p.contract_id and d.party_index = p.party_index and ${isOfPresentAddress}) end)
                            order by p.party_index)
              from party p left join signature s using (contract_id, party_index)
             where p.contract_id = c.id) as parties,
           (select coalesce(json_agg(json_build_object('partyIndex', party_index, 'oldEmail', old_email, 'at', readdressed_at)
                                     order by version), '[]')
              from readdress where contract_id = c.id) as readdresses
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
      // A signature takes the decline back. [D57]
      declinedAt: party.declinedAt === null || party.signedAt !== null ? null : new Date(party.declinedAt),
    })),
  }
}
