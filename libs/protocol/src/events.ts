// What is told between services: CloudEvents 1.0 JSON, one schema per type. [Topics and events of docs/architecture.md, D48, D51]
// No personal data, token or code is ever in an event: ids, counts, states and times only.
import { z } from 'zod'
import { ENVIRONMENTS } from './caller.js'

const instant = z.iso.datetime({ precision: 3 })
const environment = z.enum(ENVIRONMENTS)

const contractFacts = { contractId: z.string(), accountId: z.string(), environment }

const mailFacts = {
  ...contractFacts,
  kind: z.enum(['invitation', 'code', 'completed', 'cancelled', 'expired']),
  partyIndex: z.int(),
  sendNumber: z.int(),
  attempts: z.int(),
  createdAt: instant,
}

/** Type → schema of `data`. A consumer that meets a type it does not know skips it. */
export const EVENT_DATA = {
  'contract.created': z.object({ ...contractFacts, partyCount: z.int(), createdAt: instant, expiresAt: instant }),
  'contract.party_signed': z.object({
    ...contractFacts,
    partyIndex: z.int(),
    attemptId: z.string(),
    signedAt: instant,
    signed: z.int(),
    total: z.int(),
  }),
  'contract.completed': z.object({ ...contractFacts, total: z.int(), completedAt: instant }),
  'contract.expired': z.object({ ...contractFacts, at: instant }),
  'contract.cancelled': z.object({ ...contractFacts, at: instant, actor: z.enum(['owner', 'operator']) }),
  'contract.erased': z.object({ ...contractFacts, at: instant }),
  'signing.evidence_sealed': z.object({ ...contractFacts, partyCount: z.int(), sealedAt: instant }),
  'email.accepted': z.object({ ...mailFacts, acceptedAt: instant }),
  'email.failed': z.object({
    ...mailFacts,
    failedAt: instant,
    /** `refused` by the relay for good, `gave_up` after 48 hours, `lapsed`: a one-time code too old to send. */
    reason: z.enum(['refused', 'gave_up', 'lapsed']),
    /** Of the relay's last answer; null where it gave none. */
    smtpCode: z.int().nullable(),
  }),
  'account.suspended': z.object({ accountId: z.string(), at: instant }),
  'account.resumed': z.object({ accountId: z.string(), at: instant }),
  'application.submitted': z.object({ accountId: z.string(), applicationId: z.string(), at: instant }),
  'application.approved': z.object({ accountId: z.string(), applicationId: z.string(), at: instant }),
  'application.refused': z.object({ accountId: z.string(), applicationId: z.string(), at: instant }),
  'key.created': z.object({ accountId: z.string(), keyId: z.string(), environment, at: instant }),
  'key.revoked': z.object({ accountId: z.string(), keyId: z.string(), environment, at: instant }),
  'subscription.changed': z.object({
    accountId: z.string(),
    tier: z.string(),
    status: z.enum(['active', 'trial', 'ended']),
    periodEnd: instant.nullable(),
    at: instant,
  }),
} as const

export type EventType = keyof typeof EVENT_DATA
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>

/** Topic → the types it carries. The key of a message is the contract id (or the account id). */
export const TOPICS = {
  'contract.events.v1': [
    'contract.created',
    'contract.party_signed',
    'contract.completed',
    'contract.expired',
    'contract.cancelled',
    'contract.erased',
  ],
  'signing.events.v1': ['signing.evidence_sealed'],
  'notification.events.v1': ['email.accepted', 'email.failed'],
  'account.events.v1': [
    ...(['account.suspended', 'account.resumed'] as const),
    ...(['application.submitted', 'application.approved', 'application.refused'] as const),
    ...(['key.created', 'key.revoked', 'subscription.changed'] as const),
  ],
} as const satisfies Record<string, readonly EventType[]>

export type Topic = keyof typeof TOPICS

/** The envelope: CloudEvents 1.0, structured mode, with the `sequence` and `traceparent` extensions. */
export const envelopeSchema = z.object({
  specversion: z.literal('1.0'),
  /** Unique per event; the inbox's key. */
  id: z.string().min(1).max(100),
  source: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  /** The aggregate: contract id or account id. Also the message key. */
  subject: z.string().min(1).max(100),
  time: instant,
  datacontenttype: z.literal('application/json'),
  /** Aggregate version after this event; grows by one per event of a subject. [D48] */
  sequence: z.string().regex(/^[0-9]{1,18}$/),
  /** W3C trace context of the span that created the event. [D51] */
  traceparent: z.string().max(64).optional(),
  data: z.record(z.string(), z.unknown()),
})

export type Envelope = z.infer<typeof envelopeSchema>

/**
 * The data of an envelope, checked against the schema of its type.
 * @returns undefined for a type that this version does not know
 * @throws ZodError when the type is known and the data do not fit it
 */
export function readEventData(
  envelope: Envelope,
): { [T in EventType]: { type: T; data: EventData<T> } }[EventType] | undefined {
  if (!Object.hasOwn(EVENT_DATA, envelope.type)) return undefined
  const type = envelope.type as EventType
  return { type, data: EVENT_DATA[type].parse(envelope.data) } as {
    [T in EventType]: { type: T; data: EventData<T> }
  }[EventType]
}
