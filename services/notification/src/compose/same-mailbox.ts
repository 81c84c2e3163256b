// The mails to a mailbox that several parties of one contract share. Pure. [D12, D24, P24]
import type { MailData } from './mail-data.js'

/** Enough for a person who signs for two others; a contract with fifty roles of one mailbox must not cause fifty mails. */
const INVITATIONS_MAX = 3

type Sharing = Pick<MailData, 'sameMailbox'>

/** True if a party before this one has the same mailbox. */
export const isLaterOfMailbox = ({ sameMailbox }: Sharing, partyIndex: number): boolean =>
  sameMailbox.indexOf(partyIndex) > 0

/** The parties whom one invitation invites together with this party: alone up to the second of a mailbox, then all further ones. */
export function invitedWith({ sameMailbox }: Sharing, partyIndex: number): number[] {
  const together = sameMailbox.slice(INVITATIONS_MAX - 1)
  return together.includes(partyIndex) ? together : [partyIndex]
}

/** True if the first invitation of another party names this party. */
export const isNamedElsewhere = (mail: Sharing, partyIndex: number): boolean =>
  invitedWith(mail, partyIndex).indexOf(partyIndex) > 0

/** The other parties that the invitation of this party names: those that have not signed. */
export const furtherParties = (mail: MailData, partyIndex: number): MailData['parties'] =>
  mail.parties.filter(
    ({ hasSigned }, index) => !hasSigned && index !== partyIndex && invitedWith(mail, partyIndex).includes(index),
  )
