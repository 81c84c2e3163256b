// Validates the data of a mail. Pure. [D14, ceremony: mails]
// The contract service and the gateway refuse invalid data on input. If a bug or an edited row lets such data through, the mail would
// put a stranger's text under our name. So the mail is retried, with errors in the log, until the data is valid. Nothing is corrected
// silently, because a mail must not differ from its contract.
import { accentSchema, logoFactsSchema } from '@paraph/protocol/brand'
import { MAIL_LANGUAGES } from '@paraph/protocol/principal'
import { ownerMailSchemas } from '@paraph/protocol/owner-mail'
import { CONTRACT_STATUSES, CONTRACT_TYPES, PARTIES_MAX, PARTIES_MIN } from '@paraph/protocol/contract'
import {
  countCodePoints,
  displayNameError,
  nameError,
  partyNameError,
  hasHiddenCharacterInText,
  isMailAddress,
} from '@paraph/protocol/text-rules'
import { z } from 'zod'
import type { MailData, OwnerMailData } from './mail-data.js'

const nameOf = (codePointsMax: number, errorOf: typeof nameError) =>
  z.string().refine((name) => name === name.trim() && errorOf(name, codePointsMax) === undefined)
const [role, legalName, accountName] = [
  nameOf(100, partyNameError),
  nameOf(200, partyNameError),
  nameOf(100, displayNameError),
]
const mailAddress = z.string().refine(isMailAddress)

/** 256 bits as base64url, at the end of the share link. [D21] */
const SHARE_TOKEN = /[\w-]{43}$/

const mailDataSchema = z.object({
  status: z.enum(CONTRACT_STATUSES),
  isErased: z.boolean(),
  accountId: z.string(),
  environment: z.enum(['production', 'sandbox']),
  senderName: accountName,
  accountName,
  contractType: z.enum(CONTRACT_TYPES),
  contractNumber: z.string().regex(/^EXT-\d{8}-[A-Z0-9]{8}$/),
  expiresAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  cancelledAt: z.iso.datetime().nullable(),
  partyCount: z.int().min(PARTIES_MIN).max(PARTIES_MAX),
  parties: z
    .array(z.object({ role, legalName, hasSigned: z.boolean() }))
    .min(PARTIES_MIN)
    .max(PARTIES_MAX),
  party: z.object({ role, legalName, email: mailAddress, hasSigned: z.boolean(), hasDeclined: z.boolean() }),
  remindsParties: z.boolean(),
  // Empty for a former address.
  sameMailbox: z.array(z.int().min(0)).max(PARTIES_MAX),
  shareUrl: z.string().nullable(),
  language: z.enum(MAIL_LANGUAGES),
  timeZone: z.string(),
  replyAddress: mailAddress.nullable(),
  look: z
    .object({
      accent: accentSchema.nullable(),
      logo: logoFactsSchema.nullable(),
      accountName,
      shareBaseUrl: z.string(),
      footName: z.string(),
    })
    .optional(),
}) satisfies z.ZodType<MailData>

const owners = ownerMailSchemas({
  accountName,
  keyName: nameOf(100, nameError),
  /** The part of a key that lists show. [D28] */
  keyHint: z.string().regex(/^paraph_(live|test)_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/),
  /** Text of an operator. */
  reason: z
    .string()
    .refine(
      (text) =>
        text === text.trim() && text !== '' && countCodePoints(text) <= 1_000 && !hasHiddenCharacterInText(text),
    ),
  by: mailAddress,
})

/** Part of the Message-ID. [D24] */
const CONTRACT_ID = /^[A-Za-z0-9-]{1,100}$/

/**
 * The name of the first invalid field, never its value; undefined when all fields are valid.
 * @param shareBaseUrl the origin of share links
 */
export function invalidMailField(contractId: string, mailData: MailData, shareBaseUrl: string): string | undefined {
  if (!CONTRACT_ID.test(contractId)) return 'contractId'
  const { error } = mailDataSchema.safeParse(mailData)
  if (error) return error.issues[0]?.path.join('.') || 'data'
  return isShareUrl(mailData.shareUrl, shareBaseUrl) ? undefined : 'shareUrl'
}

/** Like `invalidMailField`, for a mail to an owner or operator. */
export function invalidOwnerMailField(mail: OwnerMailData): string | undefined {
  const { error } = (mail.kind === 'code' ? owners.code : owners.mail).safeParse(mail)
  return error?.issues[0]?.path.join('.')
}

/** Accepts only links to our own pages, because readers trust a link in our mail. */
const isShareUrl = (url: string | null, shareBaseUrl: string): boolean =>
  url === null || `${shareBaseUrl}/contract/${SHARE_TOKEN.exec(url)?.[0]}` === url
