// The schemas of GET /status and GET /usage. [Status response, Usage, D2, D3, D4]
import { z } from 'zod'
import { ENVIRONMENTS } from './environment.js'
import { SCOPES } from './scope.js'
import { instantSchema, objectOf, success, textOf } from './contract-views.js'

const count = (description: string) => z.int().meta({ minimum: 0, description })

/** Body of GET /status. No `success` field. [D2] */
export const statusSchema = objectOf('Status', 'The service and the key.', {
  status: z
    .enum(['operational', 'degraded'])
    .meta({
      id: 'ServiceStatus',
      description: '`degraded` while a part of the service is not ready. The HTTP status is 200 in both cases.',
    }),
  subscription: objectOf('Subscription', 'The subscription of the account.', {
    tier: textOf({ description: 'Name of the plan in lower case.', examples: ['startup'] }),
    status: z
      .enum(['active', 'trial', 'past_due', 'ended'])
      .meta({
        id: 'SubscriptionStatus',
        description: '`trial`: only sandbox keys work. `ended`: every other call is refused.',
      }),
  }),
  key: objectOf('Key', 'The key of this request.', {
    id: textOf({ description: 'Identifier of the key. It is not secret.' }),
    name: textOf({ description: 'Name of the key.' }),
    environment: z
      .enum(ENVIRONMENTS)
      .meta({
        id: 'Environment',
        description: 'Contracts of `production` are legally binding, those of `sandbox` are not.',
      }),
    scopes: z.array(z.enum(SCOPES).meta({ id: 'Scope' })).meta({ description: 'What the key may do.' }),
    createdAt: instantSchema.meta({ description: 'When the key was created.' }),
    expiresAt: instantSchema.nullable().meta({ description: 'When the key expires; null if it does not expire.' }),
  }),
  limits: objectOf('Limits', 'The limits of the plan.', {
    requestsPerMinute: count('Rate limit of the account in this environment: requests in any 60 seconds.'),
    monthlyQuota: count('Quota of the account in this environment: calls per calendar month.'),
  }),
  version: textOf({ description: 'Version of the API.', examples: ['2.0.0'] }),
})

/** `usage` of GET /usage. [Usage, D3, D4] */
const usageSchema = objectOf('Usage', 'The usage of the account in the environment of the key.', {
  period: textOf({
    pattern: '^[0-9]{4}-[0-9]{2}$',
    description: 'Billing period: a calendar month in UTC.',
    examples: ['2026-11'],
  }),
  totalCalls: count(
    'All calls with a valid key that the rate limit admitted, whatever the response. Includes this call.',
  ),
  billableCalls: count(
    'Calls that count against the quota: the weights of all responses with 2xx. Refusals, replays and 304 are free.',
  ),
  quotaLimit: count('Monthly quota of the plan.'),
  remaining: count('`quotaLimit` minus `billableCalls`, at least 0.'),
  overageCalls: count('`billableCalls` minus `quotaLimit`, at least 0.'),
  endpointBreakdown: z
    .record(z.string(), z.int().meta({ minimum: 0 }))
    .meta({
      propertyNames: { pattern: '^[A-Z]+ /' },
      description: '`totalCalls` by endpoint. Endpoints without calls are absent.',
      examples: [{ 'POST /contracts': 12, 'GET /contracts/:id': 88 }],
    }),
  periodStart: instantSchema.meta({ description: 'Start of the period.' }),
  periodEnd: instantSchema.meta({ description: 'End of the period: its last millisecond.' }),
})

/** Body of GET /usage. */
export const usageAnswerSchema = objectOf('UsageAnswer', 'The usage.', { success, usage: usageSchema })

/** The labels of `endpointBreakdown`. [D3] */
export type EndpointLabel = 'POST /contracts' | 'GET /contracts/:id' | 'GET /usage' | 'GET /status'

export type StatusView = z.infer<typeof statusSchema>
export type UsageView = z.infer<typeof usageSchema>
