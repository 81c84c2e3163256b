// Composes the mail of a delivery from the present data of the contract, or returns why no mail is sent. Pure. [D23, D24, D49]
import { mailDomainToAscii } from '@paraph/protocol/text-rules'
import type { MailKind } from '../database.js'
import type { MailData, MailSettings } from './mail-data.js'
import { furtherParties, isLaterOfMailbox, isNamedElsewhere } from './same-mailbox.js'
import { invalidMailField } from './validate.js'
import type { Mail } from '../smtp/mailer.js'
import { writeCode } from './templates/code.js'
import { writeCompletion } from './templates/completion.js'
import { writeInvitation } from './templates/invitation.js'
import type { MailParts } from './templates/languages.js'
import { writeOutcome } from './templates/outcome.js'
import { writeReaddressed } from './templates/readdressed.js'

interface Composing {
  kind: MailKind
  contractId: string
  partyIndex: number
  sendNumber: number
  /** Of a reminder, the `sendNumber` of the invitation that it belongs to. */
  invitationNumber?: number | null | undefined
  /** The one-time code, for the kind `code`. */
  code: string | undefined
  /** The signed PDF, for the kind `completed`; null when the PDF was erased. */
  copy?: Buffer | null | undefined
  sentAt: Date
}

/** `testOf`: the account of a sandbox contract. `skipped`: why the mail is no longer needed. `invalidField`: the name of a field whose value no mail may carry. */
export type Composed = { mail: Mail; testOf?: string | undefined } | { skipped: string } | { invalidField: string }

/** @param mailData null when the contract or the party is unknown */
export function composeMail(delivery: Composing, mailData: MailData | null, settings: MailSettings): Composed {
  const { mailDomain, shareBaseUrl } = settings
  if (!mailData) return { skipped: 'unknown contract or party' }
  const skipped = reasonToSkip(delivery, mailData)
  if (skipped !== undefined) return { skipped }
  const { kind, contractId, partyIndex, sendNumber, invitationNumber } = delivery
  const invalidField = invalidMailField(contractId, mailData, shareBaseUrl)
  if (invalidField !== undefined) return { invalidField }
  const fromSender = kind !== 'code'
  return {
    testOf: mailData.environment === 'sandbox' ? mailData.accountId : undefined,
    mail: {
      // The same on every retry, so that a receiver can drop a duplicate. Contains no secret. [D24]
      messageId: `${kind}.${contractId}.${partyIndex}.${sendNumber}@${mailDomain}`,
      fromName: fromSender ? `${displayName(mailData.senderName)} via Paraph` : 'Paraph',
      to: {
        // The former address is somebody else's.
        name: kind === 'readdressed' ? '' : recipientName(mailData.party.legalName),
        address: asciiAddress(mailData.party.email),
      },
      // The invitation that a reminder belongs to: mail programs show both as one conversation.
      references: invitationNumber
        ? `invitation.${contractId}.${partyIndex}.${invitationNumber}@${mailDomain}`
        : undefined,
      replyTo: fromSender && mailData.replyAddress !== null ? asciiAddress(mailData.replyAddress) : undefined,
      ...writeParts(delivery, mailData, shareBaseUrl),
      attachment: delivery.copy
        ? { filename: copyNameOf(mailData), contentType: 'application/pdf', content: delivery.copy }
        : undefined,
    },
  }
}

const copyNameOf = ({ contractNumber }: MailData): string => `${contractNumber}.pdf`

function writeParts(delivery: Composing, mailData: MailData, shareBaseUrl: string): MailParts {
  const { kind, partyIndex, code, copy, sentAt } = delivery
  switch (kind) {
    case 'invitation':
    case 'reminder': {
      // Only these two may contain the share link and URLs below the share link.
      const further = furtherParties(mailData, partyIndex)
      return writeInvitation(mailData, {
        shareUrl: mailData.shareUrl ?? '',
        further,
        sentAt,
        isReminder: kind === 'reminder',
      })
    }
    case 'code':
      return writeCode(mailData, code ?? '', shareBaseUrl)
    case 'completed':
      return writeCompletion(mailData, { fileName: copyNameOf(mailData), bytes: copy?.length ?? 0 }, shareBaseUrl)
    case 'cancelled':
    case 'expired':
      return writeOutcome(mailData, kind, shareBaseUrl)
    case 'readdressed':
      return writeReaddressed(mailData, shareBaseUrl)
  }
}

/** Collapses wide spaces, which could push "via Paraph" out of sight. */
const displayName = (name: string): string => name.replace(/\p{Zs}+/gu, ' ')

/** Empty for a legal name with an @ (no sender's name has one), which could be mistaken for the address. */
const recipientName = (legalName: string): string =>
  legalName.normalize('NFKC').includes('@') ? '' : displayName(legalName)

/** The address in the form for SMTP, with the domain in ASCII. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${mailDomainToAscii(address.slice(at + 1)) ?? address.slice(at + 1)}`
}

/** The reason why the mail is no longer needed; undefined if it is needed. */
function reasonToSkip({ kind, partyIndex, sendNumber, copy }: Composing, mailData: MailData): string | undefined {
  const { status, party, shareUrl } = mailData
  if (mailData.isErased) return 'contract erased'
  const isOpen = status === 'pending_signature' || status === 'partially_signed'
  switch (kind) {
    case 'invitation':
      if (!isOpen) return `contract ${status}`
      if (party.hasSigned) return 'party has signed'
      if (shareUrl === null) return 'share link is gone'
      // An owner may send the invitation again to this party, with a mail of its own.
      return sendNumber === 1 && isNamedElsewhere(mailData, partyIndex) ? 'named in another invitation' : undefined
    case 'reminder':
      if (!isOpen) return `contract ${status}`
      if (!mailData.remindsParties) return 'the account reminds nobody'
      if (party.hasSigned) return 'party has signed'
      if (party.hasDeclined) return 'party has declined'
      if (shareUrl === null) return 'share link is gone'
      return isNamedElsewhere(mailData, partyIndex) ? 'named in another invitation' : undefined
    case 'code':
      // Even after the end of the contract a party may request a code to fetch its copy.
      return undefined
    case 'completed':
      if (status !== 'signed') return `contract ${status}`
      if (isLaterOfMailbox(mailData, partyIndex)) return 'same mailbox as a party before'
      return copy === null ? 'the copy is gone' : undefined
    case 'cancelled':
    case 'expired':
      if (status !== kind) return `contract ${status}`
      return party.hasSigned ? undefined : 'party had not signed'
    case 'readdressed':
      if (!isOpen) return `contract ${status}`
      // The former address is still the one of another party, whose link and codes work.
      return mailData.sameMailbox.length > 0 ? 'still the address of a party' : undefined
  }
}
