// "Report this request": what a link holder reports to the operator, and how the operator handled it. Owns the rows and their daily
// limits. The reporter is not verified; a report has no effect except that the operator can read it. [P8, D75]
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
  /** Of the contract. */
  accountId: string
  /** Null, like `handledBy` and `note`, while the report is open. */
  handledAt: Date | null
  handledBy: string | null
  note: string | null
}

/** Undefined fields do not filter. */
interface ReportFilter {
  isHandled?: boolean | undefined
  accountId?: string | undefined
}

/** A count stops here; a person works through no more. */
const COUNT_MAX = 1_000

/** @param peppers HMAC keys for client addresses. Reports count under every key, so that a rotation does not reset the count */
export function createReports({ database, peppers }: { database: Kysely<SigningDatabase>; peppers: Keyring }) {
  const reports = database
    .selectFrom('report')
    .select(['id', 'contract_id as contractId', 'account_id as accountId', 'reason', 'message'])
    .select(['created_at as createdAt', 'handled_at as handledAt', 'handled_by as handledBy', 'note'])
  return {
    /** Stores a report. @returns when to try again, if this client or this contract has reached its daily limit */
    async add(
      { contractId, accountId }: { contractId: string; accountId: string },
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
          .values({
            id: randomUUID(),
            contract_id: contractId,
            account_id: accountId,
            reason,
            message,
            client_hmac: client[0],
          })
          .execute()
        return undefined
      })
    },

    /** The newest `count` reports, newest first. */
    async list(count: number, { isHandled, accountId }: ReportFilter = {}): Promise<Report[]> {
      let query = reports.orderBy('created_at', 'desc').orderBy('id').limit(count)
      if (isHandled !== undefined) query = query.where('handled_at', isHandled ? 'is not' : 'is', null)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      return query.execute()
    },

    find: (id: string): Promise<Report | undefined> => reports.where('id', '=', id).executeTakeFirst(),

    /** How many reports nobody has handled, of all accounts or of one; beyond the limit, `isMore` is true. */
    async countOpen(accountId: string | undefined): Promise<{ count: number; isMore: boolean }> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from (
          select 1 from report where handled_at is null and (${accountId ?? null}::text is null or account_id = ${accountId ?? null})
           limit ${COUNT_MAX + 1}) as counted`.execute(database)
      const count = rows[0]?.count ?? 0
      return { count: Math.min(count, COUNT_MAX), isMore: count > COUNT_MAX }
    },

    /** Handles an open report. @returns false if another operator did so first */
    async handle(id: string, { by, note }: { by: string; note: string }): Promise<boolean> {
      const { numUpdatedRows } = await database
        .updateTable('report')
        .set({ handled_at: sql<Date>`clock_timestamp()`, handled_by: by, note })
        .where('id', '=', id)
        .where('handled_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0
    },
  }
}

export type Reports = ReturnType<typeof createReports>
