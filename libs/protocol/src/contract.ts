// The contract as clients see it: the fields and rules of the specification as schemas. [Resources and their fields, D1, D7, D11-D14, D18]
// Every message here reaches a client: a sentence that says what to do, never the value that was sent.
import { z } from 'zod'
import {
  countCodePoints,
  faultOfDisplayName,
  faultOfName,
  isMailAddress,
  isUnstorable,
  mailboxOf,
} from './text-rules.js'

export const CONTRACT_TYPES = [
  'nda',
  'business',
  'employment',
  'service',
  'custom',
  'sales-agreement',
  'consignment-agreement',
  'revenue-share',
] as const
export type ContractType = (typeof CONTRACT_TYPES)[number]

export const CONTRACT_STATUSES = ['pending_signature', 'partially_signed', 'signed', 'expired', 'cancelled'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

/** 50 KB: bytes of UTF-8, counted on `content`. [Limits, D7] */
export const CONTENT_BYTES_MAX = 51_200
/** Bytes of a raw request body. JSON escapes can make 50 KB six times as long. [D7] */
export const BODY_BYTES_MAX = 524_288
export const PARTIES_MIN = 2
export const PARTIES_MAX = 50
/** Nesting of a JSON body. [D11] */
export const JSON_DEPTH_MAX = 20
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255

const LIMITS = { role: 100, legalName: 200, senderName: 100, metadataPairs: 50, metadataKey: 40, metadataValue: 500 }

const say = (sentence: string) => ({ error: sentence })

const nameField = (field: string, codePointsMax: number, fault = faultOfName) =>
  z
    .string(say(`${field} must be a string.`))
    .transform((text) => text.trim())
    .superRefine((name, context) => {
      const wrong = fault(name, codePointsMax)
      if (wrong) context.addIssue({ code: 'custom', message: `${field} ${wrong}.` })
    })
    .meta({ minLength: 1, maxLength: codePointsMax })

const partySchema = z
  .object(
    {
      role: nameField('role', LIMITS.role).meta({
        description: "The party's role in free text, such as buyer or discloser. 1 to 100 characters.",
        example: 'Discloser',
      }),
      legalName: nameField('legalName', LIMITS.legalName).meta({
        description: 'Full legal name. 1 to 200 characters.',
        example: 'Nordic Foods Ltd.',
      }),
      email: z
        .string(say('email must be a string.'))
        .refine(isMailAddress, {
          error:
            'email must be one plain address: ASCII before the @, a domain with a dot after it, at most 254 characters.',
        })
        .meta({
          format: 'email',
          maxLength: 254,
          description: 'The signing link is sent here.',
          example: 'legal@nordicfoods.example',
        }),
    },
    say('Each party must be an object with role, legalName and email.'),
  )
  .meta({ id: 'PartyInput' })

// One custom check rather than z.record, which passes over a key named __proto__ in silence.
const metadataSchema = z
  .custom<Record<string, string>>((value) => faultOfMetadata(value) === undefined, {
    error: ({ input }) => faultOfMetadata(input) ?? '',
  })
  .meta({
    override: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: LIMITS.metadataValue },
      maxProperties: LIMITS.metadataPairs,
    },
    description: 'String pairs for your own tracking: at most 50, keys of 1 to 40 and values of up to 500 characters.',
    example: { orderId: '10442' },
  })

/** The keys are the client's own text: no sentence names one. */
function faultOfMetadata(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    return 'metadata must be an object of string values.'
  }
  const pairs = Object.keys(metadata).map(
    (key) => [key, Object.getOwnPropertyDescriptor(metadata, key)?.value as unknown] as const,
  )
  if (pairs.length > LIMITS.metadataPairs) return `metadata must have at most ${LIMITS.metadataPairs} pairs.`
  return pairs.map(([key, value]) => faultOfPair(key, value)).find((fault) => fault !== undefined)
}

function faultOfPair(key: string, value: unknown): string | undefined {
  if (key === '__proto__') return 'metadata must not have a key named __proto__.'
  if (key === '' || countCodePoints(key) > LIMITS.metadataKey) {
    return `metadata keys must have 1 to ${LIMITS.metadataKey} characters.`
  }
  if (typeof value !== 'string') return 'metadata values must be strings.'
  if (countCodePoints(value) > LIMITS.metadataValue) {
    return `metadata values must have at most ${LIMITS.metadataValue} characters.`
  }
  if (isUnstorable(key) || isUnstorable(value)) return 'metadata must not hold NUL or half a surrogate pair.'
  return undefined
}

