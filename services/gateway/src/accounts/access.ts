// Computes the onboarding step of an account, and whether its keys may call now. Pure. [Authentication, D2, D37, D38]
import type { StatusView } from '@paraph/protocol/account-views'
import type { Environment } from '@paraph/protocol/environment'
import { DomainError } from '@paraph/protocol/errors'
import type { AccountData } from '@paraph/protocol/principal'
import type { AccountStatus } from '../database.js'
import type { ApplicationState } from './application.js'
import { graceEndOf, subscriptionStatusOf, type Subscription } from './subscription.js'

export type Access =
  | { step: 'apply' }
  | { step: 'pending'; sentAt: Date }
  | { step: 'refused'; decidedAt: Date; reason: string }
  | { step: 'choose_plan' }
  /** A tier is chosen, but not paid or granted yet. */
  | { step: 'plan_chosen'; wantedTier: string }
  | { step: 'trial'; tier: string; periodEnd: Date | null }
  | { step: 'active'; tier: string; periodEnd: Date | null }
  /** In the grace period: everything works until `keysStopAt`. */
  | { step: 'past_due'; tier: string; keysStopAt: Date }
  | { step: 'ended'; tier: string }
  | { step: 'suspended' }

export interface AccountRecord extends Subscription {
  status: AccountStatus
  approvedAt: Date | null
  /** Null while there is no subscription. */
  tier: string | null
  wantedTier: string | null
  /** The newest application; null if the operator created the account. */
  application: { state: ApplicationState; sentAt: Date; decidedAt: Date | null; reason: string | null } | null
}

/** The step that the account has reached at `now`. */
export function accessOf(account: AccountRecord, now: Date): Access {
  const { status, approvedAt, tier, wantedTier, periodEnd, application } = account
  if (status === 'suspended') return { step: 'suspended' }
  if (approvedAt === null) {
    if (application?.state === 'pending') return { step: 'pending', sentAt: application.sentAt }
    if (application?.state === 'refused')
      return { step: 'refused', decidedAt: application.decidedAt!, reason: application.reason! }
    return { step: 'apply' }
  }
  const subscriptionStatus = subscriptionStatusOf(account, now)
  if (tier === null || subscriptionStatus === 'none')
    return wantedTier === null ? { step: 'choose_plan' } : { step: 'plan_chosen', wantedTier }
  if (subscriptionStatus === 'past_due') return { step: 'past_due', tier, keysStopAt: graceEndOf(periodEnd!) }
  if (subscriptionStatus === 'ended') return { step: 'ended', tier }
  return { step: subscriptionStatus, tier, periodEnd }
}

/** True if the account may create keys of this environment. A trial permits sandbox keys only. [D38] */
export function mayCreateKeys({ step }: Access, environment: Environment): boolean {
  if (step === 'trial') return environment === 'sandbox'
  return step === 'active' || step === 'past_due'
}

/** The account of a key. */
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
 * Accepts an active account whose subscription is paid or granted, or, in the sandbox, a trial. Accepts a past-due subscription during
 * its grace period (subscription.ts).
 * @throws DomainError `account_suspended`, `subscription_inactive`
 */
export function requireUsableAccount(account: Account, environment: Environment): void {
  const { status, subscriptionStatus } = account
  if (status === 'suspended')
    throw new DomainError('account_suspended', 'This account is suspended. Write to the operator of this installation.')
  if (subscriptionStatus === 'ended')
    throw inactive('The subscription of this account has ended. Ask the operator of this installation to renew it.')
  if (subscriptionStatus === 'trial' && environment === 'production')
    throw inactive(
      'Production keys need a paid subscription. Use a sandbox key, or ask the operator of this installation for a subscription.',
    )
}

const inactive = (sentence: string) => new DomainError('subscription_inactive', sentence)
