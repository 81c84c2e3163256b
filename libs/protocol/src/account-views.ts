// What the gateway answers about itself, the key and the month. [Status response, Usage, D2, D3, D4]
import { z } from 'zod'
import { ENVIRONMENTS, SCOPES } from './caller.js'

const instant = z.iso.datetime({ precision: 3 })

/** Body of GET /status. No `success` field. [D2] */
export const statusSchema = z
  .object({
    status: z
      .enum(['operational', 'degraded'])
      .meta({ description: '`degraded` while a service behind the gateway is not ready.' }),
    subscription: z.object({
      tier: z.string().meta({ example: 'startup' }),
      status: z.enum(['active', 'trial', 'past_due', 'ended']),
    }),
    key: z.object({
      id: z.string(),
      name: z.string(),
      environment: z.enum(ENVIRONMENTS),
      scopes: z.array(z.enum(SCOPES)),
      createdAt: instant,
      expiresAt: instant.nullable(),
    }),
    limits: z.object({ requestsPerMinute: z.int(), monthlyQuota: z.int() }),
    version: z.string().meta({ example: '2.0.0' }),
  })
  .meta({ id: 'Status' })

/** `usage` of GET /usage. [Usage, D3, D4] */
export const usageSchema = z
  .object({
    period: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ example: '2026-11' }),
    totalCalls: z.int(),
    billableCalls: z.int(),
    quotaLimit: z.int(),
    remaining: z.int(),
    overageCalls: z.int(),
    endpointBreakdown: z
      .record(z.string(), z.int())
      .meta({ example: { 'POST /contracts': 12, 'GET /contracts/:id': 88 } }),
    periodStart: instant,
    periodEnd: instant,
  })
  .meta({ id: 'Usage' })

/** The labels of `endpointBreakdown`. [D3] */
export const ENDPOINT_LABELS = ['POST /contracts', 'GET /contracts/:id', 'GET /usage', 'GET /status'] as const
export type EndpointLabel = (typeof ENDPOINT_LABELS)[number]

export type StatusView = z.infer<typeof statusSchema>
export type UsageView = z.infer<typeof usageSchema>
