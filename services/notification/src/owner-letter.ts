// A mail to an owner or operator: what the gateway hands over, kept sealed, and what becomes of it. Pure. [D24]
import { OWNER_CODE_PURPOSES, OWNER_MAIL_FACTS, type OwnerMailKind } from '@paraph/protocol/owner-mail'
import { MAIL_LANGUAGES } from '@paraph/protocol/caller'
import { isMailAddress } from '@paraph/protocol/text-rules'
import { z } from 'zod'
import { asciiAddress, type Composed } from './compose-mail.js'
import { writeOwnerCode } from './templates/owner-code.js'
import { writeOwnerMail } from './templates/owner-mail.js'

const common = { to: z.string().refine(isMailAddress), language: z.enum(MAIL_LANGUAGES) }

const letterOf = <Kind extends OwnerMailKind>(kind: Kind) =>
  z.object({ ...common, kind: z.literal(kind), facts: OWNER_MAIL_FACTS[kind] })

/** As it stands sealed in the queue. */
export const ownerLetterSchema = z.discriminatedUnion('kind', [
  z.object({
    ...common,
    kind: z.literal('code'),
    purpose: z.enum(OWNER_CODE_PURPOSES),
    accountName: z.string().nullable(),
    code: z.string(),
  }),
  letterOf('application_approved'),
  letterOf('application_refused'),
  letterOf('key_created'),
  letterOf('key_revoked'),
  letterOf('owner_invited'),
])
export type OwnerLetter = z.infer<typeof ownerLetterSchema>

/** The mail. @param requestId makes its Message-ID, the same on every retry @param settings where the console lives */
export function composeOwnerLetter(
  requestId: string,
  letter: OwnerLetter,
  { mailDomain, shareBaseUrl }: { mailDomain: string; shareBaseUrl: string },
): Composed {
  const consoleUrl = `${shareBaseUrl}/console`
  const parts =
    letter.kind === 'code'
      ? writeOwnerCode(letter, { consoleUrl, host: new URL(shareBaseUrl).hostname })
      : writeOwnerMail(letter, consoleUrl)
  return {
    mail: {
      messageId: `${letter.kind.replace('_', '-')}.${requestId}@${mailDomain}`,
      fromName: 'Paraph',
      to: { name: '', address: asciiAddress(letter.to) },
      replyTo: undefined,
      ...parts,
    },
  }
}
