// "Report this request": what a link holder reports to the operator. Owns the rows and their daily limits. [P8]
// The reporter is not verified; a report has no effect except that the operator can read it.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { addressBlockOf } from '@paraph/http/address-block'
import { authenticateUnderEach, type Keyring } from '@paraph/config/keyring'
import type { ReportReason, SigningDatabase } from '../database.js'
import { delayErasure } from '../chain/erasure.js'

/** The reasons that the form offers. [ceremony: report] */
export const REPORT_REASONS: readonly ReportReason[] = ['unknown_sender', 'impersonation', 'asks_for_money', 'other']

/** Code points. */
export const REPORT_MESSAGE_MAX = 2_000

/** Daily limits: enough for an office, too few to flood the operator. */
const PER_CLIENT_AND_DAY = 20
const PER_CONTRACT_AND_DAY = 50

interface Report {
  id: string
  contractId: string
  reason: ReportReason
  message: string
  createdAt: Date
}

/** @param peppers HMAC keys for client addresses. Reports count under every key, so that a rotation does not reset the count */
export function createReports({ database, peppers }: { database: Kysely<SigningDatabase>; peppers: Keyring }) {
  return {
    /** Stores a report. @returns when to try again, if this client or this contract has reached its daily limit */
    async add(
      contractId: string,
      { reason, message }: { reason: ReportReason; message: string },
      clientAddress: string,
    ): Promise<{ tryAgainAt: Date } | undefined> {
      const client = authenticateUnderEach(peppers, `report ${addressBlockOf(clientAddress)}`)
      return database.transaction().execute(async (trx) => {
        await delayErasure(trx, contractId)
        // The locks make the counts exact; the fixed order prevents deadlocks.
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

    /** The newest `count` reports, newest first. */
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
