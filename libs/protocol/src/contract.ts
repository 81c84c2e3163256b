// The contract that a client sends: fields and rules of the specification as a schema. [Resources and their fields, D7, D11-D14, D18]
// Clients see every message in this file: a sentence that states the remedy and never repeats the input.
import { z } from 'zod'
import {
  countCodePoints,
  displayNameError,
  isMailAddress,
  isUnstorable,
  mailboxOf,
  partyNameError,
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
/** Named in the OpenAPI document, where requests and answers share it. */
export const contractTypeSchema = z
  .enum(CONTRACT_TYPES, `contractType must be one of: ${CONTRACT_TYPES.join(', ')}.`)
  .meta({ id: 'ContractType', description: 'Kind of contract.', examples: ['nda'] })

/** Where the invitation of a party stands. [D52] */
export const DELIVERIES = ['pending', 'sent', 'delayed', 'refused'] as const
export type Delivery = (typeof DELIVERIES)[number]

export const CONTRACT_STATUSES = ['pending_signature', 'partially_signed', 'signed', 'expired', 'cancelled'] as const
export type ContractStatus = (typeof CONTRACT_STATUSES)[number]

/** 50 KB of `content`, in bytes of UTF-8. [Limits, D7] */
export const CONTENT_BYTES_MAX = 51_200
/** Maximum size of a raw request body: JSON escapes can make 50 KB of text six times as long. [D7] */
export const BODY_BYTES_MAX = 524_288
export const PARTIES_MIN = 2
export const PARTIES_MAX = 50
/** How often the address of one party can be corrected. [D61] */
export const READDRESSES_MAX = 3
/** Maximum nesting depth of a JSON body. [D11] */
export const JSON_DEPTH_MAX = 20
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255

const LIMITS = { role: 100, legalName: 200, senderName: 100, metadataPairs: 50, metadataKey: 40, metadataValue: 500 }

// The patterns in the OpenAPI document use only what every regular expression dialect supports. They match every accepted value; the
// descriptions state the rules that a pattern cannot express.
/** Control characters, line breaks, direction marks and zero-width characters, without the joiners that some scripts need. */
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'
/** One or more characters outside `excluded`, at least one of them visible. */
const visibleWithout = (excluded: string) => `^[^${excluded}]*[^\\s${excluded}][^${excluded}]*$`
const WITHOUT_NUL = '^[^\\u0000]*$'
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const MAIL_ADDRESS = `^${ATOM}(\\.${ATOM})*@[^\\s@]+\\.[^\\s@]+$`

/** Checks the text as sent, so that a client can check it with the OpenAPI document alone, and trims it. [D14] */
const nameField = (field: string, codePointsMax: number, check = partyNameError) =>
  z
    .string(`${field} must be a string.`)
    .superRefine((name, context) => {
      const error = check(name.trim() === '' ? '' : name, codePointsMax)
      if (error) context.addIssue({ code: 'custom', message: `${field} ${error}.` })
    })
    .transform((text) => text.trim())
    .meta({
      minLength: 1,
      maxLength: codePointsMax,
      pattern: visibleWithout(check === partyNameError ? HIDDEN : `${HIDDEN}@`),
    })

const partySchema = z
  .object(
    {
      role: nameField('role', LIMITS.role).meta({
        description:
          'Role of the party in your own words, such as Buyer. Spaces at either end are removed. Invisible characters, `://` and `www.` are refused.',
        examples: ['Discloser'],
      }),
      legalName: nameField('legalName', LIMITS.legalName).meta({
        description: 'Full legal name. The same rules as for `role`.',
        examples: ['Nordic Foods Ltd.'],
      }),
      email: z
        .string('email must be a string.')
        .refine(
          isMailAddress,
          'email must be one plain address: ASCII before the @, a domain with a dot after it, at most 254 characters.',
        )
        .meta({
          format: 'idn-email',
          maxLength: 254,
          pattern: MAIL_ADDRESS,
          description:
            'Where the share link and the one-time codes are sent. One address without a name: up to 64 ASCII characters without quotes before the @, then a domain with a dot, in any script.',
          examples: ['legal@nordicfoods.example'],
        }),
    },
    'Each party must be an object with role, legalName and email.',
  )
  .meta({ id: 'PartyInput', description: 'A person who has to sign.' })

// A custom check, because z.record silently skips a key named __proto__.
const metadataSchema = z
  .custom<Record<string, string>>((value) => metadataError(value) === undefined, {
    error: ({ input }) => metadataError(input) ?? '',
  })
  .meta({
    override: {
      type: 'object',
      additionalProperties: { type: 'string', maxLength: LIMITS.metadataValue, pattern: WITHOUT_NUL },
      maxProperties: LIMITS.metadataPairs,
      propertyNames: { minLength: 1, maxLength: LIMITS.metadataKey, pattern: WITHOUT_NUL, not: { const: '__proto__' } },
    },
    description:
      'Your own data, such as an order number. Keys have 1 to 40 characters, values up to 500. GET returns it; the parties never see it.',
    examples: [{ orderId: '10442' }],
  })

/** Clients choose the keys, so no message repeats a key. */
function metadataError(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return 'metadata must be an object of string values.'
  const pairs = Object.keys(metadata).map(
    (key) => [key, Object.getOwnPropertyDescriptor(metadata, key)?.value as unknown] as const,
  )
  if (pairs.length > LIMITS.metadataPairs) return `metadata must have at most ${LIMITS.metadataPairs} pairs.`
  return pairs.map(([key, value]) => pairError(key, value)).find((error) => error !== undefined)
}

function pairError(key: string, value: unknown): string | undefined {
  if (key === '__proto__') return 'metadata must not have a key named __proto__.'
  if (key === '' || countCodePoints(key) > LIMITS.metadataKey)
    return `metadata keys must have 1 to ${LIMITS.metadataKey} characters.`
  if (typeof value !== 'string') return 'metadata values must be strings.'
  if (countCodePoints(value) > LIMITS.metadataValue)
    return `metadata values must have at most ${LIMITS.metadataValue} characters.`
  if (isUnstorable(key) || isUnstorable(value)) return 'metadata must not contain NUL or half a surrogate pair.'
  return undefined
}

/** Body of POST /contracts. Unknown fields are ignored; `removedFieldErrors` refuses the removed v1 fields. */
export const createContractSchema = z
  .object(
    {
      parties: z
        .array(partySchema, 'parties must be an array of at least 2 parties.')
        .min(PARTIES_MIN, `parties must have at least ${PARTIES_MIN} entries.`)
        .max(PARTIES_MAX, `parties must have at most ${PARTIES_MAX} entries.`)
        .superRefine((parties, context) => {
          const seen = new Set<string>()
          parties.forEach((party, index) => {
            const identity = JSON.stringify([party.role, party.legalName, mailboxOf(party.email)])
            const message = 'This party is named twice with the same role, name and email address.'
            if (seen.has(identity)) context.addIssue({ code: 'custom', path: [index], message })
            seen.add(identity)
          })
        })
        .meta({
          uniqueItems: true,
          description:
            'The people who sign. One person may have two roles. Two parties with the same role, name and email address are refused.',
        }),
      contractType: contractTypeSchema,
      content: z
        .string('content must be a string of plain text.')
        .refine((content) => Buffer.byteLength(content) <= CONTENT_BYTES_MAX, {
          error: ({ input }) =>
            `content has ${Buffer.byteLength(input as string)} bytes of UTF-8; at most ${CONTENT_BYTES_MAX} are allowed.`,
        })
        .refine((content) => content.trim() !== '', 'content must not be blank.')
        .refine((content) => !isUnstorable(content), 'content must not contain NUL or half a surrogate pair.')
        .meta({
          minLength: 1,
          maxLength: CONTENT_BYTES_MAX,
          // maxLength counts characters; this limit counts bytes.
          'x-max-bytes': CONTENT_BYTES_MAX,
          pattern: visibleWithout('\\u0000'),
          description:
            'The whole contract as plain text in UTF-8. Numbered or upper-case lines become headings, blank lines separate paragraphs.',
          examples: ['NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nThe parties keep secrets secret.'],
        }),
      senderName: nameField('senderName', LIMITS.senderName, displayNameError)
        .optional()
        .meta({
          description:
            'Name of the sender in the emails. Default: the name of your account. An @, a web address, the name Paraph and a final "via" are refused.',
          examples: ['Nordic Foods procurement'],
        }),
      metadata: metadataSchema.optional(),
    },
    'The body must be a JSON object.',
  )
  .meta({
    description:
      'A new contract. Unknown fields are ignored, except those of version 1 (recipientEmail, recipientName, businessName, autoSign), which are refused.',
  })

export type CreateContract = z.infer<typeof createContractSchema>

const FIELD_ISSUES_MAX = 20
const FIELD_NAME_MAX = 100

/** One issue per field of `body` that the schema does not have, for a client that asked for strict handling; 20 at most. [D55] */
export function unknownFieldErrors(body: Record<string, unknown>): { path: string; message: string }[] {
  const unknown = (of: unknown, known: object, path: string): string[] =>
    typeof of === 'object' && of !== null && !Array.isArray(of)
      ? Object.keys(of).flatMap((field) => (Object.hasOwn(known, field) ? [] : [path + visibleName(field)]))
      : []
  const { parties } = body
  return [
    ...unknown(body, createContractSchema.shape, ''),
    ...(Array.isArray(parties) ? parties : []).flatMap((party, index) =>
      unknown(party, partySchema.shape, `parties[${index}].`),
    ),
  ]
    .slice(0, FIELD_ISSUES_MAX)
    .map((path) => ({ path, message: 'There is no such field. Check its spelling, or leave it out.' }))
}

/** The name of a field as the client sent it, cut, without what no page or log should contain. */
const visibleName = (field: string): string => field.replace(/[^\x20-\x7e]/g, '?').slice(0, FIELD_NAME_MAX)

/** One issue per removed v1 field in `body`, with the field to send instead. [Versioning, D18] */
export function removedFieldErrors(body: Record<string, unknown>): { path: string; message: string }[] {
  const replacements: Record<string, string> = {
    recipientEmail: 'recipientEmail was removed in v2. Send parties: an array of {role, legalName, email}.',
    recipientName: 'recipientName was removed in v2. Send parties: an array of {role, legalName, email}.',
    businessName: 'businessName was removed in v2. Send senderName.',
    autoSign: 'autoSign was removed in v2. Every party signs; leave it out.',
  }
  const issues = Object.entries(replacements)
    .filter(([field]) => Object.hasOwn(body, field))
    .map(([path, message]) => ({ path, message }))
  const content = body['content']
  if (typeof content !== 'object' || content === null) return issues
  const message = 'content as an object was removed in v2. Send content as one plain text string.'
  return [...issues, { path: 'content', message }]
}
