// Composes a mail to an owner or operator from the data that the gateway pushed. Pure. [D24]
import { asciiAddress, type Composed } from './contract-mail.js'
import type { MailSettings, OwnerMailData } from './mail-data.js'
import { invalidOwnerMailField } from './validate.js'
import { writeOwnerCode } from './templates/code.js'
import { writeOwnerMail } from './templates/owner-mail.js'

export function composeOwnerMail(mail: OwnerMailData, { mailDomain, shareBaseUrl }: MailSettings): Composed {
  const invalidField = invalidOwnerMailField(mail)
  if (invalidField !== undefined) return { invalidField }
  return {
    mail: {
      messageId: `${mail.kind.replaceAll('_', '-')}.${mail.id}@${mailDomain}`,
      fromName: 'Paraph',
      to: { name: '', address: asciiAddress(mail.to) },
      replyTo: undefined,
      ...(mail.kind === 'code' ? writeOwnerCode(mail, shareBaseUrl) : writeOwnerMail(mail, shareBaseUrl)),
    },
  }
}
