// Counters of the edge: admitted calls, and why others were refused. [D5]
import { count } from '@paraph/telemetry/metrics'
import { asDomainError } from '@paraph/http/render-errors'
import type { Call } from './call.js'

const REASONS = { missing_scope: 'scope', account_suspended: 'suspended', subscription_inactive: 'inactive' } as const

const accountLabels = ({ key }: Call) => ({ 'paraph.tier': key.tier, 'paraph.environment': key.environment })

/** The window had a free slot. */
export function recordAdmitted(call: Call): void {
  count('paraph.ratelimit.decisions', { ...accountLabels(call), 'paraph.outcome': 'admitted' })
}

/** Counts a refusal for key, rate or quota; the HTTP status metrics cover every other error. */
export function recordRefusal(call: Call, error: unknown): void {
  const { code } = asDomainError(error)
  // The steps fill a call in: one without a key was refused before or during authentication. [D9]
  const { key, fingerprint } = call as Partial<Call>
  switch (code) {
    case 'invalid_key':
      return count('paraph.auth.failures', { 'paraph.reason': fingerprint === undefined ? 'missing' : 'unknown' })
    case 'missing_scope':
    case 'account_suspended':
    case 'subscription_inactive':
      return count('paraph.auth.failures', { 'paraph.reason': REASONS[code] })
    case 'rate_limited':
      if (key) count('paraph.ratelimit.decisions', { ...accountLabels(call), 'paraph.outcome': 'refused' })
      else count('paraph.auth.failures', { 'paraph.reason': 'too_many' })
      return
    case 'quota_exceeded':
      if (key) count('paraph.quota.refusals', accountLabels(call))
      return
    default:
  }
}
