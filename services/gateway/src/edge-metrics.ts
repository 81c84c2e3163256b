// What is told of the edge: whom it let in, and for what it refused. [B.5, D5]
import { count } from '@paraph/telemetry/metrics'
import { asDomainError } from '@paraph/service/render-errors'
import type { Call } from './call.js'

const REASONS = {
  missing_scope: 'scope',
  account_suspended: 'suspended',
  subscription_inactive: 'inactive',
} as const

const accountOf = ({ key }: Call) => ({ 'paraph.tier': key.tier, 'paraph.environment': key.environment })

/** The window had room. */
export function tellAdmitted(call: Call): void {
  count('paraph.ratelimit.decisions', { ...accountOf(call), 'paraph.outcome': 'admitted' })
}

/** Why a call was refused, where that is for its key, its rate or its quota; every other error is in the status. */
export function tellRefusal(call: Call, error: unknown): void {
  const { code } = asDomainError(error)
  // Steps fill a call in: without a key nobody was let in. [D9]
  const isKnown = (call as Partial<Call>).key !== undefined
  switch (code) {
    case 'invalid_key':
      return count('paraph.auth.failures', { 'paraph.reason': hasKeyShape(call) ? 'unknown' : 'missing' })
    case 'missing_scope':
    case 'account_suspended':
    case 'subscription_inactive':
      return count('paraph.auth.failures', { 'paraph.reason': REASONS[code] })
    case 'rate_limited':
      if (isKnown) count('paraph.ratelimit.decisions', { ...accountOf(call), 'paraph.outcome': 'refused' })
      else count('paraph.auth.failures', { 'paraph.reason': 'too_many' })
      return
    case 'quota_exceeded':
      if (isKnown) count('paraph.quota.refusals', accountOf(call))
      return
    default:
  }
}

const hasKeyShape = (call: Call): boolean => (call as Partial<Call>).fingerprint !== undefined
