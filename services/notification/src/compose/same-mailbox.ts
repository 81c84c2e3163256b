// The mails to a mailbox that several parties of one contract share. Pure. [D12, D24, P24]
import { invitedWith } from '@paraph/protocol/shared-mailbox'
import type { MailData } from './mail-data.js'

type Sharing = Pick<MailData, 'sameMailbox'>

/** True if a party before this one has the same mailbox. */
export const isLaterOfMailbox = ({ sameMailbox }: Sharing, partyIndex: number): boolean =>
  sameMailbox.indexOf(partyIndex) > 0

/** True if the first invitation of another party names this party. */
export const isNamedElsewhere = (mail: Sharing, partyIndex: number): boolean =>
  invitedWith(mail.sameMailbox, partyIndex).indexOf(partyIndex) > 0

/** The other parties that the invitation of this party names: those that have not signed. */
export const furtherParties = (mail: MailData, partyIndex: number): MailData['parties'] =>
  mail.parties.filter(
    ({ hasSigned }, index) =>
      !hasSigned && index !== partyIndex && invitedWith(mail.sameMailbox, partyIndex).includes(index),
  )
