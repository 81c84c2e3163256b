// The mails that owners and operators get, as the gateway hands them to notification. [D24]
import { z } from 'zod'
import { MAIL_LANGUAGES } from './caller.js'

const address = z.string().min(3).max(254)
const text = z.string().max(2_000)
/** The mailbox of who acted; null for the operator on the command line. */
const by = text.nullable()

/** Kind → the facts that its words hold. No kind holds a key, a session or the link to one. */
export const OWNER_MAIL_FACTS = {
  /** The application was approved; `nextUrl` is where a tier is chosen or a key made. */
  application_approved: z.object({ accountName: text }),
  application_refused: z.object({ accountName: text, reason: text }),
  key_created: z.object({ accountName: text, keyName: text, keyHint: text, by }),
  key_revoked: z.object({ accountName: text, keyName: text, keyHint: text, by }),
  /** Somebody asks this mailbox to own the account, too. */
  owner_invited: z.object({ accountName: text, by: text }),
} as const

export type OwnerMailKind = keyof typeof OWNER_MAIL_FACTS
export const OWNER_MAIL_KINDS = Object.keys(OWNER_MAIL_FACTS) as [OwnerMailKind, ...OwnerMailKind[]]

/** One mail, idempotent by `id`. */
export const ownerMailSchema = z.object({
  id: z.uuid(),
  to: address,
  language: z.enum(MAIL_LANGUAGES),
  kind: z.enum(OWNER_MAIL_KINDS),
  facts: z.record(z.string(), z.string().nullable()),
})
export type OwnerMail = z.infer<typeof ownerMailSchema>

/** What a code in a mail to an owner is for. */
export const OWNER_CODE_PURPOSES = ['sign_in', 'reply_address'] as const
export type OwnerCodePurpose = (typeof OWNER_CODE_PURPOSES)[number]

/** One code, idempotent by `id`; kept under AES-GCM by notification and wiped when sent or lapsed. [D42] */
export const ownerCodeSchema = z.object({
  id: z.uuid(),
  to: address,
  language: z.enum(MAIL_LANGUAGES),
  purpose: z.enum(OWNER_CODE_PURPOSES),
  /** Of the account that wants replies there; null at sign-in, where nobody is known yet. */
  accountName: z.string().max(200).nullable(),
  code: z.string().regex(/^([0-9]{6}|[0-9]{12})$/),
  lapsesInSeconds: z.number().positive().max(600),
})
export type OwnerCode = z.infer<typeof ownerCodeSchema>
