// Counters of the edge: admitted calls, and refused calls by reason. [D5]
import { count } from '@paraph/telemetry/metrics'
import { asDomainError } from '@paraph/http/render-errors'
import type { Call } from './call.js'

const REASONS = { missing_scope: 'scope', account_suspended: 'suspended', subscription_inactive: 'inactive' } as const

const accountLabels = ({ key }: Call) => ({ 'paraph.tier': key.tier, 'paraph.environment': key.environment })

/** Counts a call for which the window had a free slot. */
export function recordAdmitted(call: Call): void {
  count('paraph.ratelimit.decisions', { ...accountLabels(call), 'paraph.outcome': 'admitted' })
}

/** Counts a refusal for key, rate or quota; the HTTP status metrics cover every other error. */
export function recordRefusal(call: Call, error: unknown): void {
  const { code } = asDomainError(error)
  // Authentication sets `key`: a call without a key was refused before or during authentication. [D9]
  const { key, fingerprint } = call as Partial<Call>
  const refused = (reason: string) => count('paraph.auth.failures', { 'paraph.reason': reason })
  if (code === 'invalid_key') refused(fingerprint === undefined ? 'missing' : 'unknown')
  else if (code in REASONS) refused(REASONS[code as keyof typeof REASONS])
  else if (code === 'rate_limited' && !key) refused('too_many')
  else if (code === 'rate_limited')
    count('paraph.ratelimit.decisions', { ...accountLabels(call), 'paraph.outcome': 'refused' })
  else if (code === 'quota_exceeded' && key) count('paraph.quota.refusals', accountLabels(call))
}
