// Billing as the console knows it: four verbs, whoever collects the money. [Subscription tiers, D38]
// Owns: the port. An adapter never decides what a key may do: it says what is current, and subscription.ts judges by the clock.
import type { Subscription } from './subscription.js'

/** Where somebody goes: another site, or words because there is none. */
export type Place = { kind: 'link'; url: string } | { kind: 'operator' }

export interface Billing {
  /** Where the tier is paid that the account has chosen. */
  whereToPay(account: { id: string }, tier: string): Promise<Place>
  /** Where plan, card and invoices are looked after. */
  whereToManage(account: { id: string }): Promise<Place>
  /** What the provider told us, as it came; an adapter checks its signature and reads the state anew. */
  heardFromProvider(body: Buffer, signature: string | undefined): Promise<void>
  /** What the account has now. */
  current(accountId: string): Promise<Subscription>
}
