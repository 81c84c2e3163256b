// The gateway's own two endpoints as procedures, from which the OpenAPI document is generated. [GET /usage, GET /status, D2]
// They run as the last step of the edge, which has checked the key and counts the call.
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { statusSchema, usageAnswerSchema, type StatusView, type UsageView } from '@paraph/protocol/account-views'
import { DomainError } from '@paraph/protocol/errors'
import { VERSION } from '@paraph/protocol/version'
import type { Examples, RestMeta } from '@paraph/rpc/rest'
import type { ApiKey } from '../keys/key-store.js'
import type { UsageRecord } from '../usage/recorder.js'

/** The context of a call to one of the gateway's own endpoints. */
export interface OwnContext {
  key: ApiKey
  /** Time of admission by the store's clock. */
  admittedAt: Date
  /** Counts this call now, so that the answer includes it. Resolves with false if the database did not store the count. */
  countNow: () => Promise<boolean>
  isDatabaseUnavailable: boolean
}

const { router, procedure } = initTRPC.context<OwnContext>().meta<RestMeta>().create()

type Texts = Record<'operationId' | 'successDescription' | 'summary' | 'description', string>

const read = (path: '/usage' | '/status', texts: Texts, response: Examples) =>
  procedure
    .meta({
      openapi: { method: 'GET', path, tags: ['Account'], ...texts },
      rest: { status: 200, errors: [], examples: { response } },
    })
    .input(z.object({}))

// Examples of the answers in the OpenAPI document; a test requests each of them.

/** The answer to an account with a quota of 5,000 calls. */
const usageExample = (billableCalls: number, endpointBreakdown: UsageView['endpointBreakdown']): unknown => ({
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
const USAGE_EXAMPLES = {
  belowQuota: {
    summary: 'Below the quota',
    value: usageExample(97, { 'GET /contracts/:id': 88, 'GET /usage': 3, 'POST /contracts': 13 }),
  },
  overQuota: {
    summary: 'Over the quota: the calls work and count as overage',
    value: usageExample(5_012, { 'GET /contracts/:id': 4_600, 'GET /usage': 8, 'POST /contracts': 413 }),
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
const STATUS_EXAMPLES = {
  production: { summary: 'A production key', value: production },
  sandbox: {
    summary: 'A sandbox key, which has its own limits',
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

/** @param isOperational false while the database lacks migrations or a service behind the gateway is not ready [D2] */
export function createRestRouter({ usage, isOperational }: { usage: UsageRecord; isOperational: () => boolean }) {
  const usageTexts = {
    operationId: 'getUsage',
    successDescription: 'The usage so far.',
    summary: 'Get usage and quota',
    description:
      'Counts the calls of your account in the environment of the key, including this one. Over the quota, `overageCalls` grows and `remaining` stays 0.',
  }
  const statusTexts = {
    operationId: 'getStatus',
    successDescription: 'The key is valid.',
    summary: 'Check a key and the service',
    description: 'Shows whether the key is valid and what it may do. Also works for suspended accounts.',
  }
  return router({
    usage: read('/usage', usageTexts, USAGE_EXAMPLES)
      .output(usageAnswerSchema)
      .query(async ({ ctx }) => {
        if (!(await ctx.countNow()))
          throw new DomainError('unavailable', 'Usage cannot be read at the moment. Try again in a few seconds.')
        const { account, environment, limits } = ctx.key
        const view = await usage.read({ accountId: account.id, environment }, ctx.admittedAt, limits.monthlyQuota)
        return { success: true as const, usage: view }
      }),
    status: read('/status', statusTexts, STATUS_EXAMPLES)
      .output(statusSchema)
      .query(({ ctx }) => statusViewOf(ctx.key, isOperational() && !ctx.isDatabaseUnavailable)),
  })
}

export type RestRouter = ReturnType<typeof createRestRouter>

/** The body of GET /status. @param isOperational whether the database and every service behind the gateway answer */
function statusViewOf(key: ApiKey, isOperational: boolean): StatusView {
  return {
    status: isOperational ? 'operational' : 'degraded',
    subscription: { tier: key.tier, status: key.account.subscriptionStatus },
    key: {
      id: key.id,
      name: key.name,
      environment: key.environment,
      scopes: [...key.scopes],
      createdAt: key.createdAt.toISOString(),
      expiresAt: key.expiresAt?.toISOString() ?? null,
    },
    limits: key.limits,
    version: VERSION,
  }
}
