// "Report this request": what whoever holds a link tells the operator about it. Owns: the rows and how many there may be.
// Nobody has proven anything here; a report changes nothing but that the operator can read it.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { addressBlockOf } from '@paraph/service/address-block'
import { authenticate, type Keyring } from '@paraph/service/keyring'
import type { SigningDatabase } from './database.js'

export const REPORT_REASONS = ['unknown_sender', 'impersonation', 'asks_for_money', 'other'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** Code points. */
export const REPORT_MESSAGE_MAX = 2_000

/** In a day: enough for an office, far too few to bury the operator. */
const PER_CLIENT_AND_DAY = 20
const PER_CONTRACT_AND_DAY = 50

interface Report {
  id: string
  contractId: string
  reason: ReportReason
  message: string
  createdAt: Date
}

/** @param peppers the client's address is only counted, so only its HMAC is kept */
export function createReports({ database, peppers }: { database: Kysely<SigningDatabase>; peppers: Keyring }) {
  return {
    /** Keeps a report. @returns false when as many as a day may hold came from this client or about this contract */
    async add(
      contractId: string,
      { reason, message }: { reason: ReportReason; message: string },
      clientAddress: string,
    ): Promise<boolean> {
      const client = authenticate(peppers, `report ${addressBlockOf(clientAddress)}`)
      const { rows } = await sql`
        insert into report (id, contract_id, reason, message, client_hmac)
        select ${randomUUID()}, ${contractId}, ${reason}, ${message}, ${client}
         where (select count(*) from report
                 where client_hmac = ${client} and created_at > clock_timestamp() - interval '1 day') < ${PER_CLIENT_AND_DAY}
           and (select count(*) from report
                 where contract_id = ${contractId} and created_at > clock_timestamp() - interval '1 day') < ${PER_CONTRACT_AND_DAY}
        returning id`.execute(database)
      return rows.length === 1
    },

    /** The newest first. */
    async list(count: number): Promise<Report[]> {
      return database
        .selectFrom('report')
        .select(['id', 'contract_id as contractId', 'reason', 'message', 'created_at as createdAt'])
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(count)
        .execute()
    },
  }
}

export type Reports = ReturnType<typeof createReports>
