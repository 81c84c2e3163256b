// The rows about a payment provider: which customer an account is, what the provider said last, and which events were applied. [D74]
import { sql, type Kysely } from 'kysely'
import { setSubscription } from '../accounts/account-store.js'
import { clock, createChangeAccount, type StoreDeps, type Trx } from '../accounts/account-change.js'
import { SERVICE } from '../accounts/audit.js'
import type { GatewayDatabase } from '../database.js'
import { planStateOf, unpaidSinceOf } from './plan-state.js'
import { isOpen, type ProvidedSubscription, type ProviderEvent } from './provider.js'

/** How often an account is compared with the provider although no event came. */
const CHECK_EVERY = '1 day'
/** The same once the period is over: an event is overdue, or the days of grace run. */
const CHECK_OVERDUE_EVERY = '10 minutes'
const CHECKS_A_ROUND = 20

export function createBillingStore(deps: StoreDeps) {
  const { database } = deps
  const change = createChangeAccount(deps)
  return {
    ...createBillingQueries(database),

    /** Keeps the customer of an account, unless another click kept one meanwhile. @returns the one that is kept */
    async keepCustomer(accountId: string, customerId: string, previous: string | undefined): Promise<string> {
      await database
        .insertInto('billing_customer')
        .values({ account_id: accountId, customer_id: customerId })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet({ customer_id: customerId, revision: sql<number>`billing_customer.revision + 1` })
            .where('billing_customer.customer_id', '=', previous ?? ''),
        )
        .execute()
      const kept = await database
        .selectFrom('billing_customer')
        .select('customer_id')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      return kept.customer_id
    },

    /** The account waits for its next comparison although this one failed. */
    async postpone(accountId: string): Promise<void> {
      await database
        .updateTable('billing_customer')
        .set({ checked_at: clock })
        .where('account_id', '=', accountId)
        .execute()
    },

    /**
     * Writes what the provider said after `kept` was read, with the event, the plan and the audit entry in one transaction.
     * @returns false if another write came first: what the provider said may be older than that write
     */
    async apply(kept: KeptCustomer, found: ProvidedSubscription | undefined, event?: ProviderEvent): Promise<boolean> {
      const { accountId, revision } = kept
      return change(accountId, async (trx) => {
        const written = await trx
          .updateTable('billing_customer')
          .set({ revision: revision + 1, checked_at: clock, ...(found && columnsOf(found, kept)) })
          .where('account_id', '=', accountId)
          .where('revision', '=', revision)
          .executeTakeFirst()
        if (written.numUpdatedRows === 0n) return false
        if (event)
          await trx
            .insertInto('billing_event')
            .values({ id: event.id, type: event.type, account_id: accountId })
            .execute()
        if (found) await setPlan(trx, kept, found)
        return true
      })
    },
  }
}

export type BillingStore = ReturnType<typeof createBillingStore>
export type KeptCustomer = NonNullable<Awaited<ReturnType<ReturnType<typeof createBillingQueries>['read']>>>

function createBillingQueries(database: Kysely<GatewayDatabase>) {
  const customers = database
    .selectFrom('billing_customer')
    .select(['account_id as accountId', 'customer_id as customerId', 'status', 'is_open as isOpen'])
    .select(['cancel_at as cancelAt', 'unpaid_since as unpaidSince', 'revision'])
  return {
    read: (accountId: string) => customers.where('account_id', '=', accountId).executeTakeFirst(),

    find: (customerId: string) => customers.where('customer_id', '=', customerId).executeTakeFirst(),

    async isApplied({ id }: ProviderEvent): Promise<boolean> {
      const row = await database.selectFrom('billing_event').select('id').where('id', '=', id).executeTakeFirst()
      return row !== undefined
    },

    /** Accounts to compare with the provider, those that wait longest first. */
    async due(): Promise<string[]> {
      const { rows } = await sql<{ accountId: string }>`
        select account_id as "accountId"
          from billing_customer join account on account.id = account_id
         where is_open and checked_at < clock_timestamp() - case when period_end < clock_timestamp()
               then ${CHECK_OVERDUE_EVERY}::interval else ${CHECK_EVERY}::interval end
         order by checked_at limit ${CHECKS_A_ROUND}`.execute(database)
      return rows.map(({ accountId }) => accountId)
    },
  }
}

const columnsOf = (found: ProvidedSubscription, kept: KeptCustomer) => ({
  status: found.status,
  is_open: isOpen(found.status),
  cancel_at: found.cancelAt,
  unpaid_since: unpaidSinceOf(found, kept),
})

/** Grants or ends the plan as an operator does. No entry in the audit log if nothing changes. Requires the account's lock. */
async function setPlan(trx: Trx, kept: KeptCustomer, found: ProvidedSubscription): Promise<void> {
  const plan = planStateOf(found, kept)
  if (!plan) return
  const { tier, status, periodEnd } = plan
  const now = await trx
    .selectFrom('account')
    .select(['tier', 'subscription_status as status', 'period_end as periodEnd'])
    .where('id', '=', kept.accountId)
    .executeTakeFirstOrThrow()
  const isSame = now.tier === tier && now.status === status && now.periodEnd?.getTime() === periodEnd?.getTime()
  if (isSame) return
  const act = status === 'active' ? 'subscription.granted' : 'subscription.ended'
  await setSubscription(trx, { id: kept.accountId, ...plan }, SERVICE, act)
}
