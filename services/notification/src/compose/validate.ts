// Which facts no mail may carry. Pure. [D14, ceremony: mails]
// The contract service and the gateway let nothing of this in. Should one ever hand it over all the same (a fault there, an edited row), a mail would
// put a stranger's words under our name and signature: such a mail waits, loudly, until the facts are right. Nothing is cleaned in
// silence, for a mail that says something else than the contract is no better.
import { MAIL_LANGUAGES } from '@paraph/protocol/caller'
import { CONTRACT_STATUSES, CONTRACT_TYPES, PARTIES_MAX, PARTIES_MIN } from '@paraph/protocol/contract'
import {
  countCodePoints,
  faultOfDisplayName,
  faultOfName,
  hasHiddenCharacterInText,
  isMailAddress,
} from '@paraph/protocol/text-rules'
import { z } from 'zod'
import type { MailFacts } from './mail-facts.js'
import type { OwnerLetter } from './owner-letter.js'

const nameOf = (codePointsMax: number, faultOf: typeof faultOfName) =>
  z.string().refine((name) => name === name.trim() && faultOf(name, codePointsMax) === undefined)
const [role, legalName] = [nameOf(100, faultOfName), nameOf(200, faultOfName)]
const mailAddress = z.string().refine(isMailAddress)

/** 256 bits as base64url, at the end of the link. [D21] */
const SHARE_TOKEN = /[\w-]{43}$/

const factsSchema = z.object({
  status: z.enum(CONTRACT_STATUSES),
  isErased: z.boolean(),
  environment: z.enum(['production', 'sandbox']),
  senderName: nameOf(100, faultOfDisplayName),
  accountName: nameOf(100, faultOfDisplayName),
  contractType: z.enum(CONTRACT_TYPES),
  contractNumber: z.string().regex(/^EXT-\d{8}-[A-Z0-9]{8}$/),
  expiresAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  cancelledAt: z.iso.datetime().nullable(),
  partyCount: z.int().min(PARTIES_MIN).max(PARTIES_MAX),
  parties: z.array(z.object({ role, legalName })).min(PARTIES_MIN).max(PARTIES_MAX),
  party: z.object({
    role,
    legalName,
    email: mailAddress,
    hasSigned: z.boolean(),
  }),
  isFirstOfMailbox: z.boolean(),
  shareUrl: z.string().nullable(),
  language: z.enum(MAIL_LANGUAGES),
  timeZone: z.string(),
  replyAddress: mailAddress.nullable(),
}) satisfies z.ZodType<MailFacts>

const accountName = nameOf(100, faultOfDisplayName)
const owner = { id: z.uuid(), to: mailAddress, language: z.enum(MAIL_LANGUAGES) }
const code = {
  ...owner,
  kind: z.literal('code'),
  code: z.string().regex(/^([0-9]{6}|[0-9]{12})$/),
  lapsesInSeconds: z.number(),
}
const key = z.object({
  accountName,
  keyName: nameOf(100, faultOfName),
  /** What lists show of a key too. [D28] */
  keyHint: z.string().regex(/^paraph_(live|test)_[0-9A-Za-z]{4}…[0-9A-Za-z]{4}$/),
  by: mailAddress.nullable(),
})
/** Lines of an operator's. */
const reason = z
  .string()
  .refine(
    (text) => text === text.trim() && text !== '' && countCodePoints(text) <= 1_000 && !hasHiddenCharacterInText(text),
  )

const letterSchema = z.discriminatedUnion('kind', [
  z.discriminatedUnion('purpose', [
    z.object({ ...code, purpose: z.literal('sign_in') }),
    z.object({ ...code, purpose: z.literal('reply_address'), accountName }),
  ]),
  z.object({ ...owner, kind: z.literal('application_approved'), facts: z.object({ accountName }) }),
  z.object({ ...owner, kind: z.literal('application_refused'), facts: z.object({ accountName, reason }) }),
  z.object({ ...owner, kind: z.literal('key_created'), facts: key }),
  z.object({ ...owner, kind: z.literal('key_revoked'), facts: key }),
  z.object({ ...owner, kind: z.literal('owner_invited'), facts: z.object({ accountName, by: mailAddress }) }),
]) satisfies z.ZodType<OwnerLetter>

/** Goes into the Message-ID. [D24] */
const CONTRACT_ID = /^[A-Za-z0-9-]{1,100}$/

/**
 * The name of the first fact that breaks a rule, never its value; undefined when a mail may be made of them.
 * @param shareBaseUrl where the share links live
 */
export function faultOfFacts(contractId: string, facts: MailFacts, shareBaseUrl: string): string | undefined {
  if (!CONTRACT_ID.test(contractId)) return 'contractId'
  const { error } = factsSchema.safeParse(facts)
  if (error) return error.issues[0]?.path.join('.') || 'facts'
  return isOurs(facts.shareUrl, shareBaseUrl) ? undefined : 'shareUrl'
}

/** The same of a letter to an owner or operator. */
export function faultOfLetter(letter: OwnerLetter): string | undefined {
  const { error } = letterSchema.safeParse(letter)
  return error && (error.issues[0]?.path.join('.') || 'letter')
}

/** Only to our own pages: a link in our mail is trusted. */
const isOurs = (url: string | null, shareBaseUrl: string): boolean =>
  url === null || `${shareBaseUrl}/contract/${SHARE_TOKEN.exec(url)?.[0]}` === url
