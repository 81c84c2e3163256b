// The contract in answers, as schemas. [Resources and their fields, D1]
// `meta` alone describes the answers. Tests check the answers against it, so the services need no check at run time.
import { z } from 'zod'
import { CONTRACT_STATUSES, contractTypeSchema, DELIVERIES, PARTIES_MAX, PARTIES_MIN } from './contract.js'

/** A text in an answer, as the OpenAPI document describes it. */
export const textOf = (meta: z.GlobalMeta) => z.string().meta(meta)
/** An object in an answer. @param id the object's name in the OpenAPI document, if it has a name */
export const objectOf = <Shape extends z.ZodRawShape>(id: string | undefined, description: string, shape: Shape) =>
  z.object(shape).meta(id === undefined ? { description } : { id, description })

/** An instant in an answer. */
export const instantSchema = z.iso
  .datetime({ precision: 3 })
  .meta({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$',
    description: 'ISO 8601, UTC, milliseconds.',
    examples: ['2026-11-20T14:03:00.000Z'],
  })

/** The id of a contract, in answers and in the path. */
export const contractIdSchema = textOf({
  pattern: '^contract-[0-9]{13}-[a-z0-9]{9}$',
  description: 'Identifier of the contract.',
  examples: ['contract-1795183380000-k3v9x2m1q'],
})
const contractNumber = textOf({
  pattern: '^EXT-[0-9]{8}-[A-Z0-9]{8}$',
  description: 'Human-readable number with the UTC date of creation.',
  examples: ['EXT-20261120-7KQ4MXTA'],
})
const status = z
  .enum(CONTRACT_STATUSES)
  .meta({
    id: 'ContractStatus',
    description:
      '`pending_signature`: nobody has signed. `partially_signed`: at least one party has. `signed`, `expired` and `cancelled` are final.',
    examples: ['pending_signature'],
  })
const contractType = contractTypeSchema
/** The field `success` of every 2xx answer except that of GET /status. */
/** Not a literal: a generator for Python makes a class of it that refuses `true`. [D56] */
export const success = z.boolean().meta({ description: 'Always true.' })

/** Signing progress for clients; percentage is rounded to two decimals. [SigningProgress, D13] */
export function progress(signed: number, total: number) {
  return { signed, total, pending: total - signed, percentage: Math.round((10_000 * signed) / total) / 100 }
}

const signingProgressSchema = objectOf('SigningProgress', 'Signing progress.', {
  signed: z.int().meta({ minimum: 0, maximum: PARTIES_MAX, description: 'Parties that have signed.' }),
  total: z.int().meta({ minimum: PARTIES_MIN, maximum: PARTIES_MAX, description: 'Number of parties.' }),
  pending: z.int().meta({ minimum: 0, maximum: PARTIES_MAX, description: '`total` minus `signed`.' }),
  percentage: z
    .number()
    .min(0)
    .max(100)
    .meta({ description: 'Share of parties that have signed, rounded to two decimals.' }),
})

const contractPartySchema = objectOf('Party', 'A person who has to sign.', {
  role: textOf({ description: 'Role of the party, without spaces at either end.' }),
  legalName: textOf({ description: 'Full legal name, without spaces at either end.' }),
  email: textOf({ description: 'Email address. Same as in the request.' }),
})

const partiesOf = <Party extends z.ZodType>(party: Party) =>
  z
    .array(party)
    .meta({ minItems: PARTIES_MIN, maxItems: PARTIES_MAX, description: 'The parties, in the order of the request.' })

/** The contract in the answer to POST /contracts. */
const createdContractSchema = objectOf('CreatedContract', 'The new contract.', {
  id: contractIdSchema,
  contractNumber,
  shareToken: textOf({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'The secret part of the share link. Anyone who has it can open the link, so keep it out of logs.',
    examples: ['vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEoPdGiNxV5kBq'],
  }),
  shareUrl: textOf({
    format: 'uri',
    description:
      'The share link, where the parties read and sign. It is the same for all parties. GET /contracts/{id} does not return it.',
  }),
  status,
  contractType,
  parties: partiesOf(contractPartySchema),
  signingProgress: signingProgressSchema,
  createdAt: instantSchema.meta({ description: 'When the contract was created.' }),
  expiresAt: instantSchema.meta({
    description:
      'When the contract expires: 14 days after `createdAt`, 1 hour in the sandbox. Nobody can sign after that.',
  }),
})

const signatureSchema = objectOf('Signature', 'A signature.', {
  signerEmail: textOf({ description: 'Email address of the party.' }),
  signerName: textOf({ description: 'Legal name of the party.' }),
  signerRole: textOf({ description: 'Role of the party.' }),
  signedAt: instantSchema.meta({ description: 'When the party signed.' }),
})

const delivery = z
  .enum(DELIVERIES)
  .meta({
    id: 'Delivery',
    description:
      'Where the invitation stands. `pending`: not sent yet. `sent`: the mail server accepted it. `delayed`: tried for more than 5 minutes, and tried again. `refused`: not accepted for good; check the address with the party.',
    examples: ['sent'],
  })

const stateOfParty = {
  hasSigned: z.boolean().meta({ description: 'Whether this party has signed.' }),
  delivery,
  declinedAt: instantSchema.nullable().meta({ description: 'When this party declined to sign; null if it has not.' }),
}

/** The contract in the answer to GET /contracts/{id}. [D1, D52] */
export const contractSchema = objectOf('Contract', 'A contract in its current state.', {
  id: contractIdSchema,
  status,
  parties: partiesOf(
    contractPartySchema
      .extend(stateOfParty)
      .meta({ id: 'PartyWithState', description: 'A person who has to sign or has signed.' }),
  ),
  signingProgress: signingProgressSchema,
  signatures: z
    .array(signatureSchema)
    .meta({ maxItems: PARTIES_MAX, description: 'One entry per signature, oldest first.' }),
  contractNumber,
  contractType,
  senderName: textOf({ description: 'Name of the sender in the emails.' }),
  metadata: z
    .record(z.string(), z.string())
    .meta({ description: 'Same as in the request; empty if the request had none.' }),
  createdAt: instantSchema.meta({ description: 'When the contract was created.' }),
  expiresAt: instantSchema.meta({ description: 'When the contract expires. Nobody can sign after that.' }),
  completedAt: instantSchema.nullable().meta({ description: 'When the last party signed; null before that.' }),
  endedAt: instantSchema
    .nullable()
    .meta({ description: 'When the contract became `signed`, `expired` or `cancelled`; null before that.' }),
  cancelReason: z
    .string()
    .nullable()
    .meta({ description: 'Why the contract was cancelled; null if it was not, or if nobody gave a reason.' }),
})

/** Body of the 201 answer to POST /contracts. */
export const createdAnswerSchema = objectOf('CreatedContractAnswer', 'The new contract.', {
  success,
  contract: createdContractSchema,
})
/** Body of the 200 answer to GET /contracts/{id}. */
export const contractAnswerSchema = objectOf('ContractAnswer', 'A contract.', { success, contract: contractSchema })

export type CreatedContract = z.infer<typeof createdContractSchema>
export type ContractView = z.infer<typeof contractSchema>
