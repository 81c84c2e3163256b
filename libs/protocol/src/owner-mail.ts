// The mails that owners and operators get, as the gateway hands them to notification. [D24]
// Owns: their shapes. Does not own: which names and words a mail may carry (notification's mail-fault.ts).
import { z } from 'zod'
import { MAIL_LANGUAGES } from './caller.js'
import { isMailAddress } from './text-rules.js'

const common = { id: z.uuid(), to: z.string().refine(isMailAddress), language: z.enum(MAIL_LANGUAGES) }
const text = z.string().max(2_000)

/** `by`: the owner's mailbox; null for the operator, who has no name here. */
const keyFacts = z.object({ accountName: text, keyName: text, keyHint: text, by: text.nullable() })

/** Kind → the facts that its words hold. No kind holds a key, a session or the link to one. */
export const OWNER_MAIL_FACTS = {
  application_approved: z.object({ accountName: text }),
  application_refused: z.object({ accountName: text, reason: text }),
  key_created: keyFacts,
  key_revoked: keyFacts,
  /** Somebody asks this mailbox to own the account, too. */
  owner_invited: z.object({ accountName: text, by: text }),
} as const

export type OwnerMailKind = keyof typeof OWNER_MAIL_FACTS

const mailOf = <Kind extends OwnerMailKind>(kind: Kind) =>
  z.object({ ...common, kind: z.literal(kind), facts: OWNER_MAIL_FACTS[kind] })

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

/** One code, idempotent by `id`; kept under AES-GCM by notification and wiped when sent or lapsed. [D42] */
export const ownerCodeSchema = z.discriminatedUnion('purpose', [
  z.object({ ...codeFields, purpose: z.literal('sign_in') }),
  /** `accountName`: whose answers are to go to the mailbox. */
  z.object({ ...codeFields, purpose: z.literal('reply_address'), accountName: text }),
])
export type OwnerCode = z.infer<typeof ownerCodeSchema>
