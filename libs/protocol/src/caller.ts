// Who may call whom, and what a caller token says. [D44, D45, D47]
import { z } from 'zod'

export const SERVICES = ['gateway', 'contract', 'signing', 'notification'] as const
export type ServiceName = (typeof SERVICES)[number]

/** Every holder of a caller key: the four services, and the operator (`paraph`, internal ports only). */
export const CALLERS = [...SERVICES, 'operator'] as const
export type Caller = (typeof CALLERS)[number]

/** Callee → callers it accepts on its public port. Everything else is denied; network policies are made from this list. [D44] */
export const EDGES: Readonly<Record<ServiceName, readonly Caller[]>> = {
  gateway: [],
  contract: ['gateway', 'signing', 'notification'],
  signing: ['gateway', 'notification'],
  notification: ['gateway', 'signing'],
}

export const ENVIRONMENTS = ['production', 'sandbox'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export const SCOPES = ['contracts:read', 'contracts:write'] as const
export type Scope = (typeof SCOPES)[number]

export const MAIL_LANGUAGES = ['en', 'fr', 'en+fr'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** Facts of the account that others copy onto what they make for it; never looked up later. [D47] */
export const accountFactsSchema = z.object({
  /** What the operator approved; owners do not change it. [D36] */
  name: z.string(),
  /** Who sends a contract that names nobody. [D23] */
  senderName: z.string(),
  language: z.enum(MAIL_LANGUAGES),
  timeZone: z.string(),
  replyAddress: z.string().nullable(),
})
export type AccountFacts = z.infer<typeof accountFactsSchema>

/** On whose behalf a call is made; absent for page traffic and for calls between services on their own behalf. */
export const principalSchema = z.object({
  accountId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  scopes: z.array(z.enum(SCOPES)),
  account: accountFactsSchema,
})
export type Principal = z.infer<typeof principalSchema>

/** Seconds that a caller token lives. [D45] */
export const CALLER_TOKEN_TTL_SECONDS = 60

/** Headers between our own processes; the gateway removes them from what clients send. */
export const INTERNAL_HEADERS = {
  /** Made by the gateway, unique per request. [D17] */
  requestId: 'x-paraph-request-id',
  /** `1` on the gateway's own single retry. [D17] */
  retry: 'x-paraph-retry',
  /** `1` on a POST that may be answered by what its Idempotency-Key made before, and may make nothing. [D17] */
  replayOnly: 'x-paraph-replay-only',
  /** The client's address as the gateway sees it; believed only with a caller token of the gateway. [D45] */
  clientAddress: 'x-paraph-client-address',
} as const
