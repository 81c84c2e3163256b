// The mails to owners and operators that the gateway passes to notification. [D24]
import { z } from 'zod'
import { ACCOUNT_ROLES } from './account-role.js'
import { MAIL_LANGUAGES } from './principal.js'
import { isMailAddress } from './text-rules.js'

/** What happened to a person of an account, or to an invitation. */
const OWNER_CHANGES = ['invited', 'joined', 'declined', 'removed', 'left', 'role_changed'] as const

/** What happened to the second factor of the reader. [D73] */
const SIGN_IN_CHANGES = ['passkey_added', 'passkey_removed', 'codes_replaced', 'code_used', 'codes_locked'] as const

const common = { id: z.uuid(), to: z.string().refine(isMailAddress), language: z.enum(MAIL_LANGUAGES) }

/** The rules of the names and texts in a mail. `by`: the mailbox of an owner. */
type TextRules = Record<'accountName' | 'keyName' | 'keyHint' | 'reason' | 'by', z.ZodType<string>>

/** The schemas of every mail to owners. Notification applies them again with strict rules before it sends a mail (compose/validate.ts). */
export function ownerMailSchemas({ accountName, keyName, keyHint, reason, by }: TextRules) {
  const network = z.string().regex(/^[0-9a-f.:]{3,40}\/(24|48)$/)
  /** `by`: the owner who changed the key; null if an operator did. */
  const keyData = z.object({ accountName, keyName, keyHint, by: by.nullable() })
  const contractNumber = z.string().regex(/^EXT-\d{8}-[A-Z0-9]{8}$/)
  const ofContract = z.object({ accountName, contractNumber })
  const role = z.enum(ACCOUNT_ROLES)
  /** Kind → the data in its text. No mail contains an API key or a session, or a link to either. */
  const data = {
    application_approved: z.object({ accountName }),
    application_refused: z.object({ accountName, reason }),
    /** The decision on a brand; `brand_refused`: also one that was shown. [D59] */
    brand_approved: z.object({ accountName }),
    brand_refused: z.object({ accountName, reason }),
    key_created: keyData,
    key_revoked: keyData,
    /** Invites the mailbox into the account, with a role. [D72] */
    owner_invited: z.object({ accountName, by, role }),
    /** Too many wrong codes were typed for the mailbox. [P30] */
    codes_locked: z.object({}),
    /** The mailbox signed in from a browser that it had not used. `network`: the client's address, cut. [P31] */
    new_browser: z.object({ network }),
    /** The same, to the other owners of an account that the mailbox `owner` owns. [D73] */
    owner_new_browser: z.object({ accountName, owner: by, network }),
    /** To the mailbox itself. [D73] */
    sign_in_changed: z.object({ change: z.enum(SIGN_IN_CHANGES) }),
    /** The passkeys of `owner` were removed because of a lost device; `by`: null if the operator did. [D73] */
    passkeys_reset: z.object({ owner: by, by: by.nullable() }),
    /** To every owner. `owner`: the mailbox that was invited, joined, declined, was removed or left, or has another role; `by` is the same if it acted itself. */
    owners_changed: z.object({ accountName, by, owner: by, role, change: z.enum(OWNER_CHANGES) }),
    /** `address`: where replies go from now on; null if to no address. */
    reply_address_changed: z.object({ accountName, by, address: by.nullable() }),
    account_exported: z.object({ accountName, by }),
    /** An endpoint of the account failed for five days. [D65] */
    webhook_disabled: z.object({ accountName }),
    /** `at`: when the contract is erased, unless an owner takes the request back. [P32] */
    erasure_requested: z.object({ accountName, by, at: z.iso.datetime(), timeZone: z.string(), contractNumber }),
    /** What happened to a contract. [D70] */
    invitation_refused: ofContract,
    party_declined: ofContract,
    contract_completed: ofContract,
    invitations_refused: z.object({ accountName, count: z.int().positive() }),
    daily_summary: z.object({ accountName, completed: z.int().min(0), expired: z.int().min(0) }),
  } as const
  const mailOf = <Kind extends keyof typeof data>(kind: Kind) =>
    z.object({ ...common, kind: z.literal(kind), data: data[kind] })
  const codeFields = {
    ...common,
    code: z.string().regex(/^([0-9]{8}|[0-9]{12})$/),
    lapsesInSeconds: z.number().positive().max(600),
  }
  return {
    data,
    /** One mail, idempotent by `id`. */
    mail: z.discriminatedUnion('kind', [
      mailOf('application_approved'),
      mailOf('application_refused'),
      mailOf('brand_approved'),
      mailOf('brand_refused'),
      mailOf('key_created'),
      mailOf('key_revoked'),
      mailOf('owner_invited'),
      mailOf('codes_locked'),
      mailOf('new_browser'),
      mailOf('owner_new_browser'),
      mailOf('sign_in_changed'),
      mailOf('passkeys_reset'),
      mailOf('owners_changed'),
      mailOf('reply_address_changed'),
      mailOf('account_exported'),
      mailOf('webhook_disabled'),
      mailOf('erasure_requested'),
      mailOf('invitation_refused'),
      mailOf('party_declined'),
      mailOf('contract_completed'),
      mailOf('invitations_refused'),
      mailOf('daily_summary'),
    ]),
    /** One code, idempotent by `id`. Notification stores it under AES-GCM and deletes it when it is sent or too old. [D42] */
    code: z.discriminatedUnion('purpose', [
      z.object({ ...codeFields, purpose: z.literal('sign_in') }),
      /** The person of an open session confirms to be there, before a grave act. [D73] */
      z.object({ ...codeFields, purpose: z.literal('prove') }),
      /** `accountName`: the account whose replies will go to the mailbox. */
      z.object({ ...codeFields, purpose: z.literal('reply_address'), accountName }),
    ]),
  }
}

const text = z.string().max(2_000)

export const {
  data: OWNER_MAIL_DATA,
  mail: ownerMailSchema,
  code: ownerCodeSchema,
} = ownerMailSchemas({ accountName: text, keyName: text, keyHint: text, reason: text, by: text })

export type OwnerMailKind = keyof typeof OWNER_MAIL_DATA
export type OwnerMail = z.infer<typeof ownerMailSchema>
export type OwnerCode = z.infer<typeof ownerCodeSchema>
