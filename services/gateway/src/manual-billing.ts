// Billing without a provider: the operator writes the invoice, and grants tier and end of the period. [D38]
import type { AccountStore } from './account-store.js'
import type { Billing } from './billing.js'

export function createManualBilling(accounts: Pick<AccountStore, 'show'>): Billing {
  return {
    whereToPay: () => Promise.resolve({ kind: 'operator' }),
    whereToManage: () => Promise.resolve({ kind: 'operator' }),
    heardFromProvider: () => Promise.resolve(),
    async current(accountId) {
      const { tier, subscriptionStatus: status, periodEnd } = await accounts.show(accountId)
      return { tier, status, periodEnd }
    },
  }
}
