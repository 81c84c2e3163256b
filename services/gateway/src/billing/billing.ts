// Paying by a provider: pages to pay, and the plan that follows from what the provider has now. [D74]
// An event is a hint: whatever it says, the subscription is read again, because the order of events is not guaranteed.
import { DomainError, unavailable } from '@paraph/protocol/errors'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { BillingStore } from './billing-store.js'
import { CustomerMissing, type BillingProvider, type Payer, type ProviderEvent } from './provider.js'

/** Events of one account come in bursts of three or four; each write lets the others read again. */
const ATTEMPTS_MAX = 6
const CHECK_PAUSE_MS = 60_000

interface BillingDeps {
  provider: BillingProvider
  store: BillingStore
  logger: Logger
}

export function createBilling({ provider, store, logger }: BillingDeps) {
  /**
   * Brings the account to what the provider has now. Each state is read after the write before it, so that no older one replaces a newer.
   * @throws DomainError `unavailable`; Error if the provider has what no setting explains
   */
  async function refresh(accountId: string, event?: ProviderEvent): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const kept = await store.read(accountId)
      if (!kept) return
      // In this order: an event that another request applies after this look makes the write see a new revision.
      if (event && (await store.isApplied(event))) return
      const found = await provider.readSubscription(kept.customerId)
      // A wrong key of the provider would otherwise end every plan. Without further payments the period ends by itself.
      if (!found && kept.isOpen)
        logger.error({ accountId }, 'the payment provider does not know the subscription; its plan stays until its end')
      if (await store.apply(kept, found, event)) return
    }
    throw unavailable(new Error('the subscription changed during every attempt to read it'))
  }

  /** Calls `act` with the account's customer, and once more with a new one if the provider does not know the first. */
  async function withCustomer(payer: Payer, act: (customerId: string) => Promise<string>): Promise<string> {
    const kept = await store.read(payer.accountId)
    try {
      if (kept) return await act(kept.customerId)
    } catch (error) {
      if (!(error instanceof CustomerMissing)) throw error
    }
    const made = await provider.createCustomer(payer, kept?.customerId)
    return act(await store.keepCustomer(payer.accountId, made, kept?.customerId))
  }

  /** Compares one account. A fault of its own waits for the next time; an outage stops the round. */
  async function check(accountId: string): Promise<void> {
    try {
      await refresh(accountId)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unavailable') throw error
      logger.error({ err: error, accountId }, 'could not apply what the payment provider has; the plan stays as it is')
      await store.postpone(accountId)
    }
  }

  const checks = createLoop({
    name: 'billing checks',
    pauseMs: CHECK_PAUSE_MS,
    failureMessage: 'could not compare subscriptions with the payment provider; events still arrive',
    logger,
    async work() {
      for (const accountId of await store.due()) await check(accountId)
      return false
    },
  })

  return {
    /** The tiers that an owner can pay for. */
    tiers: provider.tiers,
    checks,
    refresh,
    customerHref: provider.customerHref,

    /** What the provider said last; undefined for an account that never began to pay. */
    read: store.read,

    /** The page of the provider where an owner pays for `tier` or changes to it. */
    planUrl: (payer: Payer, tier: string): Promise<string> =>
      withCustomer(payer, (customerId) => provider.planUrl(customerId, payer.accountId, tier)),

    /** The provider's page about card, invoices and cancellation; undefined for an account that never began to pay. */
    async portalUrl(accountId: string): Promise<string | undefined> {
      const kept = await store.read(accountId)
      if (!kept) return undefined
      return provider.portalUrl(kept.customerId).catch((error: unknown) => {
        if (error instanceof CustomerMissing) return undefined
        throw error
      })
    },

    /** Applies a signed message of the provider once. @throws DomainError `invalid_request` for a wrong signature */
    async receive(body: Buffer, signature: string, now: Date): Promise<void> {
      const event = provider.readEvent(body, signature, now)
      const kept = event && (await store.find(event.customerId))
      // Other products of the same merchant have customers that are no account here.
      if (kept) await refresh(kept.accountId, event)
    },

    close: provider.close,
  }
}

export type Billing = ReturnType<typeof createBilling>
