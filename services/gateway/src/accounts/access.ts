// How far an account has come on the way to its first call: one status, one next action. Pure. [Authentication, D37, D38]
import type { Environment } from '@paraph/protocol/caller'
import type { AccountStatus, ApplicationState } from './database.js'
import { graceEndOf, standingOf, type Subscription } from './subscription.js'

export type Access =
  | { step: 'apply' }
  | { step: 'pending'; sentAt: Date }
  | { step: 'refused'; decidedAt: Date; reason: string }
  | { step: 'choose_plan' }
  /** A tier is chosen, and waits to be paid or granted. */
  | { step: 'plan_chosen'; wantedTier: string }
  | { step: 'trial'; tier: string; periodEnd: Date | null }
  | { step: 'active'; tier: string; periodEnd: Date | null }
  /** The days of grace: everything works until then. */
  | { step: 'past_due'; tier: string; keysStopAt: Date }
  | { step: 'ended'; tier: string }
  | { step: 'suspended' }

export interface AccountRecord {
  status: AccountStatus
  approvedAt: Date | null
  wantedTier: string | null
  subscription: Subscription
  /** The newest one; null where the operator made the account. */
  application: { state: ApplicationState; sentAt: Date; decidedAt: Date | null; reason: string | null } | null
}

/** Where the account of `record` stands at `now`. */
export function accessOf(
  { status, approvedAt, wantedTier, subscription, application }: AccountRecord,
  now: Date,
): Access {
  if (status === 'suspended') return { step: 'suspended' }
  if (approvedAt === null) {
    if (application?.state === 'pending') return { step: 'pending', sentAt: application.sentAt }
    if (application?.state === 'refused')
      return { step: 'refused', decidedAt: application.decidedAt!, reason: application.reason! }
    return { step: 'apply' }
  }
  const { tier, periodEnd } = subscription
  const standing = standingOf(subscription, now)
  if (tier === null || standing === 'none')
    return wantedTier === null ? { step: 'choose_plan' } : { step: 'plan_chosen', wantedTier }
  if (standing === 'past_due') return { step: 'past_due', tier, keysStopAt: graceEndOf(periodEnd!) }
  if (standing === 'ended') return { step: 'ended', tier }
  return { step: standing, tier, periodEnd }
}

/** Whether keys of this environment can be made: an approved application and a tier; on trial for the sandbox alone. [D38] */
export function mayCreateKeys({ step }: Access, environment: Environment): boolean {
  if (step === 'trial') return environment === 'sandbox'
  return step === 'active' || step === 'past_due'
}
