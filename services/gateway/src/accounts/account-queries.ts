// Reads accounts and tiers. [D14, D34, D38]
import { sql, type Kysely } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import type { GatewayDatabase } from '../database.js'

/** Accounts on one page of the operator's list. */
const ACCOUNTS_PAGE = 50

export const accountNotFound = () =>
  new DomainError('not_found', 'There is no account with this id. List the accounts to find it.')

/** The queries of the account store. */
export function createAccountQueries(database: Kysely<GatewayDatabase>) {
  const accounts = database
    .selectFrom('account')
    .select(['id', 'name', 'sender_name as senderName', 'tier', 'status', 'subscription_status as subscriptionStatus'])
    .select(['period_end as periodEnd', 'wanted_tier as wantedTier', 'approved_at as approvedAt', 'language'])
    .select(['time_zone as timeZone', 'reply_address as replyAddress', 'stop_at_quota as stopAtQuota'])
    .select(['cancels_on_decline as cancelsOnDecline', 'reminds_parties as remindsParties'])
    .select(['mails_refused as mailsRefused', 'mails_declined as mailsDeclined'])
    .select(['mails_completed as mailsCompleted', 'mails_expired as mailsExpired'])
    .select('created_at as createdAt')
  const tiers = database.selectFrom('tier').selectAll()
  return {
    /** Every account, oldest first. */
    list: () => accounts.orderBy('created_at').orderBy('id').execute(),

    /**
     * A page of accounts by name.
     * @param after the last account of the previous page
     * @param search part of a name, of an id, or of the address of a person of the account; undefined for all
     */
    async page(after: { name: string; id: string } | undefined, search?: string) {
      let query = accounts
        .orderBy('name')
        .orderBy('id')
        .limit(ACCOUNTS_PAGE + 1)
      if (after) query = query.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`)
      if (search !== undefined) {
        const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
        query = query.where(
          sql<boolean>`(name ilike ${part} or id ilike ${part}
            or exists (select from account_owner where account_id = account.id and mailbox ilike ${part}))`,
        )
      }
      const rows = await query.execute()
      return { accounts: rows.slice(0, ACCOUNTS_PAGE), hasMore: rows.length > ACCOUNTS_PAGE }
    },

    /** @throws DomainError `not_found` */
    async show(id: string) {
      const account = await accounts.where('id', '=', id).executeTakeFirst()
      if (!account) throw accountNotFound()
      return account
    },

    /** Reads an account and its newest application in one query. @throws DomainError `not_found` */
    async showWithApplication(id: string) {
      const found = await accounts
        .leftJoinLateral(
          (select) =>
            select
              .selectFrom('application')
              .select(['state', 'sent_at', 'decided_at', 'reason'])
              .whereRef('account_id', '=', 'account.id')
              .orderBy('sent_at', 'desc')
              .limit(1)
              .as('newest'),
          (join) => join.onTrue(),
        )
        .select(['newest.state', 'newest.sent_at as sentAt', 'newest.decided_at as decidedAt', 'newest.reason'])
        .where('account.id', '=', id)
        .executeTakeFirst()
      if (!found) throw accountNotFound()
      const { state, sentAt, decidedAt, reason, ...row } = found
      return { row, application: state && sentAt && { state, sentAt, decidedAt, reason } }
    },

    /** The tiers on offer, smallest first. */
    offeredTiers: () => tiers.where('monthly_price_cad', 'is not', null).orderBy('monthly_price_cad').execute(),

    /** Every tier, smallest first; for the operator. */
    tiers: () => tiers.orderBy('requests_per_minute').execute(),
  }
}
