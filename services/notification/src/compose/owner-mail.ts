// Composes a mail to an owner or operator from the data that the gateway pushed. Pure. [D24]
import { asciiAddress, type Composed } from './contract-mail.js'
import type { OwnerMailData } from './mail-data.js'
import { invalidOwnerMailField } from './validate.js'
import { writeOwnerCode } from './templates/owner-code.js'
import { writeOwnerMail } from './templates/owner-mail.js'

/** @param shareBaseUrl the origin of the console */
export function composeOwnerMail(
  mail: OwnerMailData,
  { mailDomain, shareBaseUrl }: { mailDomain: string; shareBaseUrl: string },
): Composed {
  const invalidField = invalidOwnerMailField(mail)
  if (invalidField !== undefined) return { invalidField }
  const reportUrl = `${shareBaseUrl}/help#report`
  const parts =
    mail.kind === 'code'
      ? writeOwnerCode(mail, { host: new URL(shareBaseUrl).hostname, reportUrl })
      : writeOwnerMail(mail, { consoleUrl: `${shareBaseUrl}/console`, reportUrl })
  return {
    mail: {
      messageId: `${mail.kind.replace('_', '-')}.${mail.id}@${mailDomain}`,
      fromName: 'Paraph',
      to: { name: '', address: asciiAddress(mail.to) },
      replyTo: undefined,
      ...parts,
    },
  }
}
