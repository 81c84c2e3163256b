// The events between services: CloudEvents 1.0 JSON, one schema per type. [Topics and events of docs/explanation/architecture.md, D48, D51]
// An event holds ids, counts, statuses and times only: no personal data, token or code. Only a brand is content: everybody sees it.
import { z } from 'zod'
import { accentSchema, logoSchema } from './brand.js'
import { PARTIES_MAX, PARTIES_MIN, READDRESSES_MAX } from './contract.js'
import { ENVIRONMENTS } from './environment.js'

const instant = z.iso.datetime({ precision: 3 })
const environment = z.enum(ENVIRONMENTS)
const partyCount = z.int().min(PARTIES_MIN).max(PARTIES_MAX)
const partyIndex = z
  .int()
  .min(0)
  .max(PARTIES_MAX - 1)

const contractFields = { contractId: z.string(), accountId: z.string(), environment }

const mailFields = {
  ...contractFields,
  kind: z.enum(['invitation', 'reminder', 'code', 'completed', 'cancelled', 'expired', 'readdressed']),
  partyIndex,
  sendNumber: z.int(),
  attempts: z.int(),
  createdAt: instant,
}

/** Type → schema of `data`. Consumers skip unknown types. */
export const EVENT_DATA = {
  'contract.created': z.object({ ...contractFields, partyCount, createdAt: instant, expiresAt: instant }),
  'contract.party_signed': z.object({
    ...contractFields,
    partyIndex,
    attemptId: z.uuid(),
    signedAt: instant,
    signed: z.int(),
    total: z.int(),
  }),
  'contract.party_declined': z.object({ ...contractFields, partyIndex, declineId: z.uuid(), declinedAt: instant }),
  /** An owner corrected the address of a party. `addressNumber`: 1 for the first correction. [D61] */
  'contract.party_readdressed': z.object({
    ...contractFields,
    partyIndex,
    addressNumber: z.int().min(1).max(READDRESSES_MAX),
    readdressedAt: instant,
  }),
  'contract.completed': z.object({ ...contractFields, total: z.int(), completedAt: instant }),
  'contract.expired': z.object({ ...contractFields, at: instant }),
  'contract.cancelled': z.object({ ...contractFields, at: instant, actor: z.enum(['owner', 'operator', 'party']) }),
  'contract.erased': z.object({ ...contractFields, at: instant }),
  'signing.evidence_sealed': z.object({ ...contractFields, partyCount, sealedAt: instant }),
  'email.accepted': z.object({ ...mailFields, acceptedAt: instant }),
  /** Once for a mail that has waited for more than 5 minutes and is still being tried. */
  'email.delayed': z.object({ ...mailFields, delayedAt: instant }),
  'email.failed': z.object({
    ...mailFields,
    failedAt: instant,
    /** `refused`: permanently, by the SMTP server; `gave_up`: no success within 48 hours; `lapsed`: a one-time code too old to send. */
    reason: z.enum(['refused', 'gave_up', 'lapsed']),
    /** The code of the SMTP server's last answer; null if there was no answer. */
    smtpCode: z.int().nullable(),
  }),
  'account.suspended': z.object({ accountId: z.string(), at: instant }),
  'account.resumed': z.object({ accountId: z.string(), at: instant }),
  /** What the operator approved beside the account's name; both null: the account has no brand any more. [D59] */
  'account.brand_changed': z.object({
    accountId: z.string(),
    accent: accentSchema.nullable(),
    logo: logoSchema.nullable(),
    at: instant,
  }),
  /** No service consumes this type: after a restore, the operator reads from Kafka which keys to revoke again. */
  'key.revoked': z.object({ accountId: z.string(), keyId: z.string(), environment, at: instant }),
} as const

export type EventType = keyof typeof EVENT_DATA
export type EventData<T extends EventType> = z.infer<(typeof EVENT_DATA)[T]>

/** Topic → its event types. */
export const TOPICS = {
  'contract.events.v1': [
    'contract.created',
    'contract.party_signed',
    'contract.party_declined',
    'contract.party_readdressed',
    'contract.completed',
    'contract.expired',
    'contract.cancelled',
    'contract.erased',
  ],
  'signing.events.v1': ['signing.evidence_sealed'],
  'notification.events.v1': ['email.accepted', 'email.delayed', 'email.failed'],
  'account.events.v1': ['account.suspended', 'account.resumed', 'account.brand_changed', 'key.revoked'],
} as const satisfies Record<string, readonly EventType[]>

export type Topic = keyof typeof TOPICS

/** Topic → the `source` of its events: one service publishes each topic. */
export const SOURCES: Readonly<Record<Topic, string>> = {
  'contract.events.v1': '/contract',
  'signing.events.v1': '/signing',
  'notification.events.v1': '/notification',
  'account.events.v1': '/gateway',
}

/** The envelope: CloudEvents 1.0, structured mode, with the `sequence` and `traceparent` extensions. */
export const envelopeSchema = z.object({
  specversion: z.literal('1.0'),
  /** Unique per event; the key of the inbox. */
  id: z.string().min(1).max(100),
  source: z.string().min(1).max(100),
  type: z.string().min(1).max(100),
  /** The aggregate: contract id or account id. Also the message key. */
  subject: z.string().min(1).max(100),
  time: instant,
  datacontenttype: z.literal('application/json'),
  /** Aggregate version after this event, a safe integer; grows by one per event of a subject. [D48] */
  sequence: z.string().regex(/^[0-9]{1,15}$/),
  /** W3C trace context of the span that created the event. [D51] */
  traceparent: z.string().max(64).optional(),
  data: z.record(z.string(), z.unknown()),
})

export type Envelope = z.infer<typeof envelopeSchema>
type KnownEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType]

/**
 * Checks the data of an envelope against the schema of its type.
 * @returns undefined for a type that this version does not know
 * @throws ZodError if the data of a known type are invalid
 */
export function readEventData(envelope: Envelope): KnownEvent | undefined {
  if (!Object.hasOwn(EVENT_DATA, envelope.type)) return undefined
  const type = envelope.type as EventType
  return { type, data: EVENT_DATA[type].parse(envelope.data) } as KnownEvent
}
