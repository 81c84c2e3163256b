// Examples of the gateway's own answers in the OpenAPI document. Data only; a test requests each of them.
import type { StatusView, UsageView } from '@paraph/protocol/account-views'
import type { Examples } from '@paraph/rpc/rest'

const usage = (counted: Omit<UsageView, 'period' | 'periodStart' | 'periodEnd'>): unknown => ({
  success: true,
  usage: {
    period: '2026-11',
    ...counted,
    periodStart: '2026-11-01T00:00:00.000Z',
    periodEnd: '2026-11-30T23:59:59.999Z',
  } satisfies UsageView,
})

/** GET /usage. */
export const USAGE_EXAMPLES = {
  response: {
    belowQuota: {
      summary: 'Below the quota',
      value: usage({
        totalCalls: 104,
        billableCalls: 97,
        quotaLimit: 5_000,
        remaining: 4_903,
        overageCalls: 0,
        endpointBreakdown: { 'GET /contracts/:id': 88, 'GET /usage': 3, 'POST /contracts': 13 },
      }),
    },
    overQuota: {
      summary: 'Over the quota: served, and counted as overage',
      value: usage({
        totalCalls: 5_021,
        billableCalls: 5_012,
        quotaLimit: 5_000,
        remaining: 0,
        overageCalls: 12,
        endpointBreakdown: { 'GET /contracts/:id': 4_600, 'GET /usage': 8, 'POST /contracts': 413 },
      }),
    },
  },
} satisfies Record<string, Examples>

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

/** GET /status. */
export const STATUS_EXAMPLES = {
  response: {
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
  },
} satisfies Record<string, Examples>
