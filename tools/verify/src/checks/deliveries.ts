// Checks I8: every party of a contract has exactly one invitation in the queue, no expired mail is still due, and every skipped mail was
// skipped for a valid reason.
// Cannot detect: what the SMTP server did with an accepted mail. The Message-ID derives from the unique key that is checked here. [D24]
import { broken, violationsOf, type ContractCheck, type Violation } from '../check.js'
import { FINAL_STATUSES, type ContractRow, type DeliveryRow } from '../rows/contract-rows.js'

/** Contracts younger than this must have all their deliveries: a delivery is kept for 90 days after its end. */
const KEPT_DAYS = 80
/** A worker ends expired deliveries every few seconds; a lease may delay that for 57 s. */
const LAPSE_SECONDS_MIN = 90
const DAY_MS = 86_400_000

export const partiesAreInvited: ContractCheck = {
  invariants: ['I8'],
  compares: 'the deliveries with the parties of each contract, with each other and with the clock',
  async check({ contracts, deliveries, scope: { withinSeconds } }) {
    const rows = await deliveries()
    const known = await contracts()
    const byContract = Map.groupBy(rows, ({ contractId }) => contractId)
    return {
      counts: { contracts: known.size, deliveries: rows.length },
      violations: [
        ...[...known.values()].flatMap((row) => lacksInvitation(row, byContract.get(row.id) ?? [], withinSeconds)),
        ...[...byContract.values()].flatMap((each) => deliveryViolations(each, withinSeconds)),
        ...[...known.values()].flatMap((row) => skipViolations(row, byContract.get(row.id) ?? [])),
      ],
    }
  },
}

/** Pure. */
export function lacksInvitation(
  { id, partyCount, createdAt, now }: Pick<ContractRow, 'id' | 'partyCount' | 'createdAt' | 'now'>,
  rows: readonly Pick<DeliveryRow, 'kind' | 'partyIndex'>[],
  withinSeconds: number,
): Violation[] {
  const ageMs = now.getTime() - createdAt.getTime()
  const isDue = ageMs >= withinSeconds * 1_000 && ageMs <= KEPT_DAYS * DAY_MS
  const invited = new Set(rows.filter(({ kind }) => kind === 'invitation').map(({ partyIndex }) => partyIndex))
  const isMissing = Array.from({ length: partyCount }, (_, index) => index).some((index) => !invited.has(index))
  return violationsOf(id, [[isDue && isMissing, 'I8', 'late', 'has a party without an invitation']])
}

/** Contradictions between the deliveries of one contract, and expired deliveries that are still due. Pure. */
export function deliveryViolations(rows: readonly DeliveryRow[], withinSeconds: number): Violation[] {
  const names = new Set(rows.map(({ partyIndex, kind, sendNumber }) => `${partyIndex} ${kind} ${sendNumber}`))
  const limitMs = Math.max(withinSeconds, LAPSE_SECONDS_MIN) * 1_000
  const isDue = ({ state }: DeliveryRow): boolean => state === 'due'
  const isUntried = rows.some(({ state, attempts }) => state === 'accepted' && attempts < 1)
  const isUneven = rows.some((row) => isDue(row) !== (row.finishedAt === null))
  const reminders = rows.filter(({ kind }) => kind === 'reminder')
  const isRemindedTooOften = reminders.some(({ sendNumber }) => sendNumber < 1 || sendNumber > 2)
  const isOverdue = rows.some(
    (row) => isDue(row) && !row.isHeld && row.lapsesAt.getTime() + limitMs < row.now.getTime(),
  )
  return violationsOf(rows[0]?.contractId ?? '', [
    [names.size < rows.length, 'I8', 'broken', 'has two mails of one party, kind and number'],
    [isUneven, 'I8', 'broken', 'has a mail that is both due and finished, or neither'],
    [isUntried, 'I8', 'broken', 'has an accepted mail without a send attempt'],
    [isRemindedTooOften, 'I8', 'broken', 'has more than two reminders of a party'],
    [isOverdue, 'I8', 'late', 'has an expired mail that is still due'],
  ])
}

