// "Report this request": what whoever holds a link tells the operator about it. Owns: the rows and how many there may be. [P8]
// Nobody has proven anything here; a report changes nothing but that the operator can read it.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { addressBlockOf } from '@paraph/service/address-block'
import { authenticateUnderEach, type Keyring } from '@paraph/service/keyring'
import type { SigningDatabase } from './database.js'
import { holdOffErasure } from './erasure.js'

/** What may be wrong, as the form offers it and the operator reads it. [ceremony: report] */
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

/** @param peppers the client's address is only counted, so only its HMAC is kept; counted under each, so that a rotation begins no new count */
export function createReports({ database, peppers }: { database: Kysely<SigningDatabase>; peppers: Keyring }) {
  return {
    /** Keeps a report. @returns when to try again, where a day holds as many from this client or about this contract as it may */
    async add(
      contractId: string,
      { reason, message }: { reason: ReportReason; message: string },
      clientAddress: string,
    ): Promise<{ tryAgainAt: Date } | undefined> {
      const client = authenticateUnderEach(peppers, `report ${addressBlockOf(clientAddress)}`)
      return database.transaction().execute(async (trx) => {
        await holdOffErasure(trx, contractId)
        // In this order everywhere, so that the counts are exact and nobody waits in a circle.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`reports ${contractId}`}, 0))`.execute(trx)
        await sql`select pg_advisory_xact_lock(hashtextextended(${`reporter ${client[0].toString('hex')}`}, 0))`.execute(
          trx,
        )
        const { rows } = await sql<{ free_at: Date | null }>`
          select greatest(
            (select min(created_at) + interval '1 day' from report
              where client_hmac = any(${client}::bytea[]) and created_at > clock_timestamp() - interval '1 day'
             having count(*) >= ${PER_CLIENT_AND_DAY}),
            (select min(created_at) + interval '1 day' from report
              where contract_id = ${contractId} and created_at > clock_timestamp() - interval '1 day'
             having count(*) >= ${PER_CONTRACT_AND_DAY})) as free_at`.execute(trx)
        const tryAgainAt = rows[0]?.free_at
        if (tryAgainAt) return { tryAgainAt }
        await trx
          .insertInto('report')
          .values({ id: randomUUID(), contract_id: contractId, reason, message, client_hmac: client[0] })
          .execute()
        return undefined
      })
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
