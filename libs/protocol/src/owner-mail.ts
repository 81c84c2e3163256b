// The mails to owners and operators that the gateway passes to notification. [D24]
// notification/compose/validate.ts checks the names and texts in them.
import { z } from 'zod'
import { MAIL_LANGUAGES } from './principal.js'
import { isMailAddress } from './text-rules.js'

const common = { id: z.uuid(), to: z.string().refine(isMailAddress), language: z.enum(MAIL_LANGUAGES) }
const text = z.string().max(2_000)

/** `by`: the mailbox of the owner; null for the operator. */
const keyData = z.object({ accountName: text, keyName: text, keyHint: text, by: text.nullable() })

/** Kind → the data in its text. No kind has a key, a session or a link to one. */
export const OWNER_MAIL_DATA = {
  application_approved: z.object({ accountName: text }),
  application_refused: z.object({ accountName: text, reason: text }),
  key_created: keyData,
  key_revoked: keyData,
  /** Invites the mailbox to become another owner of the account. */
  owner_invited: z.object({ accountName: text, by: text }),
} as const

export type OwnerMailKind = keyof typeof OWNER_MAIL_DATA

const mailOf = <Kind extends OwnerMailKind>(kind: Kind) =>
  z.object({ ...common, kind: z.literal(kind), facts: OWNER_MAIL_DATA[kind] })

/** One mail, idempotent by `id`. */
export const ownerMailSchema = z.discriminatedUnion('kind', [
  mailOf('application_approved'),
  mailOf('application_refused'),
  mailOf('key_created'),
  mailOf('key_revoked'),
  mailOf('owner_invited'),
])
export type OwnerMail = z.infer<typeof ownerMailSchema>

const codeFields = {
  ...common,
  code: z.string().regex(/^([0-9]{6}|[0-9]{12})$/),
  lapsesInSeconds: z.number().positive().max(600),
}

/** One code, idempotent by `id`. Notification stores it under AES-GCM and deletes it when it is sent or too old. [D42] */
export const ownerCodeSchema = z.discriminatedUnion('purpose', [
  z.object({ ...codeFields, purpose: z.literal('sign_in') }),
  /** `accountName`: the account whose replies will go to the mailbox. */
  z.object({ ...codeFields, purpose: z.literal('reply_address'), accountName: text }),
])
export type OwnerCode = z.infer<typeof ownerCodeSchema>