type Skipped = Pick<DeliveryRow, 'kind' | 'partyIndex' | 'outcome'>
type ContractView = Pick<ContractRow, 'readdresses' | 'status' | 'expiresAt' | 'erasedAt' | 'mailboxes' | 'now'> & {
  signatures: readonly Pick<ContractRow['signatures'][number], 'partyIndex'>[]
}

/** Mails that were skipped for an invalid reason. effectsHaveCauses reports mails without a contract or party. Pure. */
export function skipViolations(
  contract: ContractView & Pick<ContractRow, 'id' | 'partyCount'>,
  rows: readonly (Skipped & Pick<DeliveryRow, 'state'>)[],
): Violation[] {
  const isWrong = rows.some(
    (row) => row.state === 'skipped' && row.partyIndex < contract.partyCount && !isRightlySkipped(row, contract),
  )
  return isWrong ? [broken('I8', contract.id, 'has a mail that was skipped for an invalid reason')] : []
}

/**
 * True when the mail of an existing party was skipped for a valid reason. A valid reason stays valid, because ends and signatures are
 * final. So the current rows decide. Pure. [D24, D46, D49]
 */
export function isRightlySkipped({ kind, partyIndex, outcome }: Skipped, contract: ContractView): boolean {
  const { status, expiresAt, erasedAt, mailboxes, now, signatures, readdresses } = contract
  if (erasedAt !== null && (outcome === 'contract erased' || outcome === 'the copy is gone')) return true
  const isOver = now >= expiresAt
  const hasSigned = signatures.some((signature) => signature.partyIndex === partyIndex)
  if (outcome === 'address corrected') return readdresses.some((readdress) => readdress.partyIndex === partyIndex)
  switch (kind) {
    case 'invitation': {
      if (outcome === 'party has signed') return hasSigned
      // The encrypted share link is deleted after expiresAt. [D46]
      if (outcome === 'share link is gone') return isOver
      // The third party of a mailbox is invited for all further ones. [P24]
      // A correction afterwards changes who shares a mailbox. [D61]
      if (outcome === 'named in another invitation')
        return erasedAt !== null || readdresses.length > 0 || placeInMailbox(mailboxes, partyIndex) > 2
      const end = FINAL_STATUSES.includes(status) ? status : isOver ? 'expired' : undefined
      // A read at expiresAt may see the expiry before the commit of a signature that was decided in time.
      return end !== undefined && (outcome === `contract ${end}` || outcome === 'contract expired')
    }
    case 'reminder': {
      // A decline is taken back by a signature, and an account may remind nobody: these rows say neither. [D57, D58]
      if (outcome === 'party has declined' || outcome === 'the account reminds nobody') return true
      return isRightlySkipped({ kind: 'invitation', partyIndex, outcome }, contract)
    }
    case 'completed': {
      if (outcome !== 'same mailbox as a party before') return false
      // After an erasure the addresses are unknown.
      return erasedAt !== null || placeInMailbox(mailboxes, partyIndex) > 0
    }
    case 'cancelled':
    case 'expired':
      return outcome === 'party had not signed' && !hasSigned
    case 'readdressed':
      if (outcome === 'still the address of a party') return readdresses.length > 0
      return isRightlySkipped({ kind: 'invitation', partyIndex, outcome }, contract)
    default:
      return false
  }
}

/** How many parties before this one have its mailbox. */
function placeInMailbox(mailboxes: ContractView['mailboxes'], partyIndex: number): number {
  const before = mailboxes.slice(0, partyIndex + 1)
  const mailbox = before.pop()
  // Null may be any mailbox: it counts for the skipped mail.
  return mailbox === null ? partyIndex : before.filter((other) => other === null || other === mailbox).length
}