/** Body of POST /contracts. Unknown fields are ignored; the removed v1 fields are named by `faultsOfRemovedFields`. */
export const createContractSchema = z
  .object(
    {
      parties: z
        .array(partySchema, say('parties must be an array of at least 2 parties.'))
        .min(PARTIES_MIN, say(`parties must have at least ${PARTIES_MIN} entries.`))
        .max(PARTIES_MAX, say(`parties must have at most ${PARTIES_MAX} entries.`))
        .superRefine((parties, context) => {
          const seen = new Set<string>()
          parties.forEach((party, index) => {
            const identity = JSON.stringify([party.role, party.legalName, mailboxOf(party.email)])
            if (seen.has(identity)) {
              context.addIssue({
                code: 'custom',
                path: [index],
                message: 'This party is named twice with the same role, name and e-mail address.',
              })
            }
            seen.add(identity)
          })
        }),
      contractType: z.enum(CONTRACT_TYPES, say(`contractType must be one of: ${CONTRACT_TYPES.join(', ')}.`)),
      content: z
        .string(say('content must be a string of plain text.'))
        .superRefine((content, context) => {
          const bytes = Buffer.byteLength(content)
          if (bytes > CONTENT_BYTES_MAX) {
            context.addIssue({
              code: 'custom',
              message: `content has ${bytes} bytes of UTF-8; at most ${CONTENT_BYTES_MAX} are allowed.`,
            })
          }
          if (content.trim() === '') context.addIssue({ code: 'custom', message: 'content must not be blank.' })
          if (isUnstorable(content)) {
            context.addIssue({ code: 'custom', message: 'content must not hold NUL or half a surrogate pair.' })
          }
        })
        .meta({
          description:
            'The whole contract as plain text, at most 51,200 bytes of UTF-8. Numbered or upper-case headings and blank lines are kept as formatting.',
          example: 'NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nThe parties keep secrets secret.',
        }),
      senderName: nameField('senderName', LIMITS.senderName, faultOfDisplayName).optional().meta({
        description: 'Display name in the e-mails. Left out: the name of the account.',
        example: 'Nordic Foods procurement',
      }),
      metadata: metadataSchema.optional(),
    },
    say('The body must be a JSON object.'),
  )
  .meta({ id: 'CreateContract' })

export type CreateContract = z.infer<typeof createContractSchema>

/** The removed v1 fields and what to send instead. [Versioning, D18] */
export function faultsOfRemovedFields(body: Record<string, unknown>): { path: string; message: string }[] {
  const replacements: Record<string, string> = {
    recipientEmail: 'recipientEmail was removed in v2. Send parties: an array of {role, legalName, email}.',
    recipientName: 'recipientName was removed in v2. Send parties: an array of {role, legalName, email}.',
    businessName: 'businessName was removed in v2. Send senderName.',
    autoSign: 'autoSign was removed in v2. Every party signs; leave it out.',
  }
  const faults = Object.entries(replacements)
    .filter(([field]) => Object.hasOwn(body, field))
    .map(([path, message]) => ({ path, message }))
  const content = body['content']
  if (typeof content === 'object' && content !== null) {
    faults.push({
      path: 'content',
      message: 'content as an object was removed in v2. Send content as one plain text string.',
    })
  }
  return faults
}

const instant = z.iso.datetime({ precision: 3 }).meta({ example: '2026-11-20T14:03:00.000Z' })

export const signingProgressSchema = z
  .object({
    signed: z.int().meta({ description: 'Parties that have signed.' }),
    total: z.int().meta({ description: 'Number of parties.' }),
    pending: z.int().meta({ description: 'total minus signed.' }),
    percentage: z.number().min(0).max(100).meta({ description: 'Share of parties signed, rounded to two decimals.' }),
  })
  .meta({ id: 'SigningProgress' })

const contractPartySchema = z
  .object({ role: z.string(), legalName: z.string(), email: z.string() })
  .meta({ id: 'Party' })

/** The contract in the answer to POST /contracts. */
export const createdContractSchema = z
  .object({
    id: z.string().meta({ example: 'contract-1795183380000-k3v9x2m1q' }),
    contractNumber: z.string().meta({ example: 'EXT-20261120-7KQ4MXTA' }),
    shareToken: z.string().meta({ example: 'vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq' }),
    shareUrl: z.string().meta({ description: 'The same link for all parties.' }),
    status: z.enum(CONTRACT_STATUSES),
    contractType: z.enum(CONTRACT_TYPES),
    parties: z.array(contractPartySchema),
    signingProgress: signingProgressSchema,
    createdAt: instant,
    expiresAt: instant.meta({ description: '14 days after createdAt; 1 hour in the sandbox.' }),
  })
  .meta({ id: 'CreatedContract' })

export const signatureSchema = z
  .object({ signerEmail: z.string(), signerName: z.string(), signerRole: z.string(), signedAt: instant })
  .meta({ id: 'Signature' })

/** The contract in the answer to GET /contracts/{id}. [D1] */
export const contractSchema = z
  .object({
    id: z.string(),
    status: z.enum(CONTRACT_STATUSES),
    parties: z.array(contractPartySchema.extend({ hasSigned: z.boolean() }).meta({ id: 'PartyWithState' })),
    signingProgress: signingProgressSchema,
    signatures: z.array(signatureSchema),
    contractNumber: z.string(),
    contractType: z.enum(CONTRACT_TYPES),
    senderName: z.string(),
    metadata: z.record(z.string(), z.string()),
    createdAt: instant,
    expiresAt: instant,
    completedAt: instant.nullable().meta({ description: 'When the last party signed; null until then.' }),
  })
  .meta({ id: 'Contract' })

export type CreatedContract = z.infer<typeof createdContractSchema>
export type ContractView = z.infer<typeof contractSchema>
