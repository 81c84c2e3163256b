// The account of a key, and whether it may use the external interface now. Pure. [Authentication, D2, D37, D38]
import type { Environment } from '@paraph/protocol/environment'
import type { AccountData } from '@paraph/protocol/principal'
import { DomainError } from '@paraph/protocol/errors'
import type { StatusView } from '@paraph/protocol/account-views'
import type { AccountStatus } from '../database.js'

export interface Account {
  id: string
  status: AccountStatus
  subscriptionStatus: StatusView['subscription']['status']
  /** Production calls over quota are refused instead of counted as overage. [D4] */
  stopAtQuota: boolean
  /** The data that other services get in the service token. [D47] */
  data: AccountData
}

/**
 * Passes an active account with a paid, granted or (in the sandbox) trial subscription. A past-due subscription passes during its days
 * of grace (subscription.ts).
 * @throws DomainError `account_suspended`, `subscription_inactive`
 */
export function requireUsableAccount(account: Account, environment: Environment): void {
  if (account.status === 'suspended') {
    throw new DomainError('account_suspended', 'This account is suspended. Write to the operator of this installation.')
  }
  if (account.subscriptionStatus === 'ended') {
    throw new DomainError(
      'subscription_inactive',
      'The subscription of this account has ended. Ask the operator of this installation to renew it.',
    )
  }
  if (account.subscriptionStatus === 'trial' && environment === 'production') {
    throw new DomainError(
      'subscription_inactive',
      'Production keys need a paid subscription. Use a sandbox key, or ask the operator of this installation for a subscription.',
    )
  }
}
