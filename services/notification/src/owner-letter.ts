// A mail to an owner or operator: what the gateway hands over, kept sealed, and what becomes of it. Pure. [D24]
import type { OwnerCode, OwnerMail } from '@paraph/protocol/owner-mail'
import { asciiAddress, type Composed } from './compose-mail.js'
import { faultOfLetter } from './mail-fault.js'
import { writeOwnerCode } from './templates/owner-code.js'
import { writeOwnerMail } from './templates/owner-mail.js'

/** As it stands sealed in the queue. Its `id` makes the Message-ID, the same on every retry. */
export type OwnerLetter = (OwnerCode & { kind: 'code' }) | OwnerMail

/** The mail, or the fact that no mail may carry. @param settings where the console lives */
export function composeOwnerLetter(
  letter: OwnerLetter,
  { mailDomain, shareBaseUrl }: { mailDomain: string; shareBaseUrl: string },
): Composed {
  const fault = faultOfLetter(letter)
  if (fault !== undefined) return { fault }
  const reportUrl = `${shareBaseUrl}/help#report`
  const parts =
    letter.kind === 'code'
      ? writeOwnerCode(letter, { host: new URL(shareBaseUrl).hostname, reportUrl })
      : writeOwnerMail(letter, { consoleUrl: `${shareBaseUrl}/console`, reportUrl })
  return {
    mail: {
      messageId: `${letter.kind.replace('_', '-')}.${letter.id}@${mailDomain}`,
      fromName: 'Paraph',
      to: { name: '', address: asciiAddress(letter.to) },
      replyTo: undefined,
      ...parts,
    },
  }
}
