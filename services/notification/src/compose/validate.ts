// Validates the data of a mail. Pure. [D14, ceremony: mails]
// The contract service and the gateway refuse such data on input. If a bug or an edited row lets it through, the mail would put a
// stranger's text under our name, so it waits, with errors in the log, until the data is right. Nothing is cleaned silently: a mail
// must not differ from its contract.
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { CONTRACT_STATUSES, CONTRACT_TYPES, PARTIES_MAX, PARTIES_MIN } from '@paraph/protocol/contract'
import {
  countCodePoints,
  displayNameError,
  nameError,
  hasHiddenCharacterInText,
  isMailAddress,
} from '@paraph/protocol/text-rules'
import { z } from 'zod'
import type { MailData, OwnerMailData } from './mail-data.js'

const nameOf = (codePointsMax: number, errorOf: typeof nameError) =>
  z.string().refine((name) => name === name.trim() && errorOf(name, codePointsMax) === undefined)
const [role, legalName] = [nameOf(100, nameError), nameOf(200, nameError)]
const mailAddress = z.string().refine(isMailAddress)

/** 256 bits as base64url, at the end of the link. [D21] */
const SHARE_TOKEN = /[\w-]{43}$/

const mailDataSchema = z.object({
  status: z.enum(CONTRACT_STATUSES),
  isErased: z.boolean(),
  environment: z.enum(['production', 'sandbox']),
  senderName: nameOf(100, displayNameError),
  accountName: nameOf(100, displayNameError),
  contractType: z.enum(CONTRACT_TYPES),
  contractNumber: z.string().regex(/^EXT-\d{8}-[A-Z0-9]{8}$/),
  expiresAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  cancelledAt: z.iso.datetime().nullable(),
  partyCount: z.int().min(PARTIES_MIN).max(PARTIES_MAX),
  parties: z.array(z.object({ role, legalName })).min(PARTIES_MIN).max(PARTIES_MAX),
  party: z.object({ role, legalName, email: mailAddress, hasSigned: z.boolean() }),
  isFirstOfMailbox: z.boolean(),
  shareUrl: z.string().nullable(),
  language: z.enum(MAIL_LANGUAGES),
  timeZone: z.string(),
  replyAddress: mailAddress.nullable(),
}) satisfies z.ZodType<MailData>

const accountName = nameOf(100, displayNameError)
const owner = { id: z.uuid(), to: mailAddress, language: z.enum(MAIL_LANGUAGES) }
const code = {
  ...owner,
  kind: z.literal('code'),
  code: z.string().regex(/^([0-9]{6}|[0-9]{12})$/),
  lapsesInSeconds: z.number(),
}
const key = z.object({
  accountName,
  keyName: nameOf(100, nameError),
  /** The part of a key that lists show. [D28] */
  keyHint: z.string().regex(/^paraph_(live|test)_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/),
  by: mailAddress.nullable(),
})
/** Text of an operator. */
const reason = z
  .string()
  .refine(
    (text) => text === text.trim() && text !== '' && countCodePoints(text) <= 1_000 && !hasHiddenCharacterInText(text),
  )

const ownerMailSchema = z.discriminatedUnion('kind', [
  z.discriminatedUnion('purpose', [
    z.object({ ...code, purpose: z.literal('sign_in') }),
    z.object({ ...code, purpose: z.literal('reply_address'), accountName }),
  ]),
  z.object({ ...owner, kind: z.literal('application_approved'), facts: z.object({ accountName }) }),
  z.object({ ...owner, kind: z.literal('application_refused'), facts: z.object({ accountName, reason }) }),
  z.object({ ...owner, kind: z.enum(['key_created', 'key_revoked']), facts: key }),
  z.object({ ...owner, kind: z.literal('owner_invited'), facts: z.object({ accountName, by: mailAddress }) }),
]) satisfies z.ZodType<OwnerMailData>

/** Part of the Message-ID. [D24] */
const CONTRACT_ID = /^[A-Za-z0-9-]{1,100}$/

/**
 * The name of the first invalid field, never its value; undefined when all are valid.
 * @param shareBaseUrl the origin of share links
 */
export function invalidMailField(contractId: string, mailData: MailData, shareBaseUrl: string): string | undefined {
  if (!CONTRACT_ID.test(contractId)) return 'contractId'
  const { error } = mailDataSchema.safeParse(mailData)
  if (error) return error.issues[0]?.path.join('.') || 'facts'
  return isShareUrl(mailData.shareUrl, shareBaseUrl) ? undefined : 'shareUrl'
}

/** The same for a mail to an owner or operator. */
export function invalidOwnerMailField(mail: OwnerMailData): string | undefined {
  const { error } = ownerMailSchema.safeParse(mail)
  return error && (error.issues[0]?.path.join('.') || 'letter')
}

/** Accepts only links to our own pages, because readers trust a link in our mail. */
const isShareUrl = (url: string | null, shareBaseUrl: string): boolean =>
  url === null || `${shareBaseUrl}/contract/${SHARE_TOKEN.exec(url)?.[0]}` === url
