// Parties of one contract that share a mailbox. Pure. [P24]

/** Enough for a person who signs for two others; a contract with fifty roles of one mailbox must not cause fifty mails. */
const INVITATIONS_MAX = 3

/**
 * The parties whom one invitation invites together with this party: alone up to the second of a mailbox, then all further ones.
 * @param sameMailbox the indexes of all parties with the mailbox of this party, itself included
 */
export function invitedWith(sameMailbox: readonly number[], partyIndex: number): number[] {
  const together = sameMailbox.slice(INVITATIONS_MAX - 1)
  return together.includes(partyIndex) ? together : [partyIndex]
}
