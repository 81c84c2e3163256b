// Examples of the gateway's own answers in the OpenAPI document. Data only; a test requests each of them.
import type { StatusView, UsageView } from '@paraph/protocol/account-views'
import type { Examples } from '@paraph/rpc/rest'

/** The answer to an account with a quota of 5,000 calls. */
const usage = (billableCalls: number, endpointBreakdown: UsageView['endpointBreakdown']): unknown => ({
  success: true,
  usage: {
    period: '2026-11',
    totalCalls: Object.values(endpointBreakdown).reduce((sum, calls) => sum + calls, 0),
    billableCalls,
    quotaLimit: 5_000,
    remaining: Math.max(0, 5_000 - billableCalls),
    overageCalls: Math.max(0, billableCalls - 5_000),
    endpointBreakdown,
    periodStart: '2026-11-01T00:00:00.000Z',
    periodEnd: '2026-11-30T23:59:59.999Z',
  } satisfies UsageView,
})

/** Examples of GET /usage. */
export const USAGE_EXAMPLES = {
  belowQuota: {
    summary: 'Below the quota',
    value: usage(97, { 'GET /contracts/:id': 88, 'GET /usage': 3, 'POST /contracts': 13 }),
  },
  overQuota: {
    summary: 'Over the quota: served, and counted as overage',
    value: usage(5_012, { 'GET /contracts/:id': 4_600, 'GET /usage': 8, 'POST /contracts': 413 }),
  },
} satisfies Examples

const production: StatusView = {
  status: 'operational',
  subscription: { tier: 'startup', status: 'active' },
  key: {
    id: 'key_k3v9x2m1q7ab4t0p8zue',
    name: 'Order system',
    environment: 'production',
    scopes: ['contracts:read', 'contracts:write'],
    createdAt: '2026-11-02T09:00:00.000Z',
    expiresAt: null,
  },
  limits: { requestsPerMinute: 60, monthlyQuota: 5_000 },
  version: '2.0.0',
}

/** Examples of GET /status. */
export const STATUS_EXAMPLES = {
  production: { summary: 'A production key', value: production },
  sandbox: {
    summary: 'A sandbox key, which has limits of its own',
    value: {
      ...production,
      key: { ...production.key, id: 'key_7ab4t0p8zuek3v9x2m1q', name: 'Tests', environment: 'sandbox' },
      limits: { requestsPerMinute: 60, monthlyQuota: 1_000 },
    } satisfies StatusView,
  },
  degraded: {
    summary: 'A service behind the gateway is not ready',
    value: { ...production, status: 'degraded' } satisfies StatusView,
  },
} satisfies Examples
