// From a delivery and the facts of this moment to one mail, or the reason why none is sent. Pure. [D23, D24, D49]
import { mailDomainToAscii } from '@paraph/protocol/text-rules'
import type { MailKind } from './database.js'
import type { MailFacts } from './mail-facts.js'
import { faultOfFacts } from './mail-fault.js'
import type { Mail } from './mailer.js'
import { writeCode } from './templates/code.js'
import { writeCompletion } from './templates/completion.js'
import { writeInvitation } from './templates/invitation.js'
import type { MailParts } from './templates/languages.js'
import { writeOutcome } from './templates/outcome.js'

interface Composing {
  kind: MailKind
  contractId: string
  partyIndex: number
  sendNumber: number
  /** The one-time code of a `code`. */
  code: string | undefined
  /** The sealed PDF of a `completed`; null where there is none any more. */
  copy?: Buffer | null | undefined
}

/** `skipped`: nobody wants this mail any more. `fault`: it would be wanted, but a fact is one that no mail may carry. */
export type Composed = { mail: Mail } | { skipped: string } | { fault: string }

/**
 * @param facts null when the contract or the party is not known
 * @param mailDomain right side of the Message-ID
 * @param shareBaseUrl where the share links live
 */
export function composeMail(
  delivery: Composing,
  facts: MailFacts | null,
  { mailDomain, shareBaseUrl }: { mailDomain: string; shareBaseUrl: string },
): Composed {
  if (!facts) return { skipped: 'unknown contract or party' }
  const skipped = reasonToSkip(delivery, facts)
  if (skipped !== undefined) return { skipped }
  const { kind, contractId, partyIndex, sendNumber } = delivery
  const fault = faultOfFacts(contractId, facts, shareBaseUrl)
  if (fault !== undefined) return { fault }
  const personal = kind !== 'code'
  return {
    mail: {
      // The same on every retry, so that a receiver may drop the second copy; holds no secret. [D24]
      messageId: `${kind}.${contractId}.${partyIndex}.${sendNumber}@${mailDomain}`,
      fromName: personal ? `${displayName(facts.senderName)} via Paraph` : 'Paraph',
      to: { name: recipientName(facts.party.legalName), address: asciiAddress(facts.party.email) },
      replyTo: personal && facts.replyAddress !== null ? asciiAddress(facts.replyAddress) : undefined,
      ...writeParts(delivery, facts, shareBaseUrl),
      attachment: delivery.copy
        ? { fileName: copyNameOf(facts), type: 'application/pdf', bytes: delivery.copy }
        : undefined,
    },
  }
}

const copyNameOf = ({ contractNumber }: MailFacts): string => `${contractNumber}.pdf`

function writeParts({ kind, code, copy }: Composing, facts: MailFacts, shareBaseUrl: string): MailParts {
  // Only the invitation may carry the link and what stands below it.
  const reportUrl = `${shareBaseUrl}/help#report`
  switch (kind) {
    case 'invitation':
      return writeInvitation(facts, facts.shareUrl ?? '', `${facts.shareUrl ?? ''}/report`)
    case 'code':
      return writeCode(facts, code ?? '', new URL(shareBaseUrl).hostname, reportUrl)
    case 'completed': {
      const attached = { fileName: copyNameOf(facts), bytes: copy?.length ?? 0 }
      return writeCompletion(facts, attached, { checkUrl: `${shareBaseUrl}/help#check`, reportUrl })
    }
    case 'cancelled':
    case 'expired':
      return writeOutcome(facts, kind, reportUrl)
  }
}

/** Wide spaces would push "via Paraph" out of sight. */
const displayName = (name: string): string => name.replace(/\p{Zs}+/gu, ' ')

/** A legal name may hold an @ (a sender's may not); before the address it could be taken for one. */
function recipientName(legalName: string): string {
  const read = legalName.normalize('NFKC')
  return read.includes('@') ? '' : displayName(legalName)
}

/** The form that SMTP carries: the domain in ASCII. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${mailDomainToAscii(address.slice(at + 1)) ?? address.slice(at + 1)}`
}

/** What has become pointless since the delivery was made. */
function reasonToSkip({ kind, copy }: Composing, facts: MailFacts): string | undefined {
  const { status, party, shareUrl } = facts
  if (facts.isErased) return 'contract erased'
  const isOpen = status === 'pending_signature' || status === 'partially_signed'
  switch (kind) {
    case 'invitation':
      if (!isOpen) return `contract ${status}`
      if (party.hasSigned) return 'party has signed'
      return shareUrl === null ? 'share link is gone' : undefined
    case 'code':
      // Signed, cancelled or expired, a party may still ask for a code to fetch a copy.
      return undefined
    case 'completed':
      if (status !== 'signed') return `contract ${status}`
      if (!facts.isFirstOfMailbox) return 'same mailbox as a party before'
      return copy === null ? 'the copy is gone' : undefined
    case 'cancelled':
    case 'expired':
      if (status !== kind) return `contract ${status}`
      return party.hasSigned ? undefined : 'party had not signed'
  }
}
