// What the page of the plan knows of the payment at a provider. [D74]
import type { ProviderStatus } from '../../billing/provider.js'

export interface PlanPayment {
  /** The plans that an owner can pay for here. The operator sends invoices for others. */
  tiers: ReadonlySet<string>
  /** The provider's state of the subscription; undefined before the first payment. */
  status: ProviderStatus | undefined
  /** The subscription can be charged, changed and cancelled at the provider. */
  isOpen: boolean
  /** When a cancellation takes effect. */
  cancelAt: Date | null
  /** The owner comes from the payment, and the provider has not confirmed it yet. */
  isConfirming: boolean
  /** The first plan begins as a trial. [D38] */
  mayTry: boolean
}
