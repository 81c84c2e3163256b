// The schemas of GET /status and GET /usage. [Status response, Usage, D2, D3, D4]
import { z } from 'zod'
import { ENVIRONMENTS } from './environment.js'
import { SCOPES } from './scope.js'
import { instantSchema, objectOf, success, textOf } from './contract-views.js'

const count = (description: string) => z.int().meta({ minimum: 0, description })

/** Body of GET /status. No `success` field. [D2] */
export const statusSchema = objectOf('Status', 'Health, and what the key may do.', {
  status: z
    .enum(['operational', 'degraded'])
    .meta({ description: '`degraded` while a service behind the gateway is not ready; still 200.' }),
  subscription: objectOf(undefined, 'What the account has.', {
    tier: textOf({ description: 'Name of the tier in lower case.', examples: ['startup'] }),
    status: z
      .enum(['active', 'trial', 'past_due', 'ended'])
      .meta({ description: '`trial`: sandbox keys only. `ended`: every call but this one is refused.' }),
  }),
  key: objectOf(undefined, 'The key that was sent.', {
    id: textOf({ description: 'Names the key to the operator; not secret.' }),
    name: textOf({ description: 'The name that it was given.' }),
    environment: z.enum(ENVIRONMENTS).meta({ description: 'Whether its contracts bind.' }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: 'What it may do.' }),
    createdAt: instantSchema.meta({ description: 'When it was made.' }),
    expiresAt: instantSchema.nullable().meta({ description: 'When it stops being valid; null: never.' }),
  }),
  limits: objectOf(undefined, 'What the tier allows.', {
    requestsPerMinute: count('Window of the account in this environment, in requests per minute.'),
    monthlyQuota: count('Quota of the account in this environment, in calls per calendar month.'),
  }),
  version: textOf({ description: 'Release of the interface.', examples: ['2.0.0'] }),
})

/** `usage` of GET /usage. [Usage, D3, D4] */
const usageSchema = objectOf('Usage', 'What the account used in the environment of the key.', {
  period: textOf({
    pattern: '^[0-9]{4}-[0-9]{2}$',
    description: 'The billing period: a calendar month, in UTC.',
    examples: ['2026-11'],
  }),
  totalCalls: count(
    'Every call that passed key and window and was answered, whatever the answer. This one is counted.',
  ),
  billableCalls: count('The sum of the weights of the calls answered 2xx or 304; refusals and replays cost nothing.'),
  quotaLimit: count('Monthly quota of the tier.'),
  remaining: count('quotaLimit minus billableCalls, at least 0.'),
  overageCalls: count('billableCalls minus quotaLimit, at least 0.'),
  endpointBreakdown: z
    .record(z.string(), z.int().meta({ minimum: 0 }))
    .meta({
      propertyNames: { pattern: '^[A-Z]+ /' },
      description: 'totalCalls by endpoint; its values add up to totalCalls. An endpoint never called is left out.',
      examples: [{ 'POST /contracts': 12, 'GET /contracts/:id': 88 }],
    }),
  periodStart: instantSchema.meta({ description: 'First instant of the period.' }),
  periodEnd: instantSchema.meta({ description: 'Last millisecond of the period.' }),
})

/** Body of GET /usage. */
export const usageAnswerSchema = z.object({ success, usage: usageSchema })

/** The labels of `endpointBreakdown`. [D3] */
export type EndpointLabel = 'POST /contracts' | 'GET /contracts/:id' | 'GET /usage' | 'GET /status'

export type StatusView = z.infer<typeof statusSchema>
export type UsageView = z.infer<typeof usageSchema>
