// The port to a payment provider. The provider decides what a subscription is; billing.ts decides what the account gets from it. [D74]

/** The provider's states of a subscription. */
export const PROVIDER_STATUSES = [
  ...(['active', 'trialing', 'past_due', 'unpaid'] as const),
  ...(['paused', 'canceled', 'incomplete', 'incomplete_expired'] as const),
] as const
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number]

/** A subscription of a customer, as the provider has it now. */
export interface ProvidedSubscription {
  id: string
  status: ProviderStatus
  tier: string
  /** End of the running period. */
  periodEnd: Date
  /** When a cancellation takes effect; null: it renews. */
  cancelAt: Date | null
  /** When the payment of the newest invoice was due; null unless it is missing. */
  unpaidSince: Date | null
}

/** A signed message that something about a customer may have changed. What changed is read from the provider. */
export interface ProviderEvent {
  id: string
  type: string
  customerId: string
}

/** The person who begins to pay, and the account. */
export interface Payer {
  accountId: string
  accountName: string
  /** The proven mailbox of the owner; receipts go there. */
  mailbox: string
}

export interface BillingProvider {
  /** The tiers that have a price at the provider. */
  tiers: ReadonlySet<string>
  /** @param previous the customer that this one replaces */
  createCustomer: (payer: Payer, previous: string | undefined) => Promise<string>
  /**
   * The page where the customer pays for `tier`, or confirms the change to it. Safe to repeat: a customer has one open page of payment.
   * @throws CustomerMissing
   */
  planUrl: (customerId: string, accountId: string, tier: string) => Promise<string>
  /** The page where the customer changes card, plan and cancellation. @throws CustomerMissing */
  portalUrl: (customerId: string) => Promise<string>
  /** The subscription that counts; undefined if the provider knows none. */
  readSubscription: (customerId: string) => Promise<ProvidedSubscription | undefined>
  /** The operator's page about a customer. */
  customerHref: (customerId: string) => string
  /**
   * Checks the signature of a message. Undefined: the message changes no subscription.
   * @param now the signature is valid for 300 s @throws DomainError `invalid_request`
   */
  readEvent: (body: Buffer, signature: string, now: Date) => ProviderEvent | undefined
  close: () => void
}

/** The provider has no such customer, or deleted it. */
export class CustomerMissing extends Error {}

const OPEN: ReadonlySet<ProviderStatus> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** True while the provider can still charge the customer, so that a second payment would be one too many. */
export const isOpen = (status: ProviderStatus): boolean => OPEN.has(status)
